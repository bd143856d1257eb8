use super::super::tests::Folder;
use super::*;

const GOOD: &str = "fleetfoot-script 1\nsize 3 2\n0 close 2 1\n5 open 2 1\n5 weight 0 0 255\n";

#[test]
fn reads_and_writes() {
    let script = parse_script(GOOD.as_bytes()).unwrap();
    assert_eq!((script.width, script.height, script.changes.len()), (3, 2, 3));
    assert_eq!(script.changes[2], Change { tick: 5, x: 0, y: 0, what: ChangeKind::Weight(255) });
    let loose = GOOD.replace('\n', "\r\n").replace("5 open", "# a door\r\n\r\n  5\topen");
    assert_eq!(parse_script(loose.trim_end().as_bytes()).unwrap(), script);
    let folder = Folder::new("scripts");
    let path = folder.0.join("a.script");
    write_script(&path, &script).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), GOOD);
    assert_eq!(read_script(&path).unwrap(), script);
}

#[test]
fn complains_with_line_and_remedy() {
    let cases: &[(&str, &str, &str)] = &[
        ("script 1", "script 3", "line 1: scripts of version \"3\" are not supported; use"),
        ("fleetfoot-script 1\n", "", "line 1: this is not a script; a script begins"),
        ("size 3 2\n", "", "line 2: the `size` line is missing; a script begins"),
        ("size 3 2", "size 3", "line 2: the `size` line is missing"),
        ("size 3 2", "size 0 2", "line 2: a map of 0x2 cells has no cell"),
        ("size 3 2", "size 99999 99999", "line 2: a map of 99999x99999 has more than"),
        ("size 3 2", "size x 2", "line 2: the width \"x\" is not a whole number"),
        ("0 close 2 1", "0 shut 2 1", "line 3: \"0 shut 2 1\" is no change; write"),
        ("0 close 2 1", "0 close 2", "line 3: \"0 close 2\" is no change"),
        ("0 close 2 1", "0 close 3 1", "line 3: the cell (3, 1) is outside the 3x2 map; columns"),
        ("0 close 2 1", "0 close 2 2", "line 3: the cell (2, 2) is outside the 3x2 map; columns"),
        ("0 close 2 1", "-1 close 2 1", "line 3: the tick \"-1\" is not a whole number"),
        ("0 close 2 1", "6 close 2 1", "line 4: tick 5 comes after tick 6; sort"),
        ("0 0 255", "0 0 256", "line 5: the weight \"256\" is too large"),
        ("0 0 255", "0 0 0", "line 5: the weight is 0; use a weight from 1 to 255"),
        ("0 0 255", "0 0", "line 5: \"5 weight 0 0\" is no change"),
    ];
    for (from, to, expected) in cases {
        let error = parse_script(GOOD.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
    }
    assert!(parse_script(b"# nothing\n").unwrap_err().to_string().starts_with("the file is empty"));
    assert!(parse_script(b"fleetfoot-script 1\n").unwrap_err().to_string().contains("within the header"));
    assert_eq!(parse_script(b"fleetfoot-script 1\n\xff").unwrap_err().line(), Some(2));
}

#[test]
fn refuses_to_write_what_it_could_not_read() {
    let mut script = parse_script(GOOD.as_bytes()).unwrap();
    script.changes[0].what = ChangeKind::Weight(0);
    let folder = Folder::new("bad-scripts");
    let path = folder.0.join("a.script");
    let error = write_script(&path, &script).unwrap_err().to_string();
    assert!(error.contains("change 1: the weight is 0; use"), "{error}");
    assert!(!path.exists());
    script.changes[0].what = ChangeKind::Open;
    script.changes[1].tick = 6;
    assert!(script.validate().unwrap_err().to_string().starts_with("change 3: tick 5 comes after"));
}

#[test]
fn belongs_to_one_size() {
    let script = parse_script(GOOD.as_bytes()).unwrap();
    script.check(&GridMap::new(3, 2, b'.').unwrap()).unwrap();
    assert!(script.check(&GridMap::new(2, 3, b'.').unwrap()).is_err());
}

const RULES: &str = "fleetfoot-script 2\nsize 9 2\nrule shut-near 2 1 radius 3 ticks 20\nrule shut-near 6 1 radius 1000 \
                     ticks 1\n4 close 0 0\n";

#[test]
fn rules_are_read_and_written_in_version_2() {
    let script = parse_script(RULES.as_bytes()).unwrap();
    let rule = Rule { x: 2, y: 1, what: Reaction::ShutNear { radius: 3, ticks: 20 } };
    assert_eq!((script.rules.len(), script.rules[0], script.changes.len()), (2, rule, 1));
    script.validate().unwrap();
    let mut text = Vec::new();
    write_script_to(&mut text, &script).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), RULES);
    // Version 2 without rules can be read, and equals version 1.
    let plain = parse_script(GOOD.replace("script 1", "script 2").as_bytes()).unwrap();
    assert_eq!(plain, parse_script(GOOD.as_bytes()).unwrap());
}

#[test]
fn rules_are_refused_with_line_and_remedy() {
    let cases: &[(&str, &str, &str)] = &[
        ("script 2", "script 1", "line 3: scripts of version 1 have no rules; write `fleetfoot-script 2`"),
        ("radius 3", "radius 0", "line 3: a door cannot shut at a radius of 0; use a radius from 1 to 1000"),
        ("radius 3", "radius 1001", "line 3: a door cannot shut at a radius of 1001; use"),
        (
            "radius 3",
            "radius",
            "line 3: \"rule shut-near 2 1 radius ticks 20\" is no rule; write `rule shut-near",
        ),
        ("radius 3", "radius x", "line 3: the radius \"x\" is not a whole number"),
        ("ticks 20", "ticks 0", "line 3: a door cannot stay shut for 0 ticks; use ticks from 1 to"),
        ("ticks 20", "ticks 1000000001", "line 3: a door cannot stay shut for 1000000001 ticks; use"),
        ("rule shut-near 2", "rule shut-far 2", "line 3: \"rule shut-far 2 1"),
        ("near 2 1", "near 9 1", "line 3: the cell (9, 1) is outside the 9x2 map"),
        ("near 2 1", "near 6 1", "line 4: the cell (6, 1) has two rules; keep one"),
        ("close 0 0", "close 6 1", "line 5: the cell (6, 1) has a rule, so it changes by that alone; take"),
        ("size 9 2\n", "size 9 2\n1 open 0 0\n", "line 4: this rule comes after a change; move all rules up"),
    ];
    for (from, to, expected) in cases {
        let error = parse_script(RULES.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
    }
    let mut script = parse_script(RULES.as_bytes()).unwrap();
    script.changes[0] = Change { x: 2, y: 1, ..script.changes[0] };
    assert!(script.validate().unwrap_err().to_string().starts_with("change 1: the cell (2, 1) has a rule"));
    script.rules[1] = script.rules[0];
    assert!(script.validate().unwrap_err().to_string().starts_with("rule 2: the cell (2, 1) has two rules"));
}

#[test]
fn notes_become_comments() {
    let folder = Folder::new("noted-scripts");
    let (path, script) = (folder.0.join("a.script"), parse_script(RULES.as_bytes()).unwrap());
    write_script_noted(&path, &script, "made by hand\nfor a test").unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("size 9 2\n# made by hand\n# for a test\nrule"), "{text}");
    assert_eq!(read_script(&path).unwrap(), script);
}

/// Checks that writing and parsing is the identity for random scripts.
#[test]
fn random_scripts_survive_the_file() {
    let mut dice = crate::generate::SeededRng::new(11);
    for _ in 0..300 {
        let (width, height) = (1 + dice.below(30), 2 + dice.below(30));
        let mut script = Script::empty(width, height);
        for x in 0..width {
            // In the upper row, so that the changes below are of other cells.
            let what = Reaction::ShutNear {
                radius: 1 + dice.below(1000),
                ticks: 1 + u64::from(dice.below(1_000_000_000)),
            };
            script.rules.extend(dice.percent(20).then_some(Rule { x, y: 0, what }));
        }
        let mut tick = 0;
        for _ in 0..dice.below(40) {
            tick += u64::from(dice.below(3)) << dice.below(17);
            let what = [ChangeKind::Open, ChangeKind::Close, ChangeKind::Weight(1 + dice.below(255) as u8)]
                [dice.below(3) as usize];
            script.changes.push(Change { tick, x: dice.below(width), y: 1 + dice.below(height - 1), what });
        }
        script.validate().unwrap();
        let mut text = Vec::new();
        write_script_to(&mut text, &script).unwrap();
        assert_eq!(parse_script(&text).unwrap(), script);
    }
}

#[test]
fn sums_up() {
    let lines =
        "2 close 0 0\n2 close 1 0\n3 open 0 0\n3 open 3 0\n3 weight 2 0 5\n7 weight 2 0 2\n8 close 0 0";
    let script = parse_script(format!("fleetfoot-script 1\nsize 4 1\n{lines}\n").as_bytes()).unwrap();
    let expected = Summary {
        ticks: Some((2, 8)),
        openings: 2,
        closings: 3,
        weights: 2,
        cells: 4,
        busiest: Some((3, 3)),
        rules: 0,
        rises: 4,
        falls: 3,
    };
    assert_eq!(script.summary_without_map(), expected);
    // On a map where (1, 0) is blocked and (2, 0) has weight 9, closing changes nothing and 5 is a decrease.
    let on_map = script.summary(|x, _| [1, 0, 9, 0][x as usize]);
    assert_eq!((on_map.rises, on_map.falls), (2, 4));
    let empty = Script::empty(3, 3).summary_without_map();
    assert_eq!((empty, empty.trend()), (Summary::default(), Trend::default()));
    let ruled = parse_script(RULES.as_bytes()).unwrap().summary_without_map();
    assert_eq!((ruled.rules, ruled.trend()), (2, Trend { rise: true, fall: true }));
    let closing = Script { changes: script.changes[..2].to_vec(), ..script };
    assert_eq!(closing.summary_without_map().trend(), Trend { rise: true, fall: false });
}
