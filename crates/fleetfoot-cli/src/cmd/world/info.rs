//! `fleetfoot world info`.

use fleetfoot_sim::formats::script::{Summary, Trend, read_script};

use crate::args::InfoArgs;
use crate::failure::Failure;
use crate::output::columns::{plural, whole};
use crate::output::print;
use crate::source::Source;

pub(super) fn run(args: &InfoArgs) -> Result<(), Failure> {
    let script = read_script(&args.script)?;
    let summary = match &args.map {
        None => script.summary_without_map(),
        Some(map) => {
            let source = Source::open(map)?;
            let map = source.map();
            script.check(map).map_err(|error| error.with_file(&args.script))?;
            script.summary(|x, y| args.terrain.weight(map.letter(x, y)))
        }
    };
    let Summary { openings, closings, weights, cells, rises, falls, .. } = summary;
    let changes = openings + closings + weights;
    print(|out| {
        writeln!(out, "script      {}", args.script.display())?;
        writeln!(out, "size        {}x{}", script.width, script.height)?;
        match summary.ticks {
            None => writeln!(out, "ticks       none")?,
            Some((first, last)) => writeln!(out, "ticks       {} to {}", whole(first), whole(last))?,
        }
        let kinds = [(openings, "opening"), (closings, "closing"), (weights, "weight")];
        let kinds: Vec<_> = kinds.map(|(n, name)| plural(n, name)).into();
        writeln!(out, "changes     {}: {}; {}", whole(changes), kinds.join(", "), plural(cells, "cell"))?;
        if let Some((tick, count)) = summary.busiest {
            writeln!(out, "busiest     tick {} with {}", whole(tick), plural(count, "change"))?;
        }
        writeln!(out, "rules       {}", whole(summary.rules))?;
        let line = |does: bool, n: u64| match (does, n, summary.rules) {
            (false, ..) => "no".into(),
            (true, 0, _) => "yes, by rules".into(),
            (true, n, 0) => format!("yes, by {}", plural(n, "change")),
            (true, n, _) => format!("yes, by {} and by rules", plural(n, "change")),
        };
        let Trend { rise, fall } = summary.trend();
        writeln!(out, "costs rise  {}", line(rise, rises))?;
        writeln!(out, "costs fall  {}", line(fall, falls))
    })
}
