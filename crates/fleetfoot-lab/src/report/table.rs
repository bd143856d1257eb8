//! Tables of text.

/// A table: names, and lines of as many cells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// Above it.
    pub title: String,
    /// The names of its columns. The first is flush left, the others right.
    pub columns: Vec<String>,
    /// Its lines.
    pub lines: Vec<Vec<String>>,
    /// Below it; may be empty.
    pub note: String,
}

impl Table {
    /// A table without lines yet.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.into(), columns, ..Self::default() }
    }

    /// Adds a line.
    ///
    /// # Panics
    /// If it has not as many cells as there are columns.
    pub fn push(&mut self, line: Vec<String>) {
        assert_eq!(line.len(), self.columns.len(), "{}: {line:?}", self.title);
        self.lines.push(line);
    }

    /// The same with a note below.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}
