//! Checks that studies can be planned, and judged even if rows are missing.

use fleetfoot_lab::run::{About, Plan, PriceList, Settings, Shard, Silent, carry_out};
use fleetfoot_reproduce::{STUDIES, Setup, find, report};

#[test]
fn every_study_has_runs_and_lists_its_maps() {
    let mut ids = Vec::new();
    for study in STUDIES {
        let plan = study.plan(&Setup::default()).unwrap_or_else(|error| panic!("{}: {error}", study.id));
        assert!(plan.jobs().len() >= 40, "{}", study.id);
        assert_eq!((plan.about.study.as_deref(), plan.about.scale.as_str()), (Some(study.id), "quick"));
        assert!(!plan.about.map_notes.is_empty(), "{} does not say which maps it takes", study.id);
        let is_of_maps = |note: &&String| note.starts_with("map") || note.contains("folder of maps");
        let misplaced: Vec<_> = plan.about.notes.iter().filter(is_of_maps).collect();
        assert!(misplaced.is_empty(), "{}: notes about maps are map notes: {misplaced:?}", study.id);
        // Claims of papers are compared at their prices.
        let is_ours = study.paper == "our own";
        assert!(is_ours || plan.jobs().iter().all(|job| job.prices != PriceList::AllWork), "{}", study.id);
        assert!(!ids.contains(&study.id));
        ids.push(study.id);
    }
    assert!(find("nothing").unwrap_err().to_string().contains("rtaa-table1"));
}

/// Checks that every claim of a study is in its report, with a rule, and that a study without rows does not panic.
#[test]
fn claims_are_judged_by_rules() {
    for study in STUDIES {
        let about = About { study: Some(study.id.into()), scale: "quick".into(), ..About::default() };
        let report = report(&about, &[]).unwrap();
        for claim in study.claims {
            assert!(
                report.findings.iter().any(|f| f.id.split(' ').next() == Some(claim)),
                "{}: {claim}",
                study.id
            );
        }
        for finding in &report.findings {
            assert!(!finding.rule.is_empty() && !finding.says.is_empty(), "{}: {}", study.id, finding.id);
            let verdict = finding.verdict.to_string();
            assert_eq!(verdict, "not measured", "{}: {} without a row", study.id, finding.id);
        }
        let folder = tempfile::tempdir().unwrap();
        report.write(folder.path(), &[]).unwrap();
    }
}

/// Executes a small part of a study, from its runs to its report.
#[test]
fn a_study_from_end_to_end() {
    let study = find("tba-table1").unwrap();
    let whole = study.plan(&Setup::default()).unwrap();
    let few = whole.jobs().iter().filter(|job| job.problem.index < 2 && !job.timed).cloned().collect();
    let plan = Plan::new(whole.about, few).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings =
        Settings { out: folder.path(), threads: 2, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    let done = carry_out(&plan, &settings).unwrap();
    assert!(done.rows.iter().all(|row| (230.0..=320.0).contains(&row.optimal.unwrap())));
    assert!(done.rows.iter().filter(|row| row.label.starts_with("early")).all(|row| row.strayed.is_some()));
    let report = report(&plan.about, &done.rows).unwrap();
    let verdict = |id: &str| report.findings.iter().find(|f| f.id == id).unwrap().verdict.to_string();
    // Theorems, which hold on all problems.
    assert_eq!(verdict("A12"), "holds");
    assert!(["holds", "holds with another number", "undecided"].contains(&verdict("A3").as_str()));
    report.write(folder.path(), &done.rows).unwrap();
    let html = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(html.contains("<strong>holds</strong> (A12)") && html.contains("generated game-like landscapes"));
}

/// Runs corner search on a folder of maps without a scenario: every world has runs, tables and plots, and a table
/// shows where another planner is faster.
#[test]
fn corner_search_on_a_folder_of_maps() {
    let maps = tempfile::tempdir().unwrap();
    std::fs::create_dir(maps.path().join("own")).unwrap();
    let rows: String = (0..24)
        .map(|y| (0..24).map(|x| if x % 8 == 7 && y % 8 != 3 { '@' } else { '.' }).collect::<String>() + "\n")
        .collect();
    let map = format!("type octile\nheight 24\nwidth 24\nmap\n{rows}");
    std::fs::write(maps.path().join("own/halls.map"), map).unwrap();
    let setup = Setup { maps: Some(maps.path().to_owned()), ..Setup::default() };
    let whole = find("corners").unwrap().plan(&setup).unwrap();
    assert!(whole.about.map_notes.iter().any(|note| note.contains("own/halls.map (4)")));
    // One script of doors, and the budgets of most claims.
    let few = |job: &&fleetfoot_lab::run::Job| {
        let is_doors = job.label.starts_with("changing");
        let wanted = ["at 8", "at 10", "at 64", "at inf"];
        (!is_doors || job.seed == 0) && wanted.iter().any(|end| job.label.ends_with(end))
    };
    let plan = Plan::new(whole.about.clone(), whole.jobs().iter().filter(few).cloned().collect()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings =
        Settings { out: folder.path(), threads: 2, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    let done = carry_out(&plan, &settings).unwrap();
    let ours = || done.rows.iter().filter(|row| row.planner == "corner-tba");
    assert!(ours().all(|row| row.arrived() && row.scan > 0));
    let report = report(&plan.about, &done.rows).unwrap();
    let finding = |id: &str| report.findings.iter().find(|f| f.id == id).unwrap();
    // No claims exist about a user's own maps, but general ones are judged there as well.
    assert_eq!(finding("F1").verdict.to_string(), "not measured");
    for id in ["F6", "F7"] {
        assert_ne!(finding(id).verdict.to_string(), "not measured", "{id}");
        assert!(finding(id).measured[0].what.starts_with("own: ticks"));
    }
    assert_eq!(report.tables[0].title, "Where corner search loses");
    assert!(report.tables[0].note.contains("comparisons"));
    let titles: Vec<&str> = report.tables.iter().map(|table| table.title.as_str()).collect();
    for title in [
        "Known, own: pairs",
        "Unknown, radius 7, own: ticks until arrival",
        "Changing, rooms with doors: pairs",
    ] {
        assert!(titles.contains(&title), "{title} is not among {titles:?}");
    }
    report.write(folder.path(), &done.rows).unwrap();
    assert!(folder.path().join("figures/unknown-own.png").is_file());
}
