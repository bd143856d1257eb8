//! Tests the program without a command.

use super::Folder;

#[test]
fn shows_a_table_and_what_to_try() {
    let folder = Folder::new();
    let out = folder.good(&[]);
    let line = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let table: Vec<_> =
        out.lines().skip_while(|line| !line.starts_with("budget  planner")).skip(1).map(line).collect();
    for (k, budget) in ["10", "100", "1000", "inf"].into_iter().enumerate() {
        let (astar, tba) = (&table[3 * k], &table[3 * k + 1]);
        assert_eq!((astar[0].as_str(), astar[1].as_str(), tba[0].as_str()), (budget, "A*", "TBA*"), "{out}");
        // Slow or busy machines skip runs.
        if astar[2] == "-" || tba[1] == "-" {
            continue;
        }
        // The claims of the text: first move and latest.
        assert_eq!((tba[1].as_str(), tba[2].as_str()), ("1.0", "1"), "it moves in its first tick");
        assert_eq!(astar[2] == "1.0", budget == "inf", "it waits until its search is done");
    }
    for absent in ["RTBA*", "late-acting", "Repeated"] {
        assert!(!out.contains(absent), "{absent} teaches nothing here");
    }
    assert!(out.contains("first move") && out.contains("What to try next:"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn suggested_commands_work() {
    let folder = Folder::new();
    let out = folder.good(&[]);
    let commands = out
        .lines()
        .filter_map(|line| line.strip_prefix("  fleetfoot "))
        .filter(|line| !line.contains("my.map"));
    let mut tried = 0;
    for command in commands {
        // A command ends where its explanation begins.
        let command = command.split("   ").next().unwrap().replace('\'', "");
        folder.good(&command.split_whitespace().collect::<Vec<_>>());
        tried += 1;
    }
    assert!(tried >= 5, "{out}");
}
