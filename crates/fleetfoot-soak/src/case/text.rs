//! Cases as text: `fleet seed=7 map=maze size=21x21 …`, written completely and read in any order.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::{AgentCase, Case, DiagonalKind, FleetCase, IndexKind, Kind, MapKind, World};
use crate::judges::ground::Moves;

const MOVES: [(&str, Moves); 3] = [("4", Moves::Four), ("8", Moves::Eight), ("8-cutting", Moves::Cutting)];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let World { map, size: (width, height), moves, diagonal, weights, index } = self.world;
        let moves = MOVES.iter().find(|known| known.1 == moves).map_or("", |known| known.0);
        let name = if matches!(self.kind, Kind::Fleet(_)) { "fleet" } else { "agent" };
        write!(f, "{name} seed={} map={} size={width}x{height} moves={moves}", self.seed, map.word())?;
        write!(f, " diagonal={} weights={weights} index={}", diagonal.word(), index.word())?;
        write!(f, " span={} ticks={} budget={}", self.span, self.ticks, self.budget)?;
        let range = |range: &Range<u32>| format!("{}..{}", range.start, range.end);
        let flag = |is: bool| if is { "yes" } else { "no" };
        write!(f, " edits={} acts={} saves={}", range(&self.edits), range(&self.acts), range(&self.saves))?;
        match &self.kind {
            Kind::Fleet(fleet) => {
                let FleetCase { units, orders, fog, teams, collide, speeds, rules } = fleet;
                write!(f, " units={} orders={} fog={fog} teams={teams}", range(units), range(orders))?;
                write!(f, " collide={} speeds={} rules={rules}", flag(*collide), flag(*speeds))
            }
            Kind::Agent(AgentCase { planner, sight, all_work }) => {
                write!(f, " planner={planner} sight={sight} all-work={}", flag(*all_work))
            }
        }
    }
}

/// The fields of a case that were not read yet.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    fn take<T>(&mut self, name: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T, String> {
        let place = self.0.iter().position(|field| field.0 == name);
        let place =
            place.ok_or_else(|| format!("the case has no `{name}=`; copy the whole line of the report"))?;
        let (_, value) = self.0.remove(place);
        read(value)
            .ok_or_else(|| format!("`{name}={value}` cannot be read; copy the whole line of the report"))
    }

    fn number<T: FromStr>(&mut self, name: &str) -> Result<T, String> {
        self.take(name, |value| value.parse().ok())
    }

    fn range(&mut self, name: &str) -> Result<Range<u32>, String> {
        self.take(name, |value| {
            let (start, end) = value.split_once("..")?;
            let (start, end) = (start.parse().ok()?, end.parse().ok()?);
            (start <= end && end <= 1 << 20).then_some(start..end)
        })
    }

    fn flag(&mut self, name: &str) -> Result<bool, String> {
        self.take(name, |value| ["no", "yes"].iter().position(|word| *word == value).map(|k| k == 1))
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let pairs = words.map(|word| {
            word.split_once('=').ok_or_else(|| format!("`{word}` is no field: write NAME=VALUE"))
        });
        let mut fields = Fields(pairs.collect::<Result<_, _>>()?);
        let side = |word: &str| word.parse::<u32>().ok().filter(|side| (1..=4096).contains(side));
        let world = World {
            map: fields.take("map", MapKind::read)?,
            size: fields.take("size", |value| {
                let (width, height) = value.split_once('x')?;
                Some((side(width)?, side(height)?))
            })?,
            moves: fields
                .take("moves", |value| MOVES.iter().find(|known| known.0 == value).map(|known| known.1))?,
            diagonal: fields.take("diagonal", DiagonalKind::read)?,
            weights: fields.take("weights", |value| value.parse().ok().filter(|most| *most > 0))?,
            index: fields.take("index", IndexKind::read)?,
        };
        let kind = match name {
            "fleet" => Kind::Fleet(FleetCase {
                units: fields.range("units")?,
                orders: fields.range("orders")?,
                fog: fields.number("fog")?,
                teams: fields
                    .take("teams", |value| value.parse().ok().filter(|teams| (1..=64).contains(teams)))?,
                collide: fields.flag("collide")?,
                speeds: fields.flag("speeds")?,
                rules: fields.number("rules")?,
            }),
            "agent" => Kind::Agent(AgentCase {
                planner: fields.take("planner", |value| Some(value.to_owned()))?,
                sight: fields.number("sight")?,
                all_work: fields.flag("all-work")?,
            }),
            _ => {
                return Err("a case begins with `fleet` or `agent`; copy the whole line of the report".into());
            }
        };
        let case = Self {
            seed: fields.number("seed")?,
            world,
            span: fields.number("span")?,
            ticks: fields.number("ticks")?,
            budget: fields.number("budget")?,
            edits: fields.range("edits")?,
            acts: fields.range("acts")?,
            saves: fields.range("saves")?,
            kind,
        };
        match fields.0.first() {
            Some((name, _)) => Err(format!("a case has no field `{name}`, or it is given twice")),
            None => Ok(case),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_read_as_it_is_written() {
        for seed in 0..500 {
            let case = Case::draw(seed);
            assert_eq!(case.to_string().parse(), Ok(case));
        }
    }

    #[test]
    fn cases_that_are_no_cases_are_refused() {
        let text = Case::draw(1).to_string();
        for (old, new) in [("seed=", "sed="), ("edits=", "edits=x"), ("size=", "size=-"), (" ", " a=b ")] {
            assert!(text.replacen(old, new, 1).parse::<Case>().is_err(), "{new}");
        }
        for bad in ["", "ship", "fleet", "fleet seed", "agent seed=1"] {
            assert!(bad.parse::<Case>().is_err(), "{bad}");
        }
    }
}
