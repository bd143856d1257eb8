//! The meter limits and counts the work of a step. The same counter does both.
//!
//! Every kind of work is counted. [`Prices`] defines which kinds are charged to the budget, and how much. The
//! default, [`Prices::ALL_WORK`], charges each kind by its measured cost. [`Prices::PAPERS`] charges expansions
//! and, as published experiments do, key refreshes.
//!
//! The unit of a budget is one expansion of A* on cells, for all prices.

use core::fmt;
use core::ops::{AddAssign, Index, IndexMut};

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[non_exhaustive]
pub enum WorkKind {
    /// A node was expanded: all its neighbors were enumerated.
    Expand,
    /// A learned value was updated, or a node was removed from the queue of the value backup.
    Learn,
    /// One step along parent pointers while a path is traced.
    Trace,
    /// A queue entry with an outdated key was updated.
    Refresh,
    /// A change of an edge was processed.
    Change,
    /// A step of hill climbing.
    Climb,
    /// A database record was compared.
    Compare,
    /// A page was allocated, or cleared for a new search. On grids, at most four node pages per expansion, since a
    /// cell and its neighbors lie on at most four tiles.
    Page,
    /// A node's value was recomputed from all its successors (D* Lite and similar algorithms).
    Rhs,
    /// A word of 64 cells was read in a scan for corners, or a connection between corners was followed.
    Scan,
}

impl WorkKind {
    /// All kinds, in numerical order.
    pub const ALL: [Self; 10] = [
        Self::Expand,
        Self::Learn,
        Self::Trace,
        Self::Refresh,
        Self::Change,
        Self::Climb,
        Self::Compare,
        Self::Page,
        Self::Rhs,
        Self::Scan,
    ];

    /// Returns the name that reports use.
    pub const fn name(self) -> &'static str {
        ["expand", "learn", "trace", "refresh", "change", "climb", "compare", "page", "rhs", "scan"]
            [self as usize]
    }
}

/// Amounts of work, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work([u64; WorkKind::ALL.len()]);

impl Work {
    /// No work.
    pub const NONE: Self = Self([0; WorkKind::ALL.len()]);

    /// Returns the maximum of both amounts, for each kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k].max(other.0[k])))
    }

    /// Returns the work done since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k] - earlier.0[k]))
    }

    /// Returns what it costs at these prices, in units of a tenth of an expansion.
    pub fn priced(self, prices: &Prices) -> u64 {
        self.0.iter().zip(prices.0).map(|(n, price)| n * u64::from(price)).sum()
    }
}

impl Index<WorkKind> for Work {
    type Output = u64;
    fn index(&self, kind: WorkKind) -> &u64 {
        &self.0[kind as usize]
    }
}

impl IndexMut<WorkKind> for Work {
    fn index_mut(&mut self, kind: WorkKind) -> &mut u64 {
        &mut self.0[kind as usize]
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine += more;
        }
    }
}

/// A price list: what each kind of work costs.
///
/// One expansion of A* on cells is 10 units, and budgets are given in such expansions. The other prices are measured against it by
/// `cargo bench -p fleetfoot --bench corners -- prices SET`, on a set of `MovingAI` maps, and rounded.
///
/// The default is [`Prices::ALL_WORK`]: what a step may do is then bounded by its budget, whatever the planner spends it on.
/// Use [`Prices::PAPERS`] to compare with published results.
///
/// ```
/// use fleetfoot::{WorkKind, Prices};
/// assert_eq!(Prices::default(), Prices::ALL_WORK);
/// assert_eq!(Prices::ALL_WORK.of(WorkKind::Expand), 10);
/// assert_eq!(Prices::PAPERS.of(WorkKind::Trace), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices([u32; WorkKind::ALL.len()]);

impl Default for Prices {
    /// Returns [`Prices::ALL_WORK`].
    fn default() -> Self {
        Self::ALL_WORK
    }
}

impl Prices {
    /// Charges expansions and, where they occur, key refreshes, which count as expansions (Bond, Widger, Ruml & Sun
    /// 2010). Other work is counted and bounded by the algorithm itself.
    pub const PAPERS: Self = Self::EXPANSIONS.with(WorkKind::Refresh, 10);

    /// Charges expansions only, as most papers do for D* Lite and similar algorithms. The key refreshes of a step
    /// are then bounded only by the length of the queue.
    pub const EXPANSIONS: Self = Self([10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

    /// Charges all work by its measured cost; the default. A trace step costs a quarter of an expansion, rounded
    /// up. A refresh moves one queue entry. A climbing step and a recomputed value enumerate neighbors like an
    /// expansion, but need no queue. A scanned word takes 90 instructions, an expansion 360. Pages are free: the
    /// price of an expansion includes them.
    pub const ALL_WORK: Self = Self([10, 3, 3, 5, 2, 5, 1, 0, 5, 3]);

    /// Returns the price of one unit of work, in tenths of an expansion.
    pub const fn of(&self, kind: WorkKind) -> u32 {
        self.0[kind as usize]
    }

    /// Replaces the price of one kind of work.
    #[must_use]
    pub const fn with(mut self, kind: WorkKind, tenths: u32) -> Self {
        self.0[kind as usize] = tenths;
        self
    }
}

/// A clock function; the crate is `no_std` and has none of its own. Any unit; must be monotonic.
pub type Clock = fn() -> u64;

/// Number of charges between two reads of the clock.
const CHARGES_PER_CLOCK_READ: u32 = 8;

/// Budget of an unlimited meter.
const UNLIMITED: i64 = i64::MAX;
/// Maximum price of an expansion with prepayments. Larger than any budget, and small enough that the sum over a
/// step does not overflow.
const MAX_EXPANSION_PRICE: i64 = 1 << 32;

#[derive(Clone, Copy, Debug)]
struct Deadline {
    clock: Clock,
    until: u64,
    charges_to_clock_read: u32,
    passed: bool,
}

/// A limit on a part of a step: on its work, and under a deadline on its time. [`Meter::limit`], [`Meter::all_but`] and
/// [`Meter::fraction`] create it, [`Meter::narrow`] applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Tenths of an expansion.
    work: i64,
    /// The earlier deadline. `None` unless the step has a deadline and the limit is on time.
    until: Option<u64>,
}

impl Limit {
    /// No limit.
    pub const NONE: Self = Self { work: UNLIMITED, until: None };

    /// Returns the limit that is met if both limits are met.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let until = match (self.until, other.until) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { work: self.work.min(other.work), until }
    }
}

/// The part of a budget that a limit sets aside. [`Meter::widen`] returns it to the meter.
#[must_use = "the part of the budget that is set aside must be returned by Meter::widen"]
#[derive(Debug)]
pub struct Narrowed {
    kept: i64,
    deadline: Option<Deadline>,
}

/// Limits and counts the work of a step.
///
/// Methods such as [`expand`](Self::expand) either charge and return `true`, or return `false`: `if !meter.expand()
/// { return Halt::Paused }`. If nothing was spent before, an expansion is always granted with its prepayments. A
/// budget of 1 therefore suffices for every planner at any prices, and a step spends at most its budget or the cost
/// of one expansion, whichever is larger.
///
/// All work is charged unless other [`Prices`] are set. One expansion of A* on cells is 10 units:
///
/// ```
/// use fleetfoot::{WorkKind, Meter};
/// let mut meter = Meter::expansions(2);
/// assert!(meter.expand() && meter.expand() && !meter.expand());
/// assert_eq!(meter.work()[WorkKind::Expand], 2);
///
/// let mut meter = Meter::expansions(2);
/// assert!(meter.expand() && meter.charge(WorkKind::Trace)); // 10 units, and 3 of the 10 that are left
/// assert!(!meter.expand());
/// ```
#[derive(Clone)]
pub struct Meter {
    /// Tenths of an expansion left. Negative if the first expansion exceeded the budget. [`UNLIMITED`] is never
    /// reduced.
    left: i64,
    /// Tenths reserved for prepaid work.
    owed: i64,
    /// The price of an expansion with all prepayments, in tenths.
    expansion: i64,
    /// Whether anything was spent.
    begun: bool,
    prices: Prices,
    work: Work,
    deadline: Option<Deadline>,
}

impl Meter {
    /// Creates a meter with a budget in expansions of A* on cells. All work is charged ([`Prices::ALL_WORK`]).
    pub fn expansions(budget: u64) -> Self {
        Self::priced(budget, Prices::default())
    }

    /// Creates a meter with a budget in expansions of A* on cells, and with other prices.
    pub fn priced(budget: u64, prices: Prices) -> Self {
        Self {
            left: i64::try_from(budget.saturating_mul(10)).unwrap_or(UNLIMITED),
            owed: 0,
            expansion: i64::from(prices.of(WorkKind::Expand)),
            begun: false,
            prices,
            work: Work::NONE,
            deadline: None,
        }
    }

    /// Creates a meter without a limit.
    pub fn unlimited() -> Self {
        Self { left: UNLIMITED, ..Self::expansions(0) }
    }

    /// Creates a meter that refuses work once `clock` returns `until` or more. Not deterministic: repeating a step
    /// may do more or less work.
    pub fn until(clock: Clock, until: u64) -> Self {
        Self::unlimited().with_deadline(clock, until)
    }

    /// Adds a deadline to the budget.
    #[must_use]
    pub fn with_deadline(mut self, clock: Clock, until: u64) -> Self {
        self.deadline =
            Some(Deadline { clock, until, charges_to_clock_read: CHARGES_PER_CLOCK_READ, passed: false });
        self
    }

    /// Charges and counts one expansion, and returns `true`. Returns `false` if the budget does not cover it.
    #[inline]
    pub fn expand(&mut self) -> bool {
        if self.left < self.expansion || self.deadline.is_some() {
            return self.expand_slow();
        }
        self.grant(1);
        true
    }

    /// Handles the rare cases: the first expansion if the budget does not cover it, and deadlines.
    #[cold]
    #[inline(never)]
    fn expand_slow(&mut self) -> bool {
        let granted = !self.begun || (self.left >= self.expansion && self.before_deadline());
        if granted {
            self.grant(1);
        }
        granted
    }

    /// Returns the number of expansions that the budget covers. Returns 0 under a deadline, where each one must be
    /// checked.
    #[inline]
    pub(crate) fn affordable_expansions(&self) -> u64 {
        match (self.deadline, self.left) {
            (Some(_), _) => 0,
            (None, UNLIMITED) => u64::MAX,
            (None, left) => (left / self.expansion.max(1)).max(0).unsigned_abs(),
        }
    }

    /// Charges and counts `n` expansions, without a check.
    #[inline]
    pub(crate) fn grant(&mut self, n: u64) {
        let times = n.cast_signed();
        self.spend(times * self.expansion);
        self.owed =
            self.owed.saturating_add(times * (self.expansion - i64::from(self.prices.of(WorkKind::Expand))));
        self.begun |= n > 0;
        self.work[WorkKind::Expand] += n;
    }

    #[inline]
    fn spend(&mut self, tenths: i64) {
        if self.left != UNLIMITED {
            self.left -= tenths;
        }
    }

    fn price(&self, kind: WorkKind, n: u64) -> i64 {
        i64::try_from(n.saturating_mul(u64::from(self.prices.of(kind)))).unwrap_or(UNLIMITED)
    }

    /// Starts a prepayment: each expansion then also pays for the work that must follow it, so that learning is
    /// never cut short. Only one prepayment can be active.
    pub fn prepay(&mut self) -> Prepayment {
        debug_assert!(self.owed == 0, "one debt at a time");
        Prepayment(())
    }

    /// Charges and counts `n` units of work, even if the budget is exceeded.
    #[inline]
    pub fn charge_always(&mut self, kind: WorkKind, n: u64) {
        let price = self.price(kind, n);
        self.spend(price);
        self.work[kind] += n;
    }

    /// Charges and counts one unit of work, and returns `true`. Returns `false` if the budget does not cover it.
    #[inline]
    pub fn charge(&mut self, kind: WorkKind) -> bool {
        let price = i64::from(self.prices.of(kind));
        if price > self.left || (self.deadline.is_some() && !self.before_deadline()) {
            return false;
        }
        self.spend(price);
        self.begun |= price > 0;
        self.work[kind] += 1;
        true
    }

    /// Charges and counts up to `n` units of work. Returns the number granted.
    pub fn charge_up_to(&mut self, kind: WorkKind, n: u64) -> u64 {
        if n == 0 || (self.deadline.is_some() && !self.before_deadline()) {
            return 0;
        }
        let price = u64::from(self.prices.of(kind));
        let granted = match (price, self.left) {
            (0, _) | (_, UNLIMITED) => n,
            (price, left) => n.min(left.max(0).unsigned_abs() / price),
        };
        self.spend(i64::try_from(granted * price).unwrap_or(UNLIMITED));
        self.begun |= granted * price > 0;
        self.work[kind] += granted;
        granted
    }

    /// Counts work that is bounded elsewhere. Nothing is charged.
    #[inline]
    pub fn count(&mut self, kind: WorkKind, n: u64) {
        self.work[kind] += n;
    }

    /// Returns a limit of `expansions` expansions, including their prepayments.
    pub fn limit(&self, expansions: u64) -> Limit {
        let work = i64::try_from(expansions).unwrap_or(UNLIMITED).saturating_mul(self.expansion);
        Limit { work, until: None }
    }

    /// Returns a limit that leaves `expansions` expansions of the budget, including their prepayments.
    pub fn all_but(&self, expansions: u64) -> Limit {
        if self.left == UNLIMITED {
            return Limit::NONE;
        }
        let work = self.left.saturating_sub(self.limit(expansions).work).max(0);
        Limit { work, until: None }
    }

    /// Returns a limit of at most `part / whole` of the remaining work and time.
    pub fn fraction(&self, part: u64, whole: u64) -> Limit {
        let of = |all: u64| (u128::from(all) * u128::from(part) / u128::from(whole.max(1))) as u64;
        let work = match self.left {
            UNLIMITED => UNLIMITED,
            left => of(left.max(0).unsigned_abs()).cast_signed(),
        };
        let time = self.time_left();
        Limit { work, ..self.earlier(time.saturating_sub(of(time))) }
    }

    /// Returns a limit of time alone: the deadline, if there is one, is earlier by `by`.
    pub(crate) fn earlier(&self, by: u64) -> Limit {
        Limit { until: self.deadline.map(|d| d.until.saturating_sub(by)), ..Limit::NONE }
    }

    /// Applies a limit until [`widen`](Self::widen). Limits nest.
    #[inline]
    pub fn narrow(&mut self, limit: Limit) -> Narrowed {
        let kept = match self.left {
            UNLIMITED => UNLIMITED,
            left => left.saturating_sub(limit.work).max(0),
        };
        self.left = self.left.min(limit.work);
        let mut deadline = None;
        if let (Some(mine), Some(until)) = (&mut self.deadline, limit.until) {
            deadline = Some(*mine);
            mine.until = until;
        }
        Narrowed { kept, deadline }
    }

    /// Ends a limit. The unused part of the limit remains in the budget.
    #[inline]
    #[expect(clippy::needless_pass_by_value, reason = "what is returned must not be returned twice")]
    pub fn widen(&mut self, narrowed: Narrowed) {
        let Narrowed { kept, deadline } = narrowed;
        self.left = if kept == UNLIMITED { UNLIMITED } else { self.left.saturating_add(kept) };
        if let Some(old) = deadline {
            self.deadline = Some(Deadline { passed: false, charges_to_clock_read: 1, ..old });
        }
    }

    /// Calls `spend` within [`fraction`](Self::fraction).
    pub fn with_fraction<T>(&mut self, part: u64, whole: u64, spend: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.narrow(self.fraction(part, whole));
        let result = spend(self);
        self.widen(outer);
        result
    }

    /// Calls `spend` with a deadline that is earlier by `by`, if there is a deadline.
    pub(crate) fn ending_early<T>(&mut self, by: u64, spend: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.narrow(self.earlier(by));
        let result = spend(self);
        self.widen(outer);
        result
    }

    /// Returns the time left until the deadline, or 0 if there is none.
    pub(crate) fn time_left(&self) -> u64 {
        self.deadline.map_or(0, |d| d.until.saturating_sub((d.clock)()))
    }

    /// Returns the current time, or 0 if there is no clock.
    pub(crate) fn now(&self) -> u64 {
        self.deadline.map_or(0, |d| (d.clock)())
    }

    /// Splits off a meter with `1 / whole` of the budget, and at most `most` expansions. For searches that run in
    /// parallel. [`merge`](Self::merge) returns what they leave.
    pub(crate) fn split_off(&mut self, whole: u64, most: u64) -> Self {
        let most = i64::try_from(most).unwrap_or(UNLIMITED).saturating_mul(self.expansion);
        let part = if self.left == UNLIMITED {
            UNLIMITED
        } else {
            (self.left.max(0).unsigned_abs() / whole.max(1)).cast_signed()
        };
        let left = part.min(most);
        self.spend(left);
        Self { left, owed: 0, work: Work::NONE, ..self.clone() }
    }

    /// Returns the remaining budget of `part` to this meter, and adds its work.
    pub(crate) fn merge(&mut self, part: &Self) {
        if self.left != UNLIMITED {
            self.left = self.left.saturating_add(part.left);
        }
        for kind in WorkKind::ALL {
            self.work[kind] += part.work[kind];
        }
        self.begun |= part.begun;
        if let (Some(mine), Some(theirs)) = (&mut self.deadline, part.deadline) {
            mine.passed |= theirs.passed;
        }
    }

    /// Returns `true` if the budget covers this many expansions.
    pub(crate) fn can_afford(&self, expansions: u64) -> bool {
        self.left >= i64::try_from(expansions).unwrap_or(UNLIMITED).saturating_mul(self.expansion)
    }

    /// Returns `true` unless the deadline has passed. Reads the clock every [`CHARGES_PER_CLOCK_READ`] calls.
    pub(crate) fn before_deadline(&mut self) -> bool {
        let Some(d) = &mut self.deadline else { return true };
        d.charges_to_clock_read -= 1;
        if d.charges_to_clock_read == 0 {
            d.charges_to_clock_read = CHARGES_PER_CLOCK_READ;
            d.passed |= (d.clock)() >= d.until;
        }
        !d.passed
    }

    /// Returns the number of expansions that the remaining budget covers. Returns `None` if work is unlimited.
    pub fn expansions_left(&self) -> Option<u64> {
        (self.left != UNLIMITED).then_some(self.left.max(0).unsigned_abs() / 10)
    }

    /// Returns `true` if work or time is limited.
    pub fn is_limited(&self) -> bool {
        self.left != UNLIMITED || self.is_timed()
    }

    /// Grants one more expansion under a deadline, for a second planner that runs in the same step. Budgets in work
    /// are not affected; reserve a share for the second planner instead.
    pub(crate) fn allow_first_expansion(&mut self) {
        if self.left == UNLIMITED {
            self.begun = false;
        }
    }

    /// Returns `true` if the meter has a deadline.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// Returns the prices.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Returns the work done so far.
    pub fn work(&self) -> &Work {
        &self.work
    }
}

/// A reservation for work that follows an expansion. Created by [`Meter::prepay`]; [`finish`](Self::finish) refunds
/// what was not used.
#[must_use = "unused prepayments are refunded only by `finish`"]
#[derive(Debug)]
pub struct Prepayment(());

impl Prepayment {
    /// Adds `times` units of `kind` to the prepayment of each later expansion.
    pub fn add_per_expansion(&mut self, meter: &mut Meter, kind: WorkKind, times: u64) {
        meter.expansion = meter.expansion.saturating_add(meter.price(kind, times)).min(MAX_EXPANSION_PRICE);
    }

    /// Prepays `n` units of `kind` now.
    pub fn add(&mut self, meter: &mut Meter, kind: WorkKind, n: u64) {
        let price = meter.price(kind, n);
        meter.spend(price);
        meter.owed = meter.owed.saturating_add(price);
    }

    /// Performs `n` units of prepaid work.
    #[inline]
    pub fn pay(&mut self, meter: &mut Meter, kind: WorkKind, n: u64) {
        let price = meter.price(kind, n);
        meter.spend((price - meter.owed).max(0));
        meter.owed = (meter.owed - price).max(0);
        meter.work[kind] += n;
    }

    /// Reduces the reservation to `owed` and refunds the rest. Returns `true` if the budget now covers another
    /// expansion.
    pub fn refund_unused(&mut self, meter: &mut Meter, owed: &Work) -> bool {
        let owed = i64::try_from(owed.priced(&meter.prices)).unwrap_or(i64::MAX).min(meter.owed);
        meter.spend(owed - meter.owed);
        meter.owed = owed;
        meter.left >= meter.expansion
    }

    /// Refunds the reservation. Later expansions prepay nothing.
    pub fn clear(&mut self, meter: &mut Meter) {
        self.refund_unused(meter, &Work::NONE);
        meter.expansion = i64::from(meter.prices.of(WorkKind::Expand));
    }

    /// Consumes the prepayment and refunds the rest.
    pub fn finish(mut self, meter: &mut Meter) {
        self.clear(meter);
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").field("left", &self.left).field("work", &self.work).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn a_budget_of_one_always_suffices() {
        let mut meter = Meter::priced(1, Prices::ALL_WORK);
        let mut prepayment = meter.prepay();
        prepayment.add_per_expansion(&mut meter, WorkKind::Learn, 9);
        assert!(meter.expand());
        assert!(!meter.expand());
        prepayment.pay(&mut meter, WorkKind::Learn, 9);
        assert_eq!(meter.work()[WorkKind::Learn], 9);
    }

    #[test]
    fn unused_prepayments_are_refunded() {
        let mut meter = Meter::priced(10, Prices::ALL_WORK);
        let mut prepayment = meter.prepay();
        prepayment.add_per_expansion(&mut meter, WorkKind::Learn, 2);
        assert!(meter.expand());
        assert_eq!(meter.expansions_left(), Some(8));
        prepayment.pay(&mut meter, WorkKind::Learn, 1);
        prepayment.finish(&mut meter);
        assert_eq!(meter.left, 100 - 10 - 3);
    }

    #[test]
    fn a_fraction_returns_its_rest() {
        let mut meter = Meter::expansions(8);
        meter.with_fraction(1, 4, |m| {
            assert!(m.expand());
            assert_eq!(m.expansions_left(), Some(1));
        });
        assert_eq!(meter.expansions_left(), Some(7));
        meter.with_fraction(1, 1, |m| while m.expand() {});
        assert!(!meter.expand());
        assert_eq!(meter.work()[WorkKind::Expand], 8);
    }

    #[test]
    fn a_reserve_is_kept() {
        let mut meter = Meter::priced(10, Prices::ALL_WORK);
        let mut prepayment = meter.prepay();
        prepayment.add_per_expansion(&mut meter, WorkKind::Learn, 1);
        assert!(meter.expand());
        let outer = meter.narrow(meter.all_but(2));
        while meter.expand() {}
        meter.widen(outer);
        assert_eq!(meter.work()[WorkKind::Expand], 5);
        assert!(meter.expand() && meter.expand() && !meter.expand());
        let mut meter = Meter::expansions(1);
        assert!(meter.expand());
        let _outer = meter.narrow(meter.all_but(1));
        assert!(!meter.expand());
    }

    #[test]
    fn limits_nest_and_return_what_they_set_aside() {
        let mut meter = Meter::expansions(10);
        let outer = meter.narrow(meter.fraction(1, 2).and(meter.limit(4)));
        let inner = meter.narrow(meter.limit(1));
        assert!(meter.expand() && !meter.expand());
        meter.widen(inner);
        assert_eq!(meter.expansions_left(), Some(3));
        while meter.expand() {}
        meter.widen(outer);
        assert_eq!((meter.work()[WorkKind::Expand], meter.expansions_left()), (4, Some(6)));
    }

    #[test]
    fn a_fraction_of_the_time_ends_before_the_deadline() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let mut meter = Meter::until(|| NOW.load(Ordering::Relaxed), 100);
        let outer = meter.narrow(meter.fraction(1, 4));
        assert!(meter.expand());
        NOW.store(25, Ordering::Relaxed);
        assert!((0..2 * CHARGES_PER_CLOCK_READ).any(|_| !meter.expand()));
        meter.widen(outer);
        assert!((0..2 * CHARGES_PER_CLOCK_READ).all(|_| meter.expand()));
        NOW.store(100, Ordering::Relaxed);
        assert!((0..2 * CHARGES_PER_CLOCK_READ).any(|_| !meter.expand()));
    }

    #[test]
    fn without_limit_nothing_runs_out() {
        let mut meter = Meter::unlimited();
        meter.with_fraction(1, 1000, |m| assert!((0..5000).all(|_| m.expand() && m.charge(WorkKind::Trace))));
        assert_eq!(meter.expansions_left(), None);
        let prepayment = meter.prepay();
        prepayment.finish(&mut meter);
        assert!(meter.expand());
    }

    #[test]
    fn a_deadline_stops_within_a_look() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let mut meter = Meter::until(|| NOW.fetch_add(10, Ordering::Relaxed), 25);
        let mut done = 0;
        while meter.expand() {
            done += 1;
        }
        assert!((CHARGES_PER_CLOCK_READ..=5 * CHARGES_PER_CLOCK_READ).contains(&done), "{done}");
    }
}
