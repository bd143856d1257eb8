//! `fleetfoot database merge`.

use std::fs;

use fleetfoot::Graph;
use fleetfoot::database::detect_kind;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;

use super::journal::{self, BuildPlan, Contents};
use super::product::Product;
use crate::args::MergeArgs;
use crate::failure::{Failure, warn};
use crate::output::columns::{plural, whole};
use crate::output::{check_file, refuse_overwriting_inputs};
use crate::source::Source;

pub(super) fn run(args: &MergeArgs) -> Result<(), Failure> {
    check_file(&args.output)?;
    refuse_overwriting_inputs([&args.output], args.shards.iter().chain([&args.map]))?;
    let source = Source::open(&args.map)?;
    let rules = &args.rules;
    let grid =
        rules.terrain.grid(source.map(), rules.rules()).map_err(|error| error.with_file(&source.name))?;
    let mut shards: Vec<(usize, Contents)> = Vec::new();
    for (k, path) in args.shards.iter().enumerate() {
        let refuse = |what: &str, remedy: &str| Failure::from(InputError::new(what, remedy).with_file(path));
        let bytes = fs::read(path).map_err(|cause| InputError::io(path, "read", &cause))?;
        if detect_kind(&bytes).is_ok() {
            return Err(refuse("it is a whole database, not a part of one", "name shards"));
        }
        let contents = journal::read(&bytes).map_err(|what| refuse(what, "build this shard again"))?;
        let plan = contents.plan;
        if plan.fingerprint != grid.fingerprint() {
            let what = "it was made for another map, or for this one with other rules of movement";
            return Err(refuse(what, "name the map and the rules that it was made for"));
        }
        if contents.items.len() as u64 > plan.items() {
            return Err(refuse("it has more items than it should", "build this shard again"));
        }
        if (contents.items.len() as u64) < plan.items() {
            let (has, all) = (whole(contents.items.len() as u64), whole(plan.items()));
            return Err(refuse(&format!("it has {has} of {all} items"), "finish its build first"));
        }
        if let Some((first, other)) = shards.first()
            && (BuildPlan { shard: plan.shard, ..other.plan } != plan || other.plan.shard.1 != plan.shard.1)
        {
            let what = format!("it belongs to a different build than {}", args.shards[*first].display());
            return Err(refuse(&what, "build all shards with the same options"));
        }
        if let Some((twin, _)) = shards.iter().find(|(_, other)| other.plan.shard == plan.shard) {
            let what = format!("it is the same shard as {}", args.shards[*twin].display());
            return Err(refuse(&what, "name each shard once"));
        }
        shards.push((k, contents));
    }
    let plan = shards[0].1.plan;
    let parts = plan.shard.1;
    let missing: Vec<String> = (1..=parts)
        .filter(|part| shards.iter().all(|(_, shard)| shard.plan.shard.0 != *part))
        .map(|part| format!("{part}/{parts}"))
        .collect();
    if let [first, rest @ ..] = &missing[..] {
        let more =
            if rest.is_empty() { String::new() } else { format!(", and {} more", whole(rest.len() as u64)) };
        let what = format!("shard {first}{more}: missing");
        return Err(InputError::new(what, "name all shards of the build").into());
    }
    let mut items: Vec<Vec<u8>> = vec![Vec::new(); plan.total as usize];
    for (_, Contents { plan, items: some, .. }) in shards {
        some.into_iter().enumerate().for_each(|(k, item)| items[plan.number(k as u64) as usize] = item);
    }
    let product = Product::of_plan(&grid, plan);
    let file = product
        .assemble(&grid, &items)
        .ok_or_else(|| InputError::new("the shards are damaged", "build them again"))?;
    write_atomically(&args.output, |out| out.write_all(&file))?;
    let of = plural(u64::from(parts), "shard");
    warn(
        "note",
        format!("wrote {} {} of {of} to {}", whole(plan.total), product.noun(), args.output.display()),
    );
    Ok(())
}
