//! `fleetfoot map render`.

use fleetfoot::{Meter, Rules, Scratch, shortest_path};
use fleetfoot_sim::episode::Task;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::scen::read_scen;
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_sim::generate::problems::Pair;
use fleetfoot_sim::world::{Terrain, World};
use fleetfoot_view::picture;

use crate::args::RenderArgs;
use crate::failure::Failure;
use crate::output::check_file;
use crate::problems::beside;
use crate::source::Source;

pub(super) fn run(args: &RenderArgs) -> Result<(), Failure> {
    check_file(&args.output)?;
    picture::check_name(&args.output)?;
    let source = Source::open(&args.map)?;
    let pair = problem(args, &source)?;
    if args.path && pair.is_none() {
        let remedy = "add --from X,Y --to X,Y or --line N";
        return Err(InputError::new("a path needs a problem", remedy).into());
    }
    let path = match pair {
        Some(pair) if args.path => path(&source, pair)?,
        _ => Vec::new(),
    };
    let canvas = picture::map::draw(source.map(), args.scale, pair, &path)
        .map_err(|error| error.with_file(&source.name))?;
    Ok(write_atomically(&args.output, |out| canvas.write(out))?)
}

/// Returns the problem to draw, after checking it.
fn problem(args: &RenderArgs, source: &Source) -> Result<Option<Pair>, InputError> {
    let Some(index) = args.line else {
        let pair = args.from.zip(args.to).or(source.pair());
        if let Some((start, goal)) = pair {
            world(source)
                .and_then(|world| Task::new(&world, start, goal).map(drop))
                .map_err(|error| error.with_file(&source.name))?;
        }
        return Ok(pair);
    };
    let file = match (&args.scen, source.file()) {
        (Some(file), _) => file.clone(),
        (None, Some(map)) => beside(map)?,
        (None, None) => return Err(InputError::new("a built-in map has no scenario", "add --scen FILE")),
    };
    let problems = read_scen(&file)?;
    let Some(problem) = problems.get(index) else {
        let what = format!("there is no problem {index} among {}", problems.len());
        return Err(InputError::new(what, "problems count from 0; choose a smaller --line").with_file(&file));
    };
    problem.check(source.map(), &source.file_name(), false).map_err(|error| error.with_file(&file))?;
    Ok(Some((problem.start, problem.goal)))
}

fn world(source: &Source) -> Result<World, InputError> {
    Ok(World::known(&Terrain::default().grid(source.map(), Rules::default())?.into()))
}

/// Returns the cells of a shortest path.
fn path(source: &Source, (start, goal): Pair) -> Result<Vec<(u32, u32)>, InputError> {
    let world = world(source)?;
    let (grid, trip) = (world.truth(), Task::new(&world, start, goal)?);
    let (meter, scratch) = (&mut Meter::unlimited(), &mut Scratch::new());
    let Some((path, _)) = shortest_path(grid, trip.start(), trip.goal(), meter, scratch).path() else {
        let ((sx, sy), (gx, gy)) = (start, goal);
        let what = format!("no path leads from {sx},{sy} to {gx},{gy}");
        return Err(InputError::new(what, "leave out --path, or choose other cells").with_file(&source.name));
    };
    Ok(path.into_iter().map(|node| grid.xy(node)).collect())
}
