//! Rows of runs, and tables of their means, without times, which are not reproducible.

use fleetfoot_sim::budget::PriceList;
use serde_json::Value;

/// The runs of one planner with one budget on one map by one set of rules in one world.
pub(super) struct Group<'a> {
    pub(super) planner: &'a str,
    pub(super) budget: String,
    map: &'a str,
    rules: &'a str,
    world: &'a str,
    prices: &'a str,
    rows: Vec<&'a Value>,
}

/// Groups rows, in the order of their first row.
pub(super) fn groups(rows: &[Value]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in rows {
        let text = |name: &str| row[name].as_str().expect("a text");
        let budget = text("budget").replace("inf", "none");
        let [planner, map, rules, world, prices] = ["planner", "map", "rules", "world", "prices"].map(text);
        let new = Group { planner, budget, map, rules, world, prices, rows: Vec::new() };
        let same =
            |g: &&mut Group<'_>| (g.planner, &g.budget, g.terms()) == (new.planner, &new.budget, new.terms());
        match groups.iter_mut().find(same) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { rows: vec![row], ..new }),
        }
    }
    groups
}

impl Group<'_> {
    fn arrived(&self) -> usize {
        self.rows.iter().filter(|row| row["outcome"] == "arrived").count()
    }

    /// Returns the mean over the runs that have this number.
    pub(super) fn mean(&self, column: &str) -> Option<f64> {
        let known: Vec<f64> = self.rows.iter().filter_map(|row| row[column].as_f64()).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }

    /// Returns what distinguishes it from other groups: map, rules, world and prices.
    fn terms(&self) -> [&str; 4] {
        [self.map, self.rules, self.world, self.prices]
    }

    fn cells(&self, shown: [bool; 4]) -> Vec<String> {
        let mut cells = vec![format!("`{}`", self.planner.replace('|', "\\|"))];
        let terms = self.terms().into_iter().zip(shown);
        cells.extend(terms.filter(|(_, shown)| *shown).map(|(term, _)| term.to_owned()));
        cells.push(self.budget.clone());
        cells.push(format!("{}/{}", self.arrived(), self.rows.len()));
        for column in ["steps", "first_move", "expansions"] {
            cells.push(self.mean(column).map_or("–".into(), whole));
        }
        cells.insert(cells.len() - 1, self.mean("ratio").map_or("–".into(), |ratio| format!("{ratio:.2}")));
        cells.push(self.mean("memory_bytes").map_or("–".into(), memory));
        cells
    }
}

/// Formats a number without decimals, with separated thousands.
pub(super) fn whole(n: f64) -> String {
    #[expect(clippy::cast_sign_loss, reason = "means of counts")]
    fleetfoot_lab::whole(n.round_ties_even() as u64)
}

/// Formats bytes with two digits, since the others change whenever a table is packed better.
fn memory(bytes: f64) -> String {
    let kilobytes = bytes / 1000.0;
    let unit = if kilobytes < 100.0 { 1.0 } else { 10.0 };
    format!("{} KB", whole((kilobytes / unit).round() * unit))
}

/// Returns a table of means.
pub(super) fn table(rows: &[Value]) -> String {
    let groups = groups(rows);
    let shown = [0, 1, 2, 3].map(|k| groups.iter().any(|group| group.terms()[k] != groups[0].terms()[k]));
    let names = ["map", "rules", "world", "prices"].into_iter().zip(shown);
    let mut texts = vec!["planner"];
    texts.extend(names.filter(|(_, shown)| *shown).map(|(name, _)| name));
    let numbers = ["budget", "arrived", "ticks", "first move", "walked ÷ shortest", "expansions", "memory"];
    let head = [&texts[..], &numbers].concat().join(" | ");
    let rule = "---|".repeat(texts.len()) + &"---:|".repeat(numbers.len());
    let rows: Vec<_> = groups.iter().map(|group| format!("| {} |", group.cells(shown).join(" | "))).collect();
    format!("{}\n\n| {head} |\n|{rule}\n{}", charged(&groups), rows.join("\n"))
}

/// Returns the text above a table: the unit of its budgets, and what is charged to them.
fn charged(groups: &[Group<'_>]) -> String {
    let lists: Vec<&str> = groups.iter().map(|group| group.prices).collect();
    if lists.iter().any(|list| *list != lists[0]) {
        return "Budgets in expansions a tick; *prices* says what is charged:".into();
    }
    let list: PriceList = lists[0].parse().expect("a price list");
    format!("Budgets in expansions a tick, {}:", list.charged())
}

/// Returns a table of the results of fleets, given the words and the object of each command.
pub(super) fn fleets(fleets: &[(String, Value)]) -> String {
    const COLUMNS: [&str; 8] =
        ["agents", "arrived", "ticks", "conflicts", "first_move_p99", "ratio", "waits", "work_max"];
    let names = ["units", "arrived", "ticks", "conflicts", "first move, 99 %", "ratio", "waits", "work"];
    let cell = |object: &Value, column: &str| match object[column].as_f64() {
        Some(ratio) if column == "ratio" => format!("{ratio:.2}"),
        Some(n) => whole(n),
        None => "–".into(),
    };
    let row = |(words, object): &(String, Value)| {
        let cells = COLUMNS.map(|column| cell(object, column)).join(" | ");
        format!("| `{words}` | {cells} |")
    };
    let rows: Vec<String> = fleets.iter().map(row).collect();
    let rule = "---|".to_owned() + &"---:|".repeat(COLUMNS.len());
    let list: PriceList = fleets[0].1["prices"].as_str().expect("a text").parse().expect("a price list");
    let above = format!("Work and budgets in expansions a tick, {}:", list.charged());
    format!("{above}\n\n| fleet | {} |\n|{rule}\n{}", names.join(" | "), rows.join("\n"))
}
