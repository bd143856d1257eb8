//! `fleetfoot world doors`, `bridges`, `terrain` and `shortcuts`.

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::script::{Script, write_script_noted};
use fleetfoot_sim::generate::scripts::bridges::{BridgeScript, Bridges};
use fleetfoot_sim::generate::scripts::doors::{Doors, find_doors};
use fleetfoot_sim::generate::scripts::shortcuts::{ShortcutScript, Shortcuts};
use fleetfoot_sim::generate::scripts::terrain::Patches;

use crate::args::{BridgesArgs, DoorsArgs, MadeArgs, ShortcutsArgs, TerrainArgs};
use crate::failure::{Failure, warn};
use crate::output::columns::{plural, whole};
use crate::output::{check_file, refuse_overwriting_inputs};
use crate::source::Source;

/// Maximum number of bridges that are listed.
const MOST_TOLD: usize = 20;

pub(super) fn doors(args: &DoorsArgs) -> Result<(), Failure> {
    let source = open(&args.made)?;
    let doors = if args.doors.is_empty() { find_doors(source.map()) } else { args.doors.clone() };
    let world =
        Doors { ticks: args.ticks, open: args.open_chance, close: args.close_chance, goal: args.goal };
    let script = world.script(source.map(), &doors, args.made.seed).map_err(place(&source))?;
    let about = format!(
        "{}, open chance {}, close chance {}, {} ticks",
        plural(doors.len() as u64, "door"),
        args.open_chance,
        args.close_chance,
        whole(args.ticks)
    );
    write(&args.made, &source, &script, &about)
}

pub(super) fn bridges(args: &BridgesArgs) -> Result<(), Failure> {
    let source = open(&args.made)?;
    let world = Bridges {
        ticks: args.ticks,
        count: args.bridges,
        longest: args.longest,
        saves: args.saves,
        fall: args.fall_chance,
        ruin: args.ruin,
        over: args.over.bytes().collect(),
    };
    let BridgeScript { bridges, script } =
        world.script(source.map(), args.made.seed).map_err(place(&source))?;
    let mut about = vec![format!(
        "{} (at most {} asked for), fall chance {}, {} ticks in ruins, {} ticks",
        plural(bridges.len() as u64, "bridge"),
        args.bridges,
        args.fall_chance,
        args.ruin,
        whole(args.ticks)
    )];
    about.extend(bridges.iter().take(MOST_TOLD).map(|bridge| {
        let ((x, y), (to_x, to_y)) = (bridge.from, bridge.to);
        let cells = plural(u64::from(bridge.moves() - 1), "cell");
        format!("a bridge of {cells} from {x},{y} to {to_x},{to_y}")
    }));
    let untold = bridges.len().saturating_sub(MOST_TOLD);
    about.extend((untold > 0).then(|| format!("and {untold} more")));
    write(&args.made, &source, &script, &about.join("\n"))
}

pub(super) fn terrain(args: &TerrainArgs) -> Result<(), Failure> {
    let source = open(&args.made)?;
    let world = Patches {
        ticks: args.ticks,
        begin: args.chance,
        radius: args.radius,
        heavier: args.heavier,
        lasts: args.lasts,
    };
    let script = world.script(source.map(), &args.terrain, args.made.seed).map_err(place(&source))?;
    let about = format!(
        "patches with chance {}, radius up to {}, up to {} heavier, up to {} ticks long, {} ticks",
        args.chance,
        args.radius,
        args.heavier,
        whole(u64::from(args.lasts)),
        whole(args.ticks)
    );
    write(&args.made, &source, &script, &about)
}

pub(super) fn shortcuts(args: &ShortcutsArgs) -> Result<(), Failure> {
    let source = open(&args.made)?;
    let Some((from, to)) = args.from.zip(args.to).or(source.pair()) else {
        let what = "shortcuts need to know whose way they are to shorten";
        return Err(InputError::new(what, "add --from X,Y --to X,Y").into());
    };
    let world = Shortcuts {
        from,
        to,
        at: args.at,
        count: args.shortcuts,
        longest: args.longest,
        far: args.far,
        share: args.max_ratio,
    };
    let ShortcutScript { shortcuts, script } =
        world.script(source.map(), args.made.seed).map_err(place(&source))?;
    let count = plural(shortcuts.len() as u64, "shortcut");
    let ways = format!("on the way from {},{} to {},{}", from.0, from.1, to.0, to.1);
    let mut about = vec![format!("{count} (at most {} asked for) {ways}", args.shortcuts)];
    about.extend(shortcuts.iter().map(|shortcut| {
        let ((x, y), (to_x, to_y)) = (shortcut.span.from, shortcut.span.to);
        let (least, most) = shortcut.share;
        let cells = plural(u64::from(shortcut.span.moves() - 1), "cell");
        let gain = format!("the way becomes {least} to {most} % as long");
        format!("tick {}: {cells} from {x},{y} to {to_x},{to_y}; {gain}", shortcut.tick)
    }));
    write(&args.made, &source, &script, &about.join("\n"))
}

/// Opens the map, after checking that the script can be written.
fn open(made: &MadeArgs) -> Result<Source, InputError> {
    check_file(&made.output)?;
    let source = Source::open(&made.map)?;
    refuse_overwriting_inputs([&made.output], [&source.name])?;
    Ok(source)
}

fn place(source: &Source) -> impl Fn(InputError) -> InputError {
    |error| error.with_file(&source.name)
}

/// Writes the script with a note on its origin, and describes it.
fn write(made: &MadeArgs, source: &Source, script: &Script, about: &str) -> Result<(), Failure> {
    let note = format!("{}, seed {}: {about}", source.name, made.seed);
    write_script_noted(&made.output, script, &note)?;
    let changes = plural(script.changes.len() as u64, "change");
    warn("note", format!("{about}\nwrote {changes} to {}", made.output.display()));
    Ok(())
}
