//! Instances: from benchmark files, and generated.

use std::fmt::Write as _;
use std::path::Path;

use fleetfoot::{Diagonal, Graph, Grid, Neighborhood, NodeId, Rules};

use crate::{Rng, worlds};

/// Units with starts and goals.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The map.
    pub grid: Grid,
    /// For each unit.
    pub starts: Vec<NodeId>,
    /// For each unit.
    pub goals: Vec<NodeId>,
}

/// Units that perform one task after another.
#[derive(Clone, Debug)]
pub struct Lifelong {
    /// The map.
    pub grid: Grid,
    /// For each unit.
    pub starts: Vec<NodeId>,
    /// Unit i of n performs tasks i, i + n, i + 2n, …, repeatedly.
    pub tasks: Vec<NodeId>,
}

/// Returns rules with four moves, or with eight at costs of 2 and 3.
pub fn rules(neighborhood: Neighborhood) -> Rules {
    Rules { neighborhood, cut_corners: false, diagonal: Diagonal::D15 }
}

/// Returns a grid from lines of text: `.`, `E`, `S` and `G` are free.
pub fn grid_of(lines: &[&str], neighborhood: Neighborhood) -> Grid {
    let width = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    let free = |x: u32, y: u32| {
        let letter = lines[y as usize].as_bytes().get(x as usize);
        u8::from(letter.is_some_and(|letter| b".ESG".contains(letter)))
    };
    Grid::new(width as u32, lines.len() as u32, rules(neighborhood), free).expect("a valid grid")
}

/// Reads a map file.
pub fn read_map(path: &Path, neighborhood: Neighborhood) -> Result<Grid, String> {
    let text = read(path)?;
    let lines: Vec<&str> = text.lines().skip_while(|line| *line != "map").skip(1).collect();
    if lines.is_empty() {
        return Err(format!("{} holds no map", path.display()));
    }
    Ok(grid_of(&lines, neighborhood))
}

/// Reads cells numbered row by row, after their count.
pub fn read_cells(path: &Path, grid: &Grid) -> Result<Vec<NodeId>, String> {
    let text = read(path)?;
    let numbers = text.split_whitespace().skip(1).map(|word| word.parse::<u32>().map_err(|e| e.to_string()));
    numbers
        .map(|number| {
            let number = number?;
            grid.node(number % grid.width(), number / grid.width())
                .ok_or_else(|| format!("{} names cell {number}, which is not on the map", path.display()))
        })
        .collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

impl Lifelong {
    /// Reads an instance from the folder.
    pub fn read(
        folder: &Path,
        (map, agents, tasks): (&str, &str, &str),
        neighborhood: Neighborhood,
    ) -> Result<Self, String> {
        let grid = read_map(&folder.join(format!("maps/{map}.map")), neighborhood)?;
        let starts = read_cells(&folder.join(format!("lifelong/{agents}.agents")), &grid)?;
        let tasks = read_cells(&folder.join(format!("lifelong/{tasks}.tasks")), &grid)?;
        Ok(Self { grid, starts, tasks })
    }

    /// Creates random starts, and random tasks for some thousands of steps, all in the largest component of the
    /// map.
    pub fn random(grid: Grid, units: usize, tasks: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let free = joined(&grid);
        let starts = some(&mut rng, &free, units);
        let tasks = (0..tasks).map(|_| rng.pick(&free)).collect();
        Self { grid, starts, tasks }
    }
}

impl Instance {
    /// Creates random starts and goals in the largest component of the map.
    pub fn random(grid: Grid, units: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let free = joined(&grid);
        let (starts, goals) = (some(&mut rng, &free, units), some(&mut rng, &free, units));
        Self { grid, starts, goals }
    }

    /// Creates two rooms joined by a passage, with units in each that head for the other.
    pub fn streams(units: usize, width: usize, length: usize, neighborhood: Neighborhood) -> Self {
        let side = 2 * units.isqrt() + 3;
        let first = (side - width) / 2;
        let lines = picture(
            side,
            |x, y| x < side || x >= side + length || (first..first + width).contains(&y),
            2 * side + length,
        );
        let grid = grid_of(&lines.iter().map(String::as_str).collect::<Vec<_>>(), neighborhood);
        let room = |left: usize| -> Vec<NodeId> {
            let cells = (left..left + side).flat_map(|x| (0..side).map(move |y| (x, y)));
            cells.map(|(x, y)| grid.node(x as u32, y as u32).expect("in the room")).collect()
        };
        let mut rng = Rng::new(1);
        let (west, east) = (room(0), room(side + length));
        let mut starts = some(&mut rng, &west, units);
        starts.extend(some(&mut rng, &east, units));
        let mut goals = some(&mut rng, &east, units);
        goals.extend(some(&mut rng, &west, units));
        Self { grid, starts, goals }
    }

    /// Creates units on both sides of an open field that change sides.
    pub fn field(units: usize, neighborhood: Neighborhood) -> Self {
        let height = units.isqrt() * 2;
        let columns = units.div_ceil(height);
        let width = height + 2 * columns;
        let lines = picture(height, |_, _| true, width);
        let grid = grid_of(&lines.iter().map(String::as_str).collect::<Vec<_>>(), neighborhood);
        let cell = |k: usize, right: bool| {
            let (x, y) = (k / height, k % height);
            grid.node(if right { width - 1 - x } else { x } as u32, y as u32).expect("on the field")
        };
        let side = |right: bool| (0..units).map(move |k| (k, right));
        let starts = side(false).chain(side(true)).map(|(k, right)| cell(k, right)).collect();
        let goals = side(true).chain(side(false)).map(|(k, right)| cell(k, right)).collect();
        Self { grid, starts, goals }
    }

    /// Creates four arms of this width, with units in each that head for the opposite one.
    pub fn crossing(units: usize, width: usize, neighborhood: Neighborhood) -> Self {
        let arm = units.div_ceil(width) * 2;
        let side = 2 * arm + width;
        let within = |k: usize| (arm..arm + width).contains(&k);
        let lines = picture(side, |x, y| within(x) || within(y), side);
        let grid = grid_of(&lines.iter().map(String::as_str).collect::<Vec<_>>(), neighborhood);
        let cell = |which: usize, k: usize| {
            let (along, across) = (k / width, arm + k % width);
            let (x, y) = match which {
                0 => (along, across),
                1 => (side - 1 - along, across),
                2 => (across, along),
                _ => (across, side - 1 - along),
            };
            grid.node(x as u32, y as u32).expect("in an arm")
        };
        let all = |flip: usize| (0..4).flat_map(move |which| (0..units).map(move |k| (which ^ flip, k)));
        let starts = all(0).map(|(which, k)| cell(which, k)).collect();
        let goals = all(1).map(|(which, k)| cell(which, k)).collect();
        Self { grid, starts, goals }
    }
}

/// Creates a maze of passages one cell wide, a tree of `side` × `side` cells.
pub fn maze(side: u32, seed: u64, neighborhood: Neighborhood) -> Grid {
    let rooms = (side as usize - 1) / 2;
    let mut rng = Rng::new(seed);
    let mut lines = vec![vec![b'@'; side as usize]; side as usize];
    let mut seen = vec![false; rooms * rooms];
    let mut stack = vec![0];
    seen[0] = true;
    lines[1][1] = b'.';
    while let Some(&room) = stack.last() {
        let (x, y) = (room % rooms, room / rooms);
        let mut ways = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (usize::MAX, 0), (0, usize::MAX)] {
            let (nx, ny) = (x.wrapping_add(dx), y.wrapping_add(dy));
            if nx < rooms && ny < rooms && !seen[ny * rooms + nx] {
                ways.push((nx, ny));
            }
        }
        if ways.is_empty() {
            stack.pop();
            continue;
        }
        let (nx, ny) = rng.pick(&ways);
        seen[ny * rooms + nx] = true;
        lines[y + ny + 1][x + nx + 1] = b'.';
        lines[2 * ny + 1][2 * nx + 1] = b'.';
        stack.push(ny * rooms + nx);
    }
    let lines: Vec<String> =
        lines.into_iter().map(|line| String::from_utf8(line).expect("plain letters")).collect();
    grid_of(&lines.iter().map(String::as_str).collect::<Vec<_>>(), neighborhood)
}

fn picture(height: usize, free: impl Fn(usize, usize) -> bool, width: usize) -> Vec<String> {
    (0..height)
        .map(|y| {
            (0..width).fold(String::new(), |mut line, x| {
                let _ = write!(line, "{}", if free(x, y) { '.' } else { '@' });
                line
            })
        })
        .collect()
}

/// Returns the cells of the largest connected component of a map.
pub fn joined(grid: &Grid) -> Vec<NodeId> {
    let mut seen = vec![false; grid.bound()];
    let mut largest = Vec::new();
    for first in worlds::free_cells(grid) {
        if seen[first.index()] {
            continue;
        }
        seen[first.index()] = true;
        let mut part = vec![first];
        let mut head = 0;
        while head < part.len() {
            for edge in grid.succs(part[head]) {
                if !std::mem::replace(&mut seen[edge.to.index()], true) {
                    part.push(edge.to);
                }
            }
            head += 1;
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}

/// Returns `count` different ones of these cells.
pub fn some(rng: &mut Rng, cells: &[NodeId], count: usize) -> Vec<NodeId> {
    let mut cells = cells.to_vec();
    for k in 0..count {
        let other = k + rng.below(cells.len() - k);
        cells.swap(k, other);
    }
    cells.truncate(count);
    cells
}
