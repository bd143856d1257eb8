//! A story: the book's chapters about planners, next to the page that plays their runs.
//!
//! A story takes the text of a chapter: headings, paragraphs and list items. Figures, commands, tables and generated
//! parts are omitted.

use serde::Serialize;

/// The book's chapter about a planner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chapter {
    /// The planner's name, from the chapter's heading.
    pub title: String,
    /// Its text, in blocks.
    pub blocks: Vec<Block>,
}

/// A block of text. Code is between backticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Kind of the block.
    pub kind: BlockKind,
    /// Its text.
    pub text: String,
}

/// The kinds of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    /// The heading of a section.
    Heading,
    /// A paragraph.
    Paragraph,
    /// An item of a list.
    Item,
}

impl Chapter {
    /// Extracts the text from a chapter of the book in Markdown.
    pub fn from_markdown(page: &str) -> Self {
        let mut chapter = Self { title: String::new(), blocks: Vec::new() };
        let (mut is_code, mut is_made, mut is_open) = (false, false, false);
        for line in page.lines().map(str::trim_end) {
            let start = line.trim_start();
            if start.starts_with("```") {
                is_code = !is_code;
            }
            is_made |= start.starts_with("<!-- made:");
            let is_left_out = is_code || is_made || start.starts_with("```") || start.starts_with("<!--");
            if start.starts_with("<!-- end") {
                is_made = false;
            }
            if is_left_out || start.is_empty() || start.starts_with('|') || start.starts_with("![") {
                is_open = false;
                continue;
            }
            if let Some(title) = start.strip_prefix("# ") {
                chapter.title = plain(title);
                continue;
            }
            let (kind, text) = if let Some(text) = start.strip_prefix("## ") {
                (BlockKind::Heading, text)
            } else if let Some(text) = start.strip_prefix("- ") {
                (BlockKind::Item, text)
            } else if is_open {
                // A continuation of a paragraph or item.
                if let Some(block) = chapter.blocks.last_mut() {
                    block.text = format!("{} {start}", block.text);
                }
                continue;
            } else {
                (BlockKind::Paragraph, start)
            };
            is_open = kind != BlockKind::Heading;
            chapter.blocks.push(Block { kind, text: text.to_owned() });
        }
        for block in &mut chapter.blocks {
            block.text = plain(&block.text);
        }
        // Introductions of omitted commands remain.
        chapter
            .blocks
            .retain(|block| !block.text.ends_with(':') && !block.text.contains("page that this makes"));
        let is_empty = |at: usize, blocks: &[Block]| {
            blocks[at].kind == BlockKind::Heading
                && blocks.get(at + 1).is_none_or(|next| next.kind == BlockKind::Heading)
        };
        let blocks = std::mem::take(&mut chapter.blocks);
        chapter.blocks =
            (0..blocks.len()).filter(|&at| !is_empty(at, &blocks)).map(|at| blocks[at].clone()).collect();
        chapter
    }
}

/// Removes links and escapes.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '\\']) {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if rest.as_bytes()[at] == b'\\' {
            rest = after;
            let Some(first) = rest.chars().next() else { break };
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        // [words](where), or a bracket that is not part of a link.
        let link = after.split_once("](").and_then(|(words, more)| Some((words, more.split_once(')')?.1)));
        if let Some((words, more)) = link.filter(|(words, _)| !words.contains('[')) {
            out.push_str(&plain(words));
            rest = more;
        } else {
            out.push('[');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_its_text() {
        let page = "# TBA\\*\n\n`tba` · Somebody 2009\n\nOne A\\* goes\non, see [there](x.md).\n\n<!-- made: figure -->\n\n\
                    ![f](f.png)\n\nMade by a program.\n\n<!-- end -->\n\n## When\n\n- Here\n  and there [1].\n- Else\n\n\
                    ## Commands\n\n```sh\nrun it\n```\n\n| a |\n|---|\n";
        let chapter = Chapter::from_markdown(page);
        assert_eq!(chapter.title, "TBA*");
        let texts: Vec<_> = chapter.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                (BlockKind::Paragraph, "`tba` · Somebody 2009"),
                (BlockKind::Paragraph, "One A* goes on, see there."),
                (BlockKind::Heading, "When"),
                (BlockKind::Item, "Here and there [1]."),
                (BlockKind::Item, "Else"),
            ]
        );
    }
}
