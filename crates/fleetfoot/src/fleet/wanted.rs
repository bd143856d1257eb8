//! What the units of a fleet want of the resolver: what cells are worth to them, by their ways, by rows of distances, or by
//! what is left of the place that their crowd fills.

use super::Wishes;
use super::crowds::Crowds;
use super::ground::{NONE, OWN};
use super::rows::{Rows, Survey};
use super::sight::Sight;
use super::teams::Team;
use super::tick::{rests, wants};
use super::units::{Ranks, Unit};
use super::ways::{Glimpse, Outlook, Ways};
use crate::corners::cell;
use crate::graph::{Graph, Grid, Neighbours};
use crate::id::{Cost, NodeId};

/// Points of its way by which cells that lie farther from a unit are judged.
const POINTS_AHEAD: usize = 48;

/// What a cell is worth to a unit that has nowhere to go: it stays where it is, if it is let.
fn at_rest(unit: &Unit, n: NodeId) -> Cost {
    Cost::new(u32::from(n != unit.at))
}

/// A cell from which a move leads to another, and to which a move leads from `at`.
fn two_moves_away(grid: &Grid, at: NodeId, n: NodeId) -> Option<NodeId> {
    grid.succs(at).map(|edge| edge.to).find(|&between| grid.succs(between).any(|edge| edge.to == n))
}

/// Where a unit goes next, where that is plain: all that is asked of most of them, in a small table of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The place among the cells around it, and what is left from there.
    place: u8,
    left: Cost,
    /// Whether anybody has asked in this tick.
    pub(super) is_asked: bool,
}

impl Plain {
    /// It is not: no place is the 31st.
    pub(super) const NONE: Self = Self { place: 31, left: Cost::ZERO, is_asked: false };
}

/// What the units want of the resolver, by their ways.
pub(super) struct Wanted<'a> {
    pub(super) grid: &'a Grid,
    pub(super) sight: &'a Sight,
    pub(super) teams: &'a [Team],
    pub(super) units: &'a [Unit],
    pub(super) rows: Option<&'a Rows>,
    pub(super) survey: &'a mut Survey,
    pub(super) ways: &'a Ways,
    pub(super) crowds: &'a Crowds,
    pub(super) ranks: &'a mut [Ranks],
    pub(super) ranked: &'a mut [u32],
    pub(super) glimpses: &'a mut [Glimpse],
    pub(super) plain: &'a mut [Plain],
    /// Whether the map has changed since the last tick.
    pub(super) is_edited: bool,
    /// Whether some units are slower than others.
    pub(super) has_speeds: bool,
    pub(super) stamp: u64,
    /// Who was asked last, and how things look to it.
    pub(super) last: Option<(u32, Outlook<'a>)>,
}

impl<'a> Wanted<'a> {
    #[inline]
    fn outlook(&mut self, number: u32) -> &Outlook<'a> {
        let (grid, units, teams) = (self.grid, self.units, self.teams);
        if self.last.as_ref().is_some_and(|(last, _)| *last != number) {
            self.last = None;
        }
        let (_, outlook) = self.last.get_or_insert_with(|| {
            let unit = &units[number as usize];
            let sight = teams[unit.team as usize].sight(self.sight);
            (number, Outlook::new(grid, sight, self.rows, self.ways, unit))
        });
        outlook
    }

    /// Where a unit goes next, where that is plain.
    #[inline]
    fn look_ahead(&mut self, unit: u32) -> Option<Plain> {
        let known = &self.units[unit as usize];
        if !known.is_there || known.at == known.goal || !wants(known) || self.crowds.leads(known) {
            return None;
        }
        if self.has_speeds && rests(known, self.stamp - 1) {
            return None;
        }
        let (around, moves) = self.grid.around(known.at);
        let mut cells = [known.at; 9];
        cells[..OWN].copy_from_slice(&around);
        if !self.is_edited && self.teams[known.team as usize].fog.is_none() {
            let on = self.glimpses[unit as usize].go_on(self.grid, known, &cells, self.stamp);
            if let Some((place, left, glimpse)) = on.filter(|(place, ..)| moves >> place & 1 == 1) {
                debug_assert_eq!(self.outlook(unit).ahead(), Some((place, left)), "as one who looks");
                let sees =
                    |(_, outlook): &(u32, Outlook<'_>)| outlook.glimpse(cells[place], self.stamp).is_some();
                debug_assert!(self.last.as_ref().is_some_and(sees), "as one who looks");
                self.glimpses[unit as usize] = glimpse;
                return Some(Plain { place: place as u8, left, is_asked: false });
            }
        }
        let stamp = self.stamp;
        let outlook = self.outlook(unit);
        let (place, left) = outlook.ahead().filter(|&(place, _)| moves >> place & 1 == 1)?;
        let glimpse = outlook.glimpse(cells[place], stamp)?;
        self.glimpses[unit as usize] = glimpse;
        Some(Plain { place: place as u8, left, is_asked: false })
    }

    /// What is known of the cells around a unit in this tick.
    #[inline]
    fn ranks_of(&mut self, unit: u32) -> &mut Ranks {
        if core::mem::replace(&mut self.ranked[unit as usize], self.stamp as u32) != self.stamp as u32 {
            let known = &self.units[unit as usize];
            let led = if known.crowd == NONE { None } else { self.crowds.ranks(self.grid, known) };
            self.ranks[unit as usize] = led.unwrap_or_else(|| self.outlook(unit).ranks());
        }
        &mut self.ranks[unit as usize]
    }

    /// Looks what a cell next to a unit is worth to it.
    #[inline]
    fn find_out(&mut self, unit: u32, n: NodeId, place: usize) -> Cost {
        let value = self.outlook(unit).value(n);
        let ranks = &mut self.ranks[unit as usize];
        ranks.values[place] = value;
        ranks.known |= 1 << place;
        value
    }
}

impl Wanted<'_> {
    /// What a cell is worth that does not lie next to a unit: groups that are stuck ask where to bring it. By the farthest point of
    /// its way in sight from there, or by way of where it is.
    fn value_afar(&mut self, unit: u32, n: NodeId) -> Cost {
        let known = &self.units[unit as usize];
        if let Some(value) = self.crowds.value(self.grid, known, n) {
            return value;
        }
        if n == known.goal {
            return Cost::ZERO;
        }
        if let Some(rows) = self.rows.filter(|_| known.row != NONE) {
            let moves = match two_moves_away(self.grid, known.at, n) {
                Some(between) => {
                    let by = rows.farther(known.row, n, between) + rows.farther(known.row, between, known.at);
                    known.moves.checked_add_signed(by)
                }
                None => self.survey.distance(rows, known.row, n),
            };
            return moves.map_or(Cost::INF, |moves| self.outlook(unit).by_row(n, moves));
        }
        let (grid, sight) = (self.grid, self.teams[known.team as usize].sight(self.sight));
        let (from, at) = (cell(grid, n), cell(grid, known.at));
        let over = |to: (i32, i32)| grid.over_open_ground(to.0 - from.0, to.1 - from.1);
        let points =
            self.ways.walk(known.way()).take(POINTS_AHEAD).map(|point| (cell(grid, point.cell), point.rest));
        let in_sight = points.filter(|&(to, _)| sight.is_open(from, to)).last();
        let goal =
            Some(cell(grid, known.goal)).filter(|&goal| known.way() == NONE && sight.is_open(from, goal));
        match in_sight.or(goal.map(|goal| (goal, Cost::ZERO))) {
            Some((to, rest)) => over(to) + rest,
            None => self.outlook(unit).here() + over(at),
        }
    }
}

impl Wishes for Wanted<'_> {
    fn value(&mut self, unit: u32, n: NodeId) -> Cost {
        let known = &self.units[unit as usize];
        if !wants(known) {
            return at_rest(known, n);
        }
        let at = cell(self.grid, n);
        let ranks = self.ranks_of(unit);
        let Some(place) = ranks.place(at) else { return self.value_afar(unit, n) };
        match ranks.known(place) {
            Some(value) => value,
            // A row tells all that it can of the cells around.
            None if known.row != NONE => self.value_afar(unit, n),
            None => self.find_out(unit, n, place),
        }
    }

    fn is_worth_nothing(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.row != NONE && wants(known) && !self.crowds.leads(known) {
            return n == known.goal;
        }
        self.value(unit, n) == Cost::ZERO
    }

    #[inline]
    fn value_near(&mut self, unit: u32, cells: &[NodeId; 9], place: usize) -> Cost {
        let known = &self.units[unit as usize];
        if !wants(known) {
            return at_rest(known, cells[place]);
        }
        match self.ranks_of(unit).known(place) {
            Some(value) => value,
            None => self.find_out(unit, cells[place], place),
        }
    }

    fn prepare(&mut self) {
        if self.grid.rules().neighbours == Neighbours::Eight {
            for unit in 0..self.units.len() {
                self.plain[unit] = self.look_ahead(unit as u32).unwrap_or(Plain::NONE);
            }
        }
    }

    #[inline]
    fn ahead(&mut self, unit: u32, which: u32) -> Option<(usize, Cost)> {
        let Plain { place, left, is_asked } = &mut self.plain[unit as usize];
        *is_asked = which >> *place & 1 == 1;
        is_asked.then_some((*place as usize, *left))
    }

    #[inline]
    fn bounds(&mut self, unit: u32, _: &[NodeId; 9], _: u32, out: &mut [Cost; 9]) -> u32 {
        if !wants(&self.units[unit as usize]) {
            *out = [Cost::new(1); 9];
            out[OWN] = Cost::ZERO;
            return u32::MAX;
        }
        let ranks = self.ranks_of(unit);
        *out = ranks.values;
        ranks.known
    }

    fn is_nearer(&mut self, unit: u32, n: NodeId, than: NodeId) -> bool {
        if wants(&self.units[unit as usize]) {
            let (a, b) = (cell(self.grid, n), cell(self.grid, than));
            let ranks = self.ranks_of(unit);
            if let (Some(a), Some(b)) = (ranks.place(a), ranks.place(b)) {
                if ranks.at_most(a) < ranks.values[b] {
                    return true;
                }
                if ranks.values[a] >= ranks.at_most(b) {
                    return false;
                }
            }
        }
        self.value(unit, n) < self.value(unit, than)
    }

    #[inline]
    fn are_mates(&mut self, unit: u32, other: u32) -> bool {
        // Where there are no crowds, units need not be fetched for this.
        !self.crowds.all.is_empty()
            && self.crowds.are_mates(&self.units[unit as usize], &self.units[other as usize])
    }

    fn queues(&mut self, unit: u32) -> bool {
        let known = &self.units[unit as usize];
        let waits_for_mate = known.blocked_by != NONE && self.are_mates(unit, known.blocked_by);
        waits_for_mate && self.crowds.leads(known)
    }

    fn is_as_good(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        known.is_settled && self.crowds.is_slot(known, n)
    }

    fn knows_the_ground(&mut self, unit: u32) -> bool {
        self.teams[self.units[unit as usize].team as usize].fog.is_none()
    }

    fn is_home(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.is_settled {
            return n == known.at;
        }
        n == if wants(known) { known.goal } else { known.at } && !self.crowds.leads(known)
    }
}
