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
    let tree = roxmltree::Document::parse(&svg).unwrap();
    let width: f64 = tree.root_element().attribute("width").unwrap().parse().unwrap();
    assert!(width > 500.0);
    let names: Vec<&str> =
        tree.descendants().filter(roxmltree::Node::is_element).map(|n| n.tag_name().name()).collect();
    assert!(names.iter().all(|name| ["svg", "rect", "polyline", "polygon", "circle", "text"].contains(name)));
    // Series have seven points, other lines two.
    let places =
        |line: &roxmltree::Node<'_, '_>| line.attribute("points").map_or(0, |list| list.split(' ').count());
    assert_eq!(tree.descendants().filter(|line| places(line) == 7).count(), 9);
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
            let corners = |look: &marks::Look| match look.marker(0.0, 0.0) {
                drawing::Shape::Polygon { corners, .. } => corners,
                _ => Vec::new(),
            };
            assert_ne!(corners(a), corners(b));
        }
    }
    assert_eq!(marks::Look::of(9, Some(2)).colour, looks[2].colour);
}

/// Decodes the PNG to its width and pixels.
fn decoded(plot: &Plot) -> (usize, Vec<[u8; 3]>) {
    let bytes = plot.png();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, ::png::ColorType::Rgb);
    (info.width as usize, pixels.as_chunks().0.to_vec())
}

/// Checks that text is drawn without the machine's fonts.
#[test]
fn the_png_is_not_blank_and_shows_text() {
    let pixels =
        |plot: &Plot| decoded(plot).1.iter().filter(|pixel| pixel.iter().all(|light| *light < 128)).count();
    let empty = Plot { series: Vec::new(), title: String::new(), ..plot() };
    let titled = Plot { title: "M".repeat(20), ..empty.clone() };
    assert!(pixels(&titled) > pixels(&empty) + 500, "{} {}", pixels(&titled), pixels(&empty));
    assert!(pixels(&plot()) > pixels(&empty));
}

/// Checks that PNG and SVG agree: markers in their colors, dashes with their gaps.
#[test]
fn both_show_the_same() {
    let plot = labelled(&["a", "b"], &[Point::new(1.0, 1.0), Point::new(2.0, 5.0)]);
    let ((width, pixels), drawing) = (decoded(&plot), Drawing::of(&plot, Sheet::Screen));
    assert!((width as f64 - 2.0 * drawing.size.0).abs() < 1e-9);
    #[expect(clippy::cast_sign_loss, reason = "places on the picture")]
    let at = |x: f64, y: f64| pixels[(2.0 * y) as usize * width + (2.0 * x) as usize];
    let mut seen = 0;
    for shape in &drawing.shapes {
        match shape {
            drawing::Shape::Circle { centre, fill, .. } => {
                // A later series may cover it, but not in the legend.
                seen += usize::from(at(centre.0, centre.1) == *fill);
            }
            drawing::Shape::Line { places, stroke } if stroke.dash == [7.0, 3.0] && places.len() == 2 => {
                let (x, y) = places[0];
                if (places[1].1 - y).abs() < 0.1 {
                    assert_eq!((at(x + 3.0, y), at(x + 8.5, y)), (stroke.colour, [255; 3]), "dash and gap");
                    seen += 1;
                }
            }
            _ => {}
        }
    }
    assert!(seen >= 2, "{seen}");
}

fn labelled(names: &[&str], points: &[Point]) -> Plot {
    let series = names.iter().map(|name| Series::line(*name, points.to_vec())).collect();
    Plot { series, ..plot() }
}

/// Returns the positions of the texts of a drawing.
fn texts(svg: &str) -> Vec<(f64, f64, String)> {
    let number = |line: &str, key: &str| -> f64 {
        let at = line.find(key).unwrap() + key.len();
        line[at..].split('"').next().unwrap().parse().unwrap()
    };
    let words = |line: &str| line.split('>').nth(1).unwrap().trim_end_matches("</text").to_owned();
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    lines.map(|line| (number(line, " x=\""), number(line, " y=\""), words(line))).collect()
}

#[test]
fn long_names_go_below_the_plot_and_stay_inside() {
    let long = "LSS-LRTA*(lookahead=100,moves=all) in unknown terrain with sight 7, ".repeat(3);
    let short = labelled(&["A*", "TBA*"], &[Point::new(1.0, 1.0)]);
    let names = [&long[..68], "TBA*", "RTAA* with twenty-two letters", &long];
    let plot = labelled(&names, &[Point::new(1.0, 1.0)]);
    let layout = layout::Layout::of(&plot, Sheet::Screen);
    assert!(
        layout.inner.0 > 0.75 * layout.size.0
            && layout.size.0 <= layout::Layout::of(&short, Sheet::Screen).size.0
    );
    let svg = plot.svg();
    let found = texts(&svg);
    let (_, y, _) = found.iter().find(|(.., words)| words == "TBA*").unwrap();
    assert!(*y > layout.top + layout.inner.1);
    for (x, y, words) in &found {
        assert!(*x >= 0.0 && *y >= 0.0 && *y < layout.size.1, "{words} at {x}, {y} of {:?}", layout.size);
    }
}

#[test]
fn an_empty_plot_has_a_note() {
    let nothing = [Point::new(f64::NAN, 1.0), Point::new(1.0, f64::INFINITY), Point::new(1.0, -1.0)];
    for plot in [labelled(&[], &[]), labelled(&["a"], &[]), labelled(&["a", "b"], &nothing)] {
        let svg = plot.svg();
        assert!(svg.contains(">no data<") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.contains("a (no data)"), !plot.series.is_empty());
        assert!(!plot.png().is_empty());
    }
    assert!(!plot().svg().contains("no data"));
}

#[test]
fn odd_values_are_left_out_and_the_rest_is_drawn_as_without_them() {
    let good = [Point::new(1.0, 2.0), Point { bar: Some((2.0, 4.0)), ..Point::new(2.0, 3.0) }];
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
    let odd = odd.into_iter().flat_map(|v| [Point::new(v, 1.0), Point::new(1.0, v), Point::new(v, v)]);
    let all: Vec<Point> = good.into_iter().chain(odd).collect();
    for (x, y) in [(Axis::linear("x"), Axis::linear("y")), (Axis::log("x"), Axis::log("y"))] {
        let draw = |points: &[Point]| Plot { x: x.clone(), y: y.clone(), ..labelled(&["a"], points) }.svg();
        assert_eq!(draw(&all), draw(&good));
        let barred = Point { bar: Some((f64::NAN, f64::INFINITY)), ..good[0] };
        assert_eq!(draw(&[barred, good[1]]), draw(&good));
    }
}

/// Checks that series with bars at the same x are next to each other, in order.
#[test]
fn error_bars_do_not_cover_each_other() {
    let points = [1.0, 2.0, 3.0].map(|x| Point { bar: Some((1.0, 9.0)), ..Point::new(x, 5.0) });
    let mut plot = labelled(&["a", "b", "c"], &points);
    plot.series.insert(1, Series::line("paper", points.map(|point| Point { bar: None, ..point }).to_vec()));
    let layout = layout::Layout::of(&plot, Sheet::Screen);
    assert_eq!(layout.asides, [-5.0, 0.0, 0.0, 5.0]);
    assert_eq!(layout::Layout::of(&labelled(&["a"], &points), Sheet::Screen).asides, [0.0]);
    let dense: Vec<Point> = (0..200).map(|x| Point { x: f64::from(x), ..points[0] }).collect();
    let layout = layout::Layout::of(&labelled(&["a", "b", "c"], &dense), Sheet::Screen);
    let gap = layout.across(layout.x.place(2.0)) - layout.across(layout.x.place(1.0));
    assert!(layout.asides[2] - layout.asides[0] < 0.5 * gap);
}

#[test]
fn control_characters_do_not_break_the_drawing() {
    assert!(!labelled(&["bell \u{7} and null \0", "odd \u{ffff}"], &[Point::new(1.0, 1.0)]).png().is_empty());
}

/// A PDF is as wide as a column, its table of objects is right, and letters are outlines.
#[test]
fn the_pdf_fits_into_a_column_and_needs_no_font() {
    let long = "LSS-LRTA*(lookahead=100,moves=all) in unknown terrain with sight 7, ".repeat(2);
    for plot in [plot(), labelled(&[&long[..], "TBA*"], &[Point::new(1.0, 1.0)]), labelled(&[], &[])] {
        let bytes = plot.pdf();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(text.starts_with("%PDF-1.4\n") && text.ends_with("%%EOF\n"));
        assert!(text.contains("/MediaBox [0 0 240.00 ") && !text.contains("/Font"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
        let begins =
            text.lines().filter(|line| line.ends_with(" 00000 n ")).map(|line| line[..10].parse().unwrap());
        for (k, begin) in begins.enumerate() {
            let begin: usize = begin;
            assert!(text[begin..].starts_with(&format!("{} 0 obj\n", k + 1)));
        }
        let length: usize =
            text.split("/Length ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let stream = &text[text.find("stream\n").unwrap() + 7..text.find("endstream").unwrap()];
        assert_eq!(stream.len(), length);
        // Nothing sticks out of the column.
        let drawing = Drawing::of(&plot, Sheet::Column);
        for shape in &drawing.shapes {
            if let drawing::Shape::Text(text) = shape {
                assert!(
                    text.at.0 >= 0.0 && text.at.0 < layout::COLUMN && text.at.1 < drawing.size.1,
                    "{text:?}"
                );
            }
        }
    }
}

/// Points of several planners at one spot have labels that can be read, on a screen and in a column.
#[test]
fn labels_of_points_at_one_spot_do_not_overlap() {
    let budgets = || ["10", "50", "250"].map(String::from).to_vec();
    let points = [Point::new(1.0, 1.0), Point::new(1.0, 1.0), Point::new(9.0, 9.0)];
    let mut plot = labelled(&["A*", "LRTA*", "RTAA*"], &points);
    plot.series.iter_mut().for_each(|series| series.labels = budgets());
    for sheet in [Sheet::Screen, Sheet::Column] {
        let (drawing, layout) = (Drawing::of(&plot, sheet), layout::Layout::of(&plot, sheet));
        let boxes: Vec<[f64; 4]> = drawing
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                drawing::Shape::Text(text) if (text.size - layout::FONT * 0.8).abs() < 1e-9 => Some(text),
                _ => None,
            })
            .map(|text| {
                let width = layout::width(&text.words) * 0.8;
                let left = if text.anchor == fleetfoot_view::canvas::Anchor::Start {
                    text.at.0
                } else {
                    text.at.0 - width
                };
                [left, text.at.1 - text.size * 0.78, left + width, text.at.1 + text.size * 0.2]
            })
            .collect();
        assert_eq!(boxes.len(), 9);
        for (k, a) in boxes.iter().enumerate() {
            let right = layout.left + layout.inner.0;
            assert!(a[0] > layout.left && a[2] < right, "{a:?} leaves the axes");
            for b in &boxes[..k] {
                assert!(a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3], "{a:?} covers {b:?}");
            }
        }
    }
}
