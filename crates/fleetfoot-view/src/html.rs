//! The replay page: one file with a record and its player.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fleetfoot_sim::error::InputError;

use crate::fleet::FleetRecord;
use crate::format::damaged;
use crate::format::section::zipped;
use crate::record::Record;
use crate::story::Chapter;

/// The text around the record in a page.
const BEGIN: &str = "<script id=\"record\" type=\"application/octet-stream;base64\">";
const END: &str = "</script>";

/// Returns the record in a replay page, in base64. Returns `None` if the file is not a page.
pub(crate) fn embedded(file: &[u8]) -> Result<Option<&str>, InputError> {
    if !file.trim_ascii_start().starts_with(b"<!doctype html>") {
        return Ok(None);
    }
    let cut = || InputError::new("the page ends too early: it is cut off", "copy the file again");
    let text = std::str::from_utf8(file).map_err(|_| damaged("the page is no text"))?;
    let Some((_, rest)) = text.split_once(BEGIN) else {
        return Err(InputError::new(
            "this page holds no Fleetfoot record",
            "make one with `fleetfoot run … --replay FILE`",
        ));
    };
    let (record, _) = rest.split_once(END).ok_or_else(cut)?;
    Ok(Some(record.trim()))
}

const PAGE: &str = include_str!("../viewer/page.html");
/// The table of colors of all pages, in two themes.
pub const COLORS: &str = include_str!("../viewer/colors.css");
const STYLE: &str = include_str!("../viewer/style.css");
/// Parts of the page that the playground uses as well.
const PARTS: [(&str, &str); 3] = [
    ("{{buttons}}", include_str!("../viewer/buttons.html")),
    ("{{aside}}", include_str!("../viewer/aside.html")),
    ("{{footer}}", include_str!("../viewer/footer.html")),
];
/// The scripts in order. Each uses those before it; the last one starts the page.
const SCRIPTS: [&str; 29] = [
    include_str!("../viewer/bytes.js"),
    include_str!("../viewer/record.js"),
    include_str!("../viewer/tick-reader.js"),
    include_str!("../viewer/tree.js"),
    include_str!("../viewer/replay.js"),
    include_str!("../viewer/fleet-record.js"),
    include_str!("../viewer/timeline.js"),
    include_str!("../viewer/colors.js"),
    include_str!("../viewer/cell-layer.js"),
    include_str!("../viewer/marks.js"),
    include_str!("../viewer/overlay.js"),
    include_str!("../viewer/pane.js"),
    include_str!("../viewer/fleet-pane.js"),
    include_str!("../viewer/chart.js"),
    include_str!("../viewer/shared-chart.js"),
    include_str!("../viewer/scoreboard.js"),
    include_str!("../viewer/view.js"),
    include_str!("../viewer/viewer.js"),
    include_str!("../viewer/cell.js"),
    include_str!("../viewer/reason.js"),
    include_str!("../viewer/events.js"),
    include_str!("../viewer/panes.js"),
    include_str!("../viewer/fleet.js"),
    include_str!("../viewer/controls.js"),
    include_str!("../viewer/legend.js"),
    include_str!("../viewer/words.js"),
    include_str!("../viewer/turning-points.js"),
    include_str!("../viewer/story.js"),
    include_str!("../viewer/main.js"),
];

/// Returns the player as one script, without the start of a replay page, for other pages.
pub fn scripts() -> String {
    SCRIPTS[..SCRIPTS.len() - 1].concat()
}

/// Encodes bytes for a page's script: compressed, in base64. The viewer decodes them with `inflate` and `fromBase64`.
pub fn packed(bytes: &[u8]) -> String {
    STANDARD.encode(zipped(bytes, 9))
}

/// Inserts the viewer's parts into a page: `{{style}}`, `{{buttons}}`, `{{aside}}` and `{{footer}}`.
pub fn fill_template(page: &str) -> String {
    PARTS.iter().fold(page.replace("{{style}}", &(COLORS.to_owned() + STYLE)), |page, (name, part)| {
        page.replace(name, part)
    })
}

/// Returns the page that plays a record.
pub fn page(record: &Record) -> String {
    page_of(&record.to_bytes(), "")
}

/// Returns the page that plays a record next to the chapters about its planners. It stops at turning points.
pub fn story(record: &Record, chapters: &[Chapter]) -> String {
    let text = serde_json::to_string(chapters).expect("plain text");
    // Keeps the text from closing the element that contains it.
    let text = text.replace('<', "\\u003c");
    let story = format!("<script id=\"story\" type=\"application/json\">{text}</script>\n");
    page_of(&record.to_bytes(), &story)
}

/// Returns the page that plays a fleet's record.
pub fn fleet_page(record: &FleetRecord) -> String {
    page_of(&record.to_bytes(), "")
}

fn page_of(record: &[u8], before: &str) -> String {
    let data = STANDARD.encode(record);
    fill_template(PAGE)
        .replace("{{script}}", &SCRIPTS.concat())
        // Replaced last, since it is long.
        .replace("{{record}}", &format!("{before}{BEGIN}{data}{END}"))
}

#[cfg(test)]
mod tests {
    use fleetfoot::WorkKind;

    use super::*;

    /// Checks that each kind has a color. A kind without one would be black in the chart and absent from its legend.
    #[test]
    fn every_kind_of_work_has_its_color() {
        for kind in 0..WorkKind::ALL.len() {
            assert_eq!(COLORS.matches(&format!("--k{kind}:")).count(), 2, "{kind}");
            assert_eq!(STYLE.matches(&format!("var(--k{kind})")).count(), 1, "{kind}");
        }
        assert!(!COLORS.contains(&format!("--k{}:", WorkKind::ALL.len())));
    }
}
