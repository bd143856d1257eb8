use super::*;

fn plot() -> Plot {
    let points = |k: f64| {
        (1..8)
            .map(|x| Point {
                x: f64::from(x),
                y: k * f64::from(x * x),
                bar: Some((k * f64::from(x * x) * 0.8, k * f64::from(x * x) * 1.3)),
            })
            .collect()
    };
    Plot {
        title: "Work & cost <both>".into(),
        x: Axis::linear("expansions per move"),
        y: Axis::log("cost / optimal"),
        series: (1..10)
            .map(|k| Series::line(format!("planner {k}"), points(f64::from(k))))
            .chain([Series::scatter("paper", vec![Point::new(2.0, 9.0), Point::new(0.0, -1.0)]).like(0)])
            .collect(),
    }
}

#[test]
fn the_svg_is_well_formed_and_holds_everything() {
    let svg = plot().svg();
    let tree = resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
    assert!(tree.size().width() > 500.0);
    assert_eq!(svg.matches("<polyline").count(), 9);
    assert!(svg.contains("Work &amp; cost &lt;both&gt;") && svg.contains("planner 9"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "no point without a place");
    assert_eq!(svg, plot().svg());
}

#[test]
fn colours_markers_and_dashes_differ() {
    let looks: Vec<_> = (0..7).map(|k| marks::Look::of(k, None)).collect();
    for (k, a) in looks.iter().enumerate() {
        for b in &looks[..k] {
            assert_ne!(a.colour, b.colour);
            assert_ne!(
                a.marker(0.0, 0.0).split(' ').take(3).collect::<Vec<_>>(),
                b.marker(0.0, 0.0).split(' ').take(3).collect::<Vec<_>>()
            );
        }
    }
    assert_eq!(marks::Look::of(9, Some(2)).colour, looks[2].colour);
}

/// Text is drawn although the machine's fonts are not used.
#[test]
fn the_png_is_not_blank_and_shows_text() {
    let pixels = |plot: &Plot| {
        let pixmap = resvg::tiny_skia::Pixmap::decode_png(&plot.png()).unwrap();
        pixmap.pixels().iter().filter(|p| p.red() < 128 && p.green() < 128 && p.blue() < 128).count()
    };
    let empty = Plot { series: Vec::new(), title: String::new(), ..plot() };
    let titled = Plot { title: "M".repeat(20), ..empty.clone() };
    assert!(pixels(&titled) > pixels(&empty) + 500, "{} {}", pixels(&titled), pixels(&empty));
    assert!(pixels(&plot()) > pixels(&empty));
}
