//! The generated parts of a document.

const BEGIN: &str = "<!-- made: ";
const CLOSE: &str = " -->\n";
const END: &str = "<!-- end -->";

/// A part between two marks.
pub(super) struct Part<'a> {
    /// The words of the first mark.
    pub(super) words: Vec<&'a str>,
    /// The lines between the marks.
    pub(super) body: &'a str,
}

impl Part<'_> {
    /// Returns the first block of shell commands with its fences.
    pub(super) fn shell(&self) -> &str {
        let begin = self.body.find("```sh\n").expect("a block of commands");
        let length = self.body[begin + 6..].find("\n```").expect("the end of the block");
        &self.body[begin..begin + 6 + length + 4]
    }

    /// Returns its commands, split into words.
    pub(super) fn commands(&self) -> Vec<Vec<String>> {
        let lines = self.shell().trim_start_matches("```sh\n").trim_end_matches("\n```");
        lines.replace("\\\n", " ").lines().map(split).collect()
    }
}

/// Splits a command into words. Single quotes enclose one word, and `#` begins a comment.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (k, piece) in line.split('\'').enumerate() {
        if k % 2 == 1 {
            words.push(piece.to_owned());
            continue;
        }
        for word in piece.split_whitespace() {
            if word.starts_with('#') {
                return words;
            }
            words.push(word.to_owned());
        }
    }
    words
}

/// Replaces each part of a document by its generated text.
pub(super) fn replace(text: &str, mut make: impl FnMut(&Part<'_>) -> String) -> String {
    let (mut rest, mut out) = (text, String::new());
    while let Some(begin) = rest.find(BEGIN) {
        let head = begin + BEGIN.len();
        let close = head + rest[head..].find(CLOSE).expect("the end of the mark");
        let body = close + CLOSE.len();
        let end = body + rest[body..].find(END).expect("the mark of the end");
        let words = rest[head..close].split_whitespace().collect();
        let part = Part { words, body: rest[body..end].trim_matches('\n') };
        out.push_str(&rest[..body]);
        out.push('\n');
        out.push_str(make(&part).trim_matches('\n'));
        out.push_str("\n\n");
        rest = &rest[end..];
    }
    out + rest
}
