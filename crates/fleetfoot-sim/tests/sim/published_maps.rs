//! Reads all published maps and scenarios and compares them with their index. They are not part of the project: set
//! `FLEETFOOT_MAPS` to their folder, which contains `INDEX.tsv`; otherwise nothing is tested.

use std::fs;
use std::path::Path;

use fleetfoot_sim::formats::map::{parse_map, read_map, write_map_to};
use fleetfoot_sim::formats::scen::{parse_scen, read_scen, write_scen_to};
use fleetfoot_sim::map::GridMap;

#[test]
fn all_maps_are_as_the_index_says() {
    let Some(folder) = std::env::var_os("FLEETFOOT_MAPS") else { return };
    let folder = Path::new(&folder);
    let index =
        fs::read_to_string(folder.join("INDEX.tsv")).expect("FLEETFOOT_MAPS should have an INDEX.tsv");
    let (mut maps, mut problems) = (0, 0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |column: usize| fields[column].parse::<u32>().unwrap_or(0);
        let path = folder.join(fields[0]).join(fields[1]);
        let map = read_map(&path).unwrap();
        let parts = map.components();
        let largest = parts.largest().map_or(0, |(_, size)| size);
        let found = [map.width(), map.height(), map.passable_count(), largest, parts.sizes.len() as u32];
        assert_eq!(found, [2, 3, 4, 5, 6].map(number), "{}", path.display());
        let mut written = Vec::new();
        write_map_to(&mut written, &map).unwrap();
        assert_eq!(parse_map(&written).unwrap(), map);
        maps += 1;
        problems += check_scenario(&path, fields[1], &map, number(7), fields[8]);
    }
    println!("{maps} maps, {problems} problems");
    assert!(maps > 0);
}

fn check_scenario(map_path: &Path, name: &str, map: &GridMap, lines: u32, longest: &str) -> usize {
    let path = map_path.with_file_name(format!("{name}.scen"));
    if !path.exists() {
        assert_eq!(lines, 0, "{} is missing", path.display());
        return 0;
    }
    let problems = read_scen(&path).unwrap();
    assert_eq!(problems.len() as u32, lines, "{}", path.display());
    for problem in &problems {
        problem.check(map, name, false).map_err(|error| error.with_file(&path)).unwrap();
    }
    let found = problems.iter().map(|problem| problem.optimal).fold(0.0, f64::max);
    assert!((found - longest.parse::<f64>().unwrap()).abs() < 1e-3, "{}: {found} {longest}", path.display());
    let mut written = Vec::new();
    write_scen_to(&mut written, &problems).unwrap();
    let again = parse_scen(&written).unwrap();
    assert!(again.iter().zip(&problems).all(|(a, b)| (a.start, a.goal) == (b.start, b.goal)));
    problems.len()
}
