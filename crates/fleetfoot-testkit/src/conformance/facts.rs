//! Detects understated facts: a guarantee that a planner keeps in every test world but does not claim.

use std::fmt;

use fleetfoot::registry::{Facts, Spec};

/// A guarantee that walks in static worlds can confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// [`Facts::complete`].
    Complete,
    /// [`Facts::proves_no_path`].
    ProvesNoPath,
    /// [`Facts::slice_invariant`].
    SliceInvariant,
    /// [`Facts::optimal`].
    Optimal,
}

impl Promise {
    const ALL: [Self; 4] = [Self::Complete, Self::ProvesNoPath, Self::SliceInvariant, Self::Optimal];

    fn is_made(self, facts: &Facts) -> bool {
        match self {
            Self::Complete => facts.complete,
            Self::ProvesNoPath => facts.proves_no_path,
            Self::SliceInvariant => facts.slice_invariant,
            Self::Optimal => facts.optimal,
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::ProvesNoPath => "proves_no_path",
            Self::SliceInvariant => "slice_invariant",
            Self::Optimal => "optimal",
        })
    }
}

/// How often each guarantee was tested, and whether it was violated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    times: [u32; Promise::ALL.len()],
    broken: [bool; Promise::ALL.len()],
}

/// Number of cases after which a kept guarantee is no coincidence.
const ENOUGH: u32 = 20;

impl Kept {
    /// Records a case in which the guarantee was kept or violated.
    pub(super) fn note(&mut self, promise: Promise, is_kept: bool) {
        self.times[promise as usize] += 1;
        self.broken[promise as usize] |= !is_kept;
    }

    /// Returns the guarantees that were always kept but are not claimed, except for those with a known reason.
    pub(super) fn understated(
        &self,
        facts: &Facts,
        unclaimed: &[(Promise, &str)],
    ) -> impl Iterator<Item = String> {
        let is_kept = |p: Promise| self.times[p as usize] >= ENOUGH && !self.broken[p as usize];
        let is_excused = |p: Promise| unclaimed.iter().any(|(other, _)| *other == p);
        let all = Promise::ALL.into_iter().filter(|&p| is_kept(p) && !p.is_made(facts) && !is_excused(p));
        let told = all.map(|p| {
            let times = self.times[p as usize];
            format!("its facts deny `{p}`, which it kept in all of {times} cases: claim it, or say why not")
        });
        told.collect::<Vec<_>>().into_iter()
    }
}

/// Planners of the registry that keep a guarantee in the small test worlds and do not claim it: prefix of the spec,
/// guarantee, reason.
const MODEST: &[(&str, Promise, &str)] = &[
    ("lrta", Promise::SliceInvariant, DEPTH_ONE),
    ("lrts", Promise::SliceInvariant, DEPTH_ONE),
    ("pr-lrta(level=8)", Promise::Optimal, ONE_REGION),
    ("tla(lookahead=1)", Promise::SliceInvariant, ONE_EXPANSION),
    ("lss-lrta(lookahead=1)", Promise::SliceInvariant, ONE_EXPANSION),
    ("rtaa(lookahead=1)", Promise::SliceInvariant, ONE_EXPANSION),
    ("da-lss-lrta(lookahead=1)", Promise::SliceInvariant, ONE_EXPANSION),
    ("da-rtaa(lookahead=1)", Promise::SliceInvariant, ONE_EXPANSION),
    ("p-lrta(updates=0)", Promise::SliceInvariant, ONE_EXPANSION),
    ("knn-lrta", Promise::SliceInvariant, ONE_EXPANSION),
    ("rtd", Promise::ProvesNoPath, LEARNER_FIRST),
    ("auto", Promise::ProvesNoPath, LATER_RTD),
    ("rtba", Promise::SliceInvariant, ANEW),
    ("tbaa", Promise::SliceInvariant, ANEW),
    ("ad-star(epsilon=1)", Promise::SliceInvariant, TURNS),
    ("rtd-noop(global=ad-star,epsilon=1)", Promise::SliceInvariant, TURNS),
    ("rtd(focus=on-change)", Promise::Optimal, KEYS),
    ("rtd-noop(focus=on-change)", Promise::Optimal, KEYS),
];

const DEPTH_ONE: &str =
    "a look-ahead of depth 1 is one expansion, which no budget cuts short; deeper ones are cut";
const ONE_EXPANSION: &str =
    "one expansion is never cut short; the promise is made by algorithm, for any look-ahead";
const ONE_REGION: &str =
    "the kit's maps are one region at this level, so that nothing is left of the abstraction";
const LEARNER_FIRST: &str =
    "of a budget of 1 the learner has all, and the search that could prove it never ends";
const LATER_RTD: &str = "once costs have fallen it is RTD*, on graphs without corners";
const ANEW: &str =
    "where its path breaks it searches again from its current node, which depends on the budget";
const TURNS: &str = "after a change it turns to the agent when that is cheap for what may be spent";
const KEYS: &str = "once the agent has moved and a cost has changed its keys may be wrong";

/// Returns the guarantees that a planner of the registry deliberately does not claim.
pub(super) fn unclaimed(spec: &Spec) -> Vec<(Promise, &'static str)> {
    let text = spec.to_string();
    let is_its = |entry: &&(&str, Promise, &str)| text.starts_with(entry.0);
    MODEST.iter().filter(is_its).map(|&(_, promise, reason)| (promise, reason)).collect()
}
