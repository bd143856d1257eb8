//! The program without a command.

use super::Folder;

#[test]
fn shows_a_table_and_what_to_try() {
    let folder = Folder::new();
    let out = folder.good(&[]);
    for info in fleetfoot::registry::ALGORITHMS.iter().filter(|info| info.facts.complete) {
        assert!(out.contains(&format!(" {} ", info.name)), "{}", info.name);
    }
    assert!(out.contains("first move") && out.contains("What to try next:"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn what_it_says_to_try_works() {
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
