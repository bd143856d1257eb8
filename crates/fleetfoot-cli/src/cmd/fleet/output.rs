//! The output of a fleet's run: a table for readers, an object for programs, a row per tick.

use std::io::{self, Write};

use fleetfoot_sim::budget::{Budget, PriceList, describe};
use fleetfoot_sim::fleet::{Measures, STUCK, TickRow};
use serde_json::{Value, json};

use crate::args::{FleetArgs, MovesArg};
use crate::output::columns::{Columns, bytes, micros, whole};
use crate::output::terminal_width;
use crate::source::Source;

/// A run and its results.
pub(super) struct Report<'a> {
    pub(super) args: &'a FleetArgs,
    pub(super) source: &'a Source,
    pub(super) measures: &'a Measures,
    pub(super) budget: Budget,
}

impl Report<'_> {
    /// Writes one JSON object.
    pub(super) fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let m = self.measures;
        let micros = |nanos: u64| nanos as f64 / 1000.0;
        let budget = match self.budget {
            Budget::Expansions(work) => json!(work),
            other => json!(other.to_string()),
        };
        let object: Value = json!({
            "agents": m.agents,
            "ticks": m.ticks,
            "finished": m.finished,
            "finished_by_quarter": m.finished_by_quarter,
            "arrived": m.arrived,
            "unreachable": m.unreachable,
            "stuck": m.stuck,
            "conflicts": m.conflicts.total(),
            "first_move_p50": m.first_move.p50,
            "first_move_p99": m.first_move.p99,
            "first_move_max": m.first_move.max,
            "work_max": m.work_max,
            "budget": budget,
            "prices": PriceList::AllWork.name(),
            "plan_us_p50": micros(m.plan_ns.p50),
            "plan_us_p99": micros(m.plan_ns.p99),
            "plan_us_max": micros(m.plan_ns.max),
            "ratio": m.ratio,
            "waits": m.waits,
            "left_out": m.left_out,
            "memory_bytes": m.unit_bytes + m.shared_bytes,
        });
        writeln!(out, "{object}")
    }

    /// Writes a heading and a line per measure.
    pub(super) fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.heading())?;
        let mut columns = Columns::new(&["measure", "value", "meaning"], 3);
        for (name, value, meaning) in self.lines() {
            columns.push(vec![name.into(), value, meaning]);
        }
        columns.write_folded(out, terminal_width().unwrap_or(usize::MAX))?;
        if cfg!(debug_assertions) {
            writeln!(out, "\nThis is a debug build: build with --release for true times.")?;
        }
        if matches!(self.budget, Budget::Interval { .. }) {
            writeln!(out, "\nA budget of time gives other walks on other machines.")?;
        }
        Ok(())
    }

    fn heading(&self) -> String {
        let (args, map) = (self.args, self.source.map());
        let free = whole(u64::from(map.passable_count()));
        let size = format!("{}x{}", map.width(), map.height());
        let moves = if matches!(args.moves, MovesArg::Four) { 4 } else { 8 };
        let mut terms = vec![format!("{} units", whole(self.measures.agents as u64)), args.errand()];
        terms.push(format!("{moves} moves"));
        terms.push(format!("world {}", args.world));
        terms.push(format!("budget {}", describe(&[&self.budget.to_string()], &[PriceList::AllWork])));
        if args.no_share {
            terms.push("nothing shared".into());
        }
        if args.no_collisions {
            terms.push("collisions off".into());
        }
        format!("{}: {size}, {free} free cells\n{}", self.source.name, terms.join(", "))
    }

    fn lines(&self) -> Vec<(&'static str, String, String)> {
        let m = self.measures;
        let count = |n: usize| whole(n as u64);
        let quarters = m.finished_by_quarter.map(whole).join(" / ");
        let first = [m.first_move.p50, m.first_move.p99, m.first_move.max].map(whole).join(" / ");
        let times =
            [m.plan_ns.p50, m.plan_ns.p99, m.plan_ns.max].map(|nanos| micros(nanos as f64)).join(" / ");
        let each = bytes(m.unit_bytes as f64 / m.agents.max(1) as f64);
        let ratio = m.ratio.map_or("-".into(), |ratio| format!("{ratio:.4}"));
        vec![
            ("ticks", whole(m.ticks), String::new()),
            (
                "arrived",
                format!("{} of {}", count(m.arrived), count(m.agents)),
                "are at their goals at the end".into(),
            ),
            ("unreachable", count(m.unreachable), "their goals are unreachable".into()),
            ("stuck", count(m.stuck), format!("made no progress for {STUCK} ticks or more")),
            ("finished", whole(m.finished), format!("tasks; by quarter of the ticks {quarters}")),
            ("conflicts", whole(m.conflicts.total()), "counted every tick by the referee".into()),
            ("first move", first, "tick of it: half of the units, 99 %, the last".into()),
            ("ratio", ratio, "ticks until arrival / moves of a shortest path".into()),
            ("waits", whole(m.waits), "times that a unit waited and was not at its goal".into()),
            (
                "left out",
                whole(m.left_out),
                "times that a unit waited since there was no time to plan for it".into(),
            ),
            ("frame (µs)", times, "processor time per tick: half of the ticks, 99 %, the longest".into()),
            ("work", whole(m.work_max), format!("most in a tick; the budget is {}", self.budget)),
            (
                "memory",
                bytes((m.unit_bytes + m.shared_bytes) as f64),
                format!("{each} for each unit, the rest is shared"),
            ),
        ]
    }
}

/// Writes a row per tick.
pub(super) fn csv(rows: &[TickRow], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "tick,moved,waiting,seeking,arrived,finished,conflicts,work,plan_us,left_out")?;
    for row in rows {
        let TickRow { tick, moved, waiting, left_out, seeking, arrived, finished, conflicts, work, plan_ns } =
            row;
        let micros = *plan_ns as f64 / 1000.0;
        write!(out, "{tick},{moved},{waiting},{seeking},{arrived},{finished},{conflicts},")?;
        writeln!(out, "{work},{micros},{left_out}")?;
    }
    Ok(())
}
