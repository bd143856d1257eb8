//! `fleetfoot map info`.

use std::path::Path;

use fleetfoot_sim::map::LETTERS;

use crate::failure::Failure;
use crate::output::columns::whole;
use crate::output::print;
use crate::source::Source;

pub(super) fn run(map: &Path) -> Result<(), Failure> {
    let source = Source::open(map)?;
    let (name, map) = (&source.name, source.map());
    let cells = map.cells().len() as u64;
    let free = u64::from(map.passable_count());
    let parts = map.components();
    let mut counts = [0; 256];
    for &letter in map.cells() {
        counts[letter as usize] += 1;
    }
    let largest = parts.largest().map_or(0, |(_, size)| u64::from(size));
    let share = |n: u64, of: u64| format!("{} ({:.1} %)", whole(n), 100.0 * n as f64 / of.max(1) as f64);
    print(|out| {
        writeln!(out, "map         {name}")?;
        writeln!(out, "size        {}x{}, {} cells", map.width(), map.height(), whole(cells))?;
        writeln!(out, "passable    {}", share(free, cells))?;
        writeln!(out, "components  {}", whole(parts.sizes.len() as u64))?;
        writeln!(out, "largest     {}", share(largest, free))?;
        let mut label = "letters";
        for &letter in LETTERS {
            let count = counts[letter as usize];
            if count > 0 {
                writeln!(
                    out,
                    "{label:<10}  {} {:<10} {}",
                    letter as char,
                    meaning(letter),
                    share(count, cells)
                )?;
                label = "";
            }
        }
        Ok(())
    })
}

fn meaning(letter: u8) -> &'static str {
    match letter {
        b'.' => "ground",
        b'G' => "grass",
        b'S' => "swamp",
        b'@' => "wall",
        b'O' => "outside",
        b'T' => "trees",
        _ => "water",
    }
}
