//! Tables of text.

/// A table: column names, and lines with one cell per column.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// Title above the table.
    pub title: String,
    /// Names of the columns. The first is flush left, the others right.
    pub columns: Vec<String>,
    /// Its lines.
    pub lines: Vec<Vec<String>>,
    /// Note below the table. May be empty.
    pub note: String,
}

impl Table {
    /// Creates a table without lines.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.into(), columns, ..Self::default() }
    }

    /// Adds a line.
    ///
    /// # Panics
    /// If the number of cells differs from the number of columns.
    pub fn push(&mut self, line: Vec<String>) {
        assert_eq!(line.len(), self.columns.len(), "{}: {line:?}", self.title);
        self.lines.push(line);
    }

    /// Sets the note.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}
