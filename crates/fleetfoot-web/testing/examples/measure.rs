//! `measure PLANNER PROBLEMS BUDGET TIMES`: walks, and prints a description of the walks and the milliseconds of each
//! round.

use std::time::Instant;

use fleetfoot_web_testing::Work;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [planner, problems, budget, times] = &words[..] else {
        eprintln!("usage: measure PLANNER PROBLEMS BUDGET TIMES");
        std::process::exit(2);
    };
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let mut work = Work::of(planner, number(problems) as usize);
    println!("{}", work.walk(number(budget)));
    for _ in 0..number(times) {
        let begun = Instant::now();
        work.walk(number(budget));
        println!("{}", begun.elapsed().as_secs_f64() * 1000.0);
    }
}
