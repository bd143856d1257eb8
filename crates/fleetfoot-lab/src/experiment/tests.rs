use super::*;
use crate::run::{Job, PriceList};

fn refusal(text: &str) -> String {
    parse(text, Path::new(""), "x").unwrap_err().to_string()
}

fn good(text: &str) -> Plan {
    parse(text, Path::new(""), "x").unwrap()
}

const SMALL: &str = "maps = [\"maze(width=21,height=21)\"]\nplanners = [\"astar\", \"tba\"]\n";

#[test]
fn everything_times_everything() {
    let plan = good(&format!(
        "{SMALL}budgets = [5, \"inf\"]\nprices = [\"papers\", \"all\"]\nseeds = [1, 2]\n[problems]\nrandom = 3\n"
    ));
    assert_eq!(plan.jobs().len(), 2 * 2 * 2 * 2 * 3);
    assert_eq!(plan.about.title, "x");
    assert_eq!(plan.jobs()[1].label, "astar at 5, prices all");
    // A planner that ignores budgets runs once.
    assert_eq!(good("maps = [\"corner\"]\nplanners = [\"non-rtd\"]\nbudgets = [5, 6]").jobs().len(), 1);
    let seeded = good(
        "maps = [\"maze(width=21,height=21,seed={seed})\"]\nplanners = [\"rtaa(ties={seed})\"]\nseeds = [7, 8]\nworlds = [\"unknown\"]\nmoves = 4\n[problems]\nrandom = 1",
    );
    assert_eq!(seeded.jobs()[1].place.map.to_string(), "maze(width=21,height=21,corridor=1,seed=8)");
    assert_eq!(seeded.jobs()[1].spec.to_string(), "rtaa(ties=8)");
    assert_eq!(seeded.jobs()[1].label, "rtaa(ties={seed}) at 100");
}

#[test]
fn all_work_is_charged_unless_other_prices_are_named() {
    let prices = |text: &str| -> Vec<PriceList> {
        let plan = good(&format!("{SMALL}{text}\n[problems]\nrandom = 1\n"));
        plan.jobs().iter().map(|job| job.prices).collect()
    };
    assert_eq!(prices(""), [PriceList::AllWork; 2]);
    assert_eq!(prices("prices = [\"all\"]"), [PriceList::AllWork; 2]);
    assert_eq!(prices("prices = [\"honest\"]"), [PriceList::AllWork; 2]);
    assert_eq!(prices("prices = [\"papers\"]"), [PriceList::Papers; 2]);
    let twice = refusal(&format!("{SMALL}prices = [\"all\", \"honest\"]"));
    assert!(twice.contains("price list") && !twice.contains("honest"), "{twice}");
}

#[test]
fn errors_name_the_line_and_valid_values() {
    let cases = [
        ("maps = [\"x\"]\nplaners = [\"tba\"]", "line 2: unknown field `planers`", "planners"),
        (
            "maps = [\"corner\"]\nplanners = [\n  \"tba\",\n  \"tbb\"]",
            "line 4: there is no planner `tbb`",
            "did you mean `tba`",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba(x=1)\"]",
            "line 2: tba has no parameter `x`",
            "did you mean `r` or `c`",
        ),
        (
            "\nmaps = [\"nowhere.map\"]\nplanners = [\"tba\"]",
            "line 2: there is no map `nowhere.map`",
            "builtin:cave512",
        ),
        (
            "maps = [\"builtin:cave\"]\nplanners = [\"tba\"]",
            "line 1: there is no map builtin:cave",
            "cave256",
        ),
        ("maps = [\"corner\"]\nplanners = 3", "line 2: invalid type", "a file has maps"),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nbudgets = [0]",
            "line 3: `0` is not a budget",
            "at least 1",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nbudgets = [true]",
            "line 3: invalid type",
            "a number or a text",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nworlds = [\"fog\"]",
            "line 3: there is no world `fog`",
            "unknown(radius=R)",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nworlds = [\"unknown\"]",
            "line 2: planner tba works in known worlds only",
            "tbaa",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nprices = [\"cheap\"]",
            "line 3: there is no price list `cheap`",
            "all, papers or expansions",
        ),
        ("maps = [\"corner\"]\nplanners = [\"tba\"]\nmoves = 6", "line 3: moves = 6", "4 or 8"),
        ("maps = [\"corner\"]\nplanners = [\"tba\"]\ndiagonal = 1.6", "line 3: a diagonal", "sqrt2"),
        ("maps = [\"corner\"]\nplanners = [\"tba\"]\nterrain = \"Q=3\"", "line 3: ", ""),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\n[problems]\nrandom = 2\noptimal = \"9\"",
            "line 5: optimal",
            "LO..HI",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\n[problems]\nrandom = 2\nscen = \"a\"",
            "several ways",
            "only one",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\n[problems]\nrundom = 2",
            "line 4: unknown field `rundom`",
            "random",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\n[problems]\npairs = [[0, 0, 999, 0]]",
            "[0, 0, 999, 0]",
            "free cells",
        ),
        ("maps = []\nplanners = [\"tba\"]", "line 1: maps is empty", "builtin:cave256"),
        ("maps = [", "line 1", ""),
        ("", "missing field `maps`", "planners"),
        (
            "maps = [\"rooms\"]\nplanners = [\"tba\"]\nworlds = [\"doors\"]\n[problems]\npairs=[[1,1,98,98]]",
            "line 2: planner tba promises nothing",
            "force = true",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"ida\"]\nbudgets = [\"inf\"]",
            "line 2: planner ida may need unbounded time",
            "budgets = [1000]",
        ),
    ];
    for (text, what, choices) in cases {
        let told = refusal(text);
        assert!(told.contains(what) && told.contains(choices), "{text}\n  {told}");
    }
    let told = refusal("maps = [\"corner\"]\nplaners = [\"tba\"]");
    assert_eq!(told.matches("cut-corners").count(), 1, "choices are listed once: {told}");
}

#[test]
fn duplicates_are_reported_with_their_line() {
    let cases = [
        (
            "maps = [\"corner\"]\nplanners = [\n\"tba\",\n\"tba\"]",
            "line 4: the planner `tba` is there twice, first in line 3",
            "once",
        ),
        (
            "maps = [\"corner\", \"corner(side=40)\"]\nplanners = [\"tba\"]",
            "line 1: the map `corner(side=40)` is there twice",
            "once",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nbudgets = [5, 6, 5]",
            "line 3: the budget `5` is there twice",
            "once",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nseeds = [1, 1]",
            "line 3: the seed `1` is there twice",
            "once",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nprices = [\"papers\", \"papers\"]",
            "line 3: the price list `papers` is there twice",
            "once",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tba\"]\nworlds = [\"known\",\n\"known\"]",
            "line 4: the world `known` is there twice, first in line 3",
            "once",
        ),
    ];
    for (text, what, remedy) in cases {
        let told = refusal(text);
        assert!(told.contains(what) && told.contains(remedy), "{text}\n  {told}");
    }
}

/// Checks that impossible settings are refused, not ignored.
#[test]
fn impossible_problems_are_reported_with_their_line() {
    let cases = [
        ("random = 0", "line 4: random = 0 cannot be", "from 1 to 1000000"),
        ("random = 99999999999", "line 4: random = 99999999999 cannot be", "from 1 to 1000000"),
        ("pairs = []", "line 4: pairs is empty", "start x"),
        (
            "random = 3\ntake = 2",
            "line 5: take is for the problems of a scenario, and here is random",
            "one of them",
        ),
        ("pairs = [[0, 0, 3, 0]]\ntake = 2", "line 5: take is for the problems of a scenario", "one of them"),
        ("pairs = [[0, 0, 3, 0]]\noptimal = \"2..\"", "line 5: optimal is for", "one of them"),
        (
            "take = 2",
            "line 4: take is for the problems of a scenario, and there is none next to corner",
            "random",
        ),
        ("take = 0", "line 4: take = 0", "from 1"),
        ("scen = \"beside\"", "line 4: there is no scenario next to corner", "x.map.scen"),
        ("optimal = \"2..\"", "line 4: optimal chooses among problems, and corner", "random"),
    ];
    for (text, what, choices) in cases {
        let told = refusal(&format!("maps = [\"corner\"]\nplanners = [\"tba\"]\n[problems]\n{text}"));
        assert!(told.contains(what) && told.contains(choices), "{text}\n  {told}");
    }
}

#[test]
fn the_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.toml");
    std::fs::write(&path, "maps = [\"corner\"]\nplanners = [\"nobody\"]").unwrap();
    let told = read(&path).unwrap_err().to_string();
    assert!(told.contains("e.toml:2: there is no planner `nobody`"), "{told}");
    assert!(read(&folder.path().join("no.toml")).unwrap_err().to_string().contains("cannot read"));
}

#[test]
fn folders_and_scenarios() {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 2\nwidth 4\nmap\n....\n....\n";
    for name in ["b.map", "a.map"] {
        std::fs::write(folder.path().join(name), map).unwrap();
    }
    std::fs::write(
        folder.path().join("a.map.scen"),
        "version 1\n0\ta.map\t4\t2\t0\t0\t3\t0\t3\n0\ta.map\t4\t2\t0\t0\t1\t0\t1\n",
    )
    .unwrap();
    let text = "maps = [\".\"]\nplanners = [\"astar\"]\n[problems]\noptimal = \"2..\"";
    let plan = parse(text, folder.path(), "x").unwrap();
    let maps: Vec<String> = plan.jobs().iter().map(|job| job.place.map.to_string()).collect();
    assert_eq!(maps[0], "./a.map");
    assert_eq!(
        (maps.iter().filter(|map| *map == "./a.map").count(), plan.jobs()[0].problem.goal),
        (1, (3, 0))
    );
    // The other one has no scenario, so it gets random problems in the window.
    assert_eq!(maps.iter().filter(|map| *map == "./b.map").count(), 20);
    for asked in ["take = 5", "scen = \"beside\""] {
        let text = |maps| format!("maps = [\"{maps}\"]\nplanners = [\"astar\"]\n[problems]\n{asked}");
        assert_eq!(parse(&text("a.map"), folder.path(), "x").unwrap().jobs().len(), 2);
        let told = parse(&text("."), folder.path(), "x").unwrap_err().to_string();
        assert!(told.starts_with("line 4: ") && told.contains("next to ./b.map"), "{told}");
    }
    let told =
        parse("maps = [\".\"]\nplanners = [\"astar\"]\n[problems]\noptimal = \"50..\"", folder.path(), "x")
            .unwrap_err();
    assert!(told.to_string().contains("a.map.scen: no problem has an optimal length in 50.."), "{told}");
}

/// Checks that incompatible pairs of planner and world are skipped and reported.
#[test]
fn pairs_that_do_not_fit_can_be_skipped() {
    let text =
        "maps = [\"corner(side=12)\"]\nplanners = [\"tba\", \"rtaa\"]\nworlds = [\"known\", \"unknown\"]\n";
    assert!(refusal(text).contains("or skip = true to leave such pairs out"));
    let plan = good(&format!("{text}skip = true\n"));
    let runs: Vec<String> =
        plan.jobs().iter().map(|job| format!("{} in {}", job.spec, job.place.scene)).collect();
    assert_eq!(runs, ["tba in known", "rtaa in known", "rtaa in unknown"]);
    assert_eq!(plan.about.skipped.len(), 1);
    assert!(plan.about.skipped[0].starts_with("tba in unknown: planner tba works in known worlds only"));
    // Few planners support falling costs.
    let doors = good(
        "maps = [\"rooms(width=41,height=41)\"]\nplanners = [\"lrta\", \"dstar-lite\"]\nworlds = [\"known\", \"doors\"]\nskip = true",
    );
    assert_eq!(doors.about.skipped.len(), 1, "{:?}", doors.about.skipped);
    let nowhere =
        refusal("maps = [\"corner\"]\nplanners = [\"rtaa\",\n \"tba\"]\nworlds = [\"unknown\"]\nskip = true");
    assert!(nowhere.contains("line 3: planner tba suits none of the worlds"), "{nowhere}");
}

#[test]
fn trials_are_asked_for() {
    let plan = good(&format!("{SMALL}trials = 7\n[problems]\nrandom = 1"));
    assert!(plan.jobs().iter().all(|job| job.trials == Some(7) && job.key().ends_with("|trials=7")));
    assert!(refusal(&format!("{SMALL}trials = 0")).contains("line 3: trials = 0 cannot be"));
    assert!(
        refusal(&format!("{SMALL}trials = 2\ntimed = true"))
            .contains("line 3: times are not taken of trials")
    );
    let changing = refusal(
        "maps = [\"builtin:doors100\"]\nplanners = [\"dstar-lite\"]\nworlds = [\"doors\"]\ntrials = 2",
    );
    assert!(changing.contains("line 4: trials need static worlds"), "{changing}");
}

/// Checks that reports contain the conditions of the experiment, but no folders of this machine.
#[test]
fn the_conditions_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let maps = folder.path().join("own");
    std::fs::create_dir(&maps).unwrap();
    std::fs::write(maps.join("a.map"), "type octile\nheight 1\nwidth 5\nmap\n.....\n").unwrap();
    std::fs::write(maps.join("a.map.scen"), "version 1\n0 a.map 5 1 0 0 4 0 4\n0 a.map 5 1 0 0 2 0 2\n")
        .unwrap();
    for map in [maps.join("a.map"), maps.clone()] {
        let text = format!(
            "maps = [\"{}\"]\nplanners = [\"tba\"]\n[problems]\noptimal = \"3..\"\ntake = 5",
            map.display()
        );
        let file = folder.path().join("my.toml");
        std::fs::write(&file, &text).unwrap();
        let about = read(&file).unwrap().about;
        assert_eq!(about.command, "fleetfoot bench my.toml");
        // The file as it is, except for absolute paths.
        let source = about.source.unwrap();
        let name = map.file_name().unwrap().to_string_lossy();
        assert_eq!(source.text, text.replace(&map.display().to_string(), &format!("…/{name}")));
        assert!(about.maps[0].starts_with("own/a.map: 5×1, 5 free cells, checksum "), "{:?}", about.maps);
        let how = &about.problems[0];
        assert!(
            how.starts_with("own/a.map: 1 of the 2 of a.map.scen, optimal length 3.., spread evenly (take)"),
            "{how}"
        );
    }
    let two = good(
        "maps = [\"corner(side=12)\", \"maze(width=21,height=21)\"]\nplanners = [\"tba\"]\n[problems]\nrandom = 2",
    );
    assert_eq!(two.about.problems, ["on each map 2 random ones"]);
}

/// A run as JSON has the runs of an experiment's file that says the same.
#[test]
fn a_run_as_json_is_expanded_like_a_file() {
    let json = r#"{"map": "maze(width=21,height=21,seed={seed})", "rules": "moves=4,terrain(S=3)", "planners": ["rtaa", "tba"],
        "budgets": ["5", "inf"], "prices": "papers", "problems": {"random": 3}, "seed": 7, "max-steps": 90}"#;
    let run: RunSpec = serde_json::from_str(json).unwrap();
    let text = "maps = [\"maze(width=21,height=21,seed={seed})\"]\nplanners = [\"rtaa\", \"tba\"]\nbudgets = [5, \"inf\"]
        prices = [\"papers\"]\nmoves = 4\nterrain = \"S=3\"\nseeds = [7]\nmax-steps = 90\n[problems]\nrandom = 3";
    let keys = |plan: &Plan| plan.jobs().iter().map(Job::key).collect::<Vec<_>>();
    let here = Path::new("");
    let expanded = plan(&run, here).unwrap();
    assert_eq!(keys(&expanded), keys(&parse(text, here, "run").unwrap()));
    assert_eq!(expanded.jobs().len(), 12);
    assert_eq!(serde_json::from_str::<RunSpec>(&serde_json::to_string(&run).unwrap()).unwrap(), run);
    let wrong = RunSpec { world: "fog".into(), ..run };
    let told = plan(&wrong, here).unwrap_err().to_string();
    assert!(told.contains("doors(open=P") && !told.contains("line"), "{told}");
}
