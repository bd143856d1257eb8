//! The costs of all units for the resolver: by their routes, by rows of distances, or by the slots that are left to their crowd.

use crate::corners::cell;
use crate::fleet::cell_set::NONE;
use crate::fleet::guide::Guide;
use crate::fleet::guide::heading::{AROUND, Heading, HeadingCosts};
use crate::fleet::guide::neighbor_costs::{LocalCosts, place};
use crate::fleet::guide::route_costs::{NEAR, RouteCosts};
use crate::fleet::knowledge::Knowledge;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::resolver::costs::{NeighborCosts, UnitCosts};
use crate::fleet::resolver::neighbors::OWN;
use crate::fleet::route::distance_rows::{DistanceRows, Survey};
use crate::fleet::route::store::Routes;
use crate::fleet::state::State;
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::unit::{Unit, UnitDetails};
use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};
use crate::id::{Cost, NodeId};

/// Maximum number of points of a unit's route that are tried for the cost of a distant cell.
const POINTS_AHEAD: usize = 48;

/// Returns the cost of a cell for a unit that has nowhere to go: it stays, unless it is pushed.
fn at_rest(unit: &Unit, n: NodeId) -> Cost {
    Cost::new(u32::from(n != unit.at))
}

/// Returns a cell next to `at` from which a move leads to `n`.
fn two_moves_away(grid: &Grid, at: NodeId, n: NodeId) -> Option<NodeId> {
    grid.succs(at).map(|edge| edge.to).find(|&between| grid.succs(between).any(|edge| edge.to == n))
}

/// What is known of the cost of a place around a unit.
struct CostRange {
    place: usize,
    least: Cost,
    most: Cost,
    /// Whether the cost is the lower bound. It need not be known for a place without a move, though both bounds may be infinite.
    is_known: bool,
}

/// The costs of all units in one tick.
#[expect(clippy::struct_excessive_bools, reason = "what holds for all units in one tick")]
pub(crate) struct FleetCosts<'a> {
    grid: &'a Grid,
    knowledge: &'a Knowledge,
    units: &'a [Unit],
    details: &'a [UnitDetails],
    rows: Option<&'a DistanceRows>,
    survey: &'a mut Survey,
    routes: &'a Routes,
    crowds: &'a Crowds,
    neighbor_costs: &'a mut [LocalCosts],
    ranked: &'a mut [u32],
    headings: &'a mut [Heading],
    heading_costs: &'a HeadingCosts,
    /// The lines of sight of all teams, if none is in the fog.
    only_sight: Option<&'a SightLines>,
    /// Whether units have eight moves.
    is_eight: bool,
    /// Whether the map has changed since the last tick.
    is_edited: bool,
    /// Whether the tick has a deadline.
    is_timed: bool,
    /// Whether some units are slower than others.
    has_speeds: bool,
    stamp: u64,
    /// The unit that was asked last, and its route costs.
    last: Option<(u32, RouteCosts<'a>)>,
}

impl<'a> FleetCosts<'a> {
    /// Returns the costs of all units in one tick. `survey` is working memory.
    pub(crate) fn new(
        knowledge: &'a Knowledge,
        state: &'a State,
        guide: &'a mut Guide,
        survey: &'a mut Survey,
        is_timed: bool,
    ) -> Self {
        let Guide { neighbor_costs, ranked, headings, heading_costs } = guide;
        Self {
            grid: knowledge.grid(),
            knowledge,
            units: &state.units,
            details: &state.details,
            rows: state.rows.as_ref(),
            survey,
            routes: &state.routes,
            crowds: &state.crowds,
            neighbor_costs,
            ranked,
            headings,
            heading_costs,
            only_sight: knowledge.common_sight(),
            is_eight: knowledge.grid().rules().neighborhood == Neighborhood::Eight,
            is_edited: knowledge.edited == state.tick,
            is_timed,
            has_speeds: state.has_speeds,
            stamp: state.tick + 1,
            last: None,
        }
    }

    #[inline]
    fn route_costs(&mut self, number: u32) -> &RouteCosts<'a> {
        let (grid, units, knowledge) = (self.grid, self.units, self.knowledge);
        if self.last.as_ref().is_some_and(|(last, _)| *last != number) {
            self.last = None;
        }
        let (_, route_costs) = self.last.get_or_insert_with(|| {
            let unit = &units[number as usize];
            let sight = knowledge.sight(unit.team);
            (number, RouteCosts::new(grid, sight, self.rows, self.routes, unit))
        });
        route_costs
    }

    /// Returns the heading of a unit.
    #[inline]
    fn set_heading(&self, number: usize) -> Heading {
        let unit = &self.units[number];
        let is_led = self.crowds.leads(unit);
        if !unit.is_there || !unit.has_destination() {
            return Heading::idle(!is_led || unit.is_settled);
        }
        let grid = self.grid;
        let (at, head) = (cell(grid, unit.at), self.routes.head(unit.route, &unit.head));
        let (to, rest) = head.map_or((unit.goal, Cost::ZERO), |head| (head.cell, head.rest));
        let goal = cell(grid, unit.goal);
        let to = if head.is_none() { goal } else { cell(grid, to) };
        let (dx, dy) = (to.0 - at.0, to.1 - at.1);
        let here = grid.over_open_ground(dx, dy) + rest;
        // This near, the point after it is looked for as well.
        let is_near = dx.abs().max(dy.abs()) <= NEAR;
        let turns = is_near && head.is_some_and(|head| head.after.is_some());
        let is_at_hand = (goal.0 - at.0).abs().max((goal.1 - at.1).abs()) <= 1;
        let goes_by_way = unit.row == NONE && !turns && !is_led;
        let kind = (goes_by_way && !is_at_hand, unit.is_blind());
        let mut heading = Heading::new(at, to, here, self.stamp, kind);
        if unit.is_settled || at == goal && !is_led {
            heading.set_home();
        }
        let is_plain = self.is_eight && goes_by_way && at != goal && (!is_at_hand || goal == to);
        let Some(place) = place((dx.signum(), dy.signum())).filter(|&place| is_plain && place != OWN) else {
            return heading;
        };
        if self.has_speeds && self.details[number].is_resting(self.stamp - 1) {
            return heading;
        }
        let is_known = !self.is_edited && !is_near && !is_at_hand && self.only_sight.is_some();
        let goes_on = is_known && heading.goes_on(&self.headings[number]);
        let may_go = || grid.moves(unit.at) >> place & 1 == 1;
        // A unit that goes on has seen that it can, unless it does not look at the ground.
        if goes_on && (!unit.is_blind() || may_go()) {
            debug_assert!(
                may_go() && self.leads_on(&heading, unit, place).is_some(),
                "the point is visible, as a check would find"
            );
            heading.goes(place, true);
        } else if may_go()
            && let Some(leads_on) = self.leads_on(&heading, unit, place)
        {
            heading.goes(place, leads_on);
        }
        heading
    }

    /// Returns whether the diagonal moves come first from a place next to a unit to the point that it walks to. Returns `None` if that point
    /// is not in sight from there, and must be.
    fn leads_on(&self, heading: &Heading, unit: &Unit, place: usize) -> Option<bool> {
        let (from, to) = ((heading.at.0 + AROUND[place].0, heading.at.1 + AROUND[place].1), heading.to);
        if unit.is_blind() {
            return Some(true);
        }
        let turn = self.sight_of(unit).turn(from, to)?;
        let (dx, dy) = (turn.0 - from.0, turn.1 - from.1);
        Some(from.0 == to.0 || from.1 == to.1 || dx.abs() == dy.abs())
    }

    #[inline]
    fn sight_of(&self, unit: &Unit) -> &'a SightLines {
        self.only_sight.unwrap_or_else(|| self.knowledge.sight(unit.team))
    }

    /// Returns what is known of the cost of a unit's own cell or one around it; `None` if it lies farther away.
    fn range(&mut self, unit: u32, n: NodeId) -> Option<CostRange> {
        let at = cell(self.grid, n);
        let heading = &self.headings[unit as usize];
        let place = place((at.0 - heading.at.0, at.1 - heading.at.1))?;
        let (least, most, is_known) = if heading.is_plain() {
            let (least, most) = self.heading_costs.range(heading, place);
            (least, most, least == most)
        } else {
            let neighbor_costs = self.neighbor_costs_of(unit);
            (
                neighbor_costs.costs.lower[place],
                neighbor_costs.at_most(place),
                neighbor_costs.costs.is_exact(place),
            )
        };
        Some(CostRange { place, least, most, is_known })
    }

    /// Returns the costs of the cells around a unit whose heading does not say them.
    fn neighbor_costs_of(&mut self, unit: u32) -> &mut LocalCosts {
        if core::mem::replace(&mut self.ranked[unit as usize], self.stamp as u32) != self.stamp as u32 {
            let known = &self.units[unit as usize];
            let led = if known.crowd == NONE { None } else { self.crowds.neighbor_costs(self.grid, known) };
            self.neighbor_costs[unit as usize] =
                led.unwrap_or_else(|| self.route_costs(unit).neighbor_costs());
        }
        &mut self.neighbor_costs[unit as usize]
    }

    /// Finds out the cost of a cell next to a unit.
    fn find_out(&mut self, unit: u32, n: NodeId, place: usize) -> Cost {
        let heading = &self.headings[unit as usize];
        if heading.is_plain() {
            let (from, to) = ((heading.at.0 + AROUND[place].0, heading.at.1 + AROUND[place].1), heading.to);
            let over = self.heading_costs.over(heading, place);
            let sees = self.sight_of(&self.units[unit as usize]).is_open(from, to);
            self.headings[unit as usize].look(place, sees);
            return if sees { over } else { over + self.heading_costs.unseen };
        }
        let value = self.route_costs(unit).value(n);
        let neighbor_costs = &mut self.neighbor_costs[unit as usize];
        neighbor_costs.costs.set(place, value);
        value
    }
}

impl FleetCosts<'_> {
    /// Returns the cost of a cell that is not next to a unit, which joint searches ask for: by the farthest point of the route in sight from
    /// there, or over the unit's own cell.
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
            return moves.map_or(Cost::INF, |moves| self.route_costs(unit).by_row(n, moves));
        }
        let (grid, sight) = (self.grid, self.knowledge.sight(known.team));
        let (from, at) = (cell(grid, n), cell(grid, known.at));
        let over = |to: (i32, i32)| grid.over_open_ground(to.0 - from.0, to.1 - from.1);
        let points = self
            .routes
            .walk(known.route())
            .take(POINTS_AHEAD)
            .map(|point| (cell(grid, point.cell), point.rest));
        let in_sight = points.filter(|&(to, _)| sight.is_open(from, to)).last();
        let goal =
            Some(cell(grid, known.goal)).filter(|&goal| known.route() == NONE && sight.is_open(from, goal));
        match in_sight.or(goal.map(|goal| (goal, Cost::ZERO))) {
            Some((to, rest)) => over(to) + rest,
            None => self.route_costs(unit).here() + over(at),
        }
    }
}

impl UnitCosts for FleetCosts<'_> {
    fn cost(&mut self, unit: u32, n: NodeId) -> Cost {
        let known = &self.units[unit as usize];
        if self.headings[unit as usize].is_idle() {
            return at_rest(known, n);
        }
        match self.range(unit, n) {
            None => self.value_afar(unit, n),
            Some(worth) if worth.is_known => worth.least,
            // A row says all that it can of the cells around.
            Some(_) if known.row != NONE => self.value_afar(unit, n),
            Some(worth) => self.find_out(unit, n, worth.place),
        }
    }

    fn is_free_of_cost(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.row != NONE && known.has_destination() && !self.crowds.leads(known) {
            return n == known.goal;
        }
        self.cost(unit, n) == Cost::ZERO
    }

    #[inline]
    fn cost_near(&mut self, unit: u32, cells: &[NodeId; 9], place: usize) -> Cost {
        let heading = &self.headings[unit as usize];
        if heading.is_idle() {
            return at_rest(&self.units[unit as usize], cells[place]);
        }
        let known = if heading.is_plain() {
            let (least, most) = self.heading_costs.range(heading, place);
            (least == most).then_some(least)
        } else {
            let costs = &self.neighbor_costs_of(unit).costs;
            costs.is_exact(place).then(|| costs.lower[place])
        };
        known.unwrap_or_else(|| self.find_out(unit, cells[place], place))
    }

    fn prepare(&mut self) {
        for unit in 0..self.units.len() {
            self.headings[unit] = self.set_heading(unit);
        }
    }

    #[inline]
    fn best(&mut self, unit: u32, which: u32) -> Option<(usize, Cost)> {
        let heading = &mut self.headings[unit as usize];
        let place = heading.ask(which)?;
        Some((place, self.heading_costs.over(heading, place)))
    }

    #[inline]
    fn neighbor_costs(&mut self, unit: u32, _: &[NodeId; 9], _: u32, out: &mut NeighborCosts) {
        let heading = &self.headings[unit as usize];
        if heading.is_plain() {
            self.heading_costs.bounds(heading, out);
        } else if heading.is_idle() {
            (out.lower, out.exact) = ([Cost::new(1); 9], u32::MAX);
            out.lower[OWN] = Cost::ZERO;
        } else {
            *out = self.neighbor_costs_of(unit).costs;
        }
    }

    fn is_nearer(&mut self, unit: u32, n: NodeId, than: NodeId) -> bool {
        if !self.headings[unit as usize].is_idle()
            && let (Some(one), Some(other)) = (self.range(unit, n), self.range(unit, than))
        {
            if one.most < other.least {
                return true;
            }
            if one.least >= other.most {
                return false;
            }
        }
        self.cost(unit, n) < self.cost(unit, than)
    }

    #[inline]
    fn share_crowd(&mut self, unit: u32, other: u32) -> bool {
        // Where there are no crowds, units need not be fetched for this.
        !self.crowds.all.is_empty()
            && self.crowds.share_crowd(&self.units[unit as usize], &self.units[other as usize])
    }

    fn waits_in_crowd(&mut self, unit: u32) -> bool {
        if self.crowds.all.is_empty() {
            return false;
        }
        let known = &self.units[unit as usize];
        let waits_for_mate = known.blocked_by != NONE && self.share_crowd(unit, known.blocked_by);
        waits_for_mate && self.crowds.leads(known)
    }

    fn is_other_goal(&mut self, unit: u32, n: NodeId) -> bool {
        // Where there are no crowds, units need not be fetched for this.
        let known = &self.units[unit as usize];
        !self.crowds.all.is_empty() && known.is_settled && self.crowds.is_slot(known, n)
    }

    fn knows_the_ground(&mut self, unit: u32) -> bool {
        // By the clock, to wander about without a way takes time that searches would have.
        if self.is_timed && self.headings[unit as usize].is_blind() {
            return false;
        }
        self.only_sight.is_some() || self.knowledge.knows_all(self.units[unit as usize].team)
    }

    #[inline]
    fn is_at_goal(&mut self, unit: u32, _: NodeId) -> bool {
        self.headings[unit as usize].is_home()
    }

    fn is_goal(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.is_settled {
            return n == known.at;
        }
        n == if known.has_destination() { known.goal } else { known.at } && !self.crowds.leads(known)
    }
}
