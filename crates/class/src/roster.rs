//! The students of a class: `roster.csv`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

/// One student, or one group that hands in together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Student {
    /// What the folder of the submissions is called.
    pub id: String,
    /// The name for pages that are not public.
    #[serde(default)]
    pub name: String,
    /// What the bot is called on public pages; the id if there is none.
    #[serde(default)]
    pub team: String,
}

impl Student {
    /// Returns what the bot is called on public pages.
    pub(crate) fn shown(&self) -> &str {
        if self.team.is_empty() { &self.id } else { &self.team }
    }
}

/// Why there is no roster.
#[derive(Debug, Error)]
pub(crate) enum RosterError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// A line is no student.
    #[error("{file}, line {line}: {what}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong there, and how to mend it.
        what: String,
    },
}

/// The students, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roster(Vec<Student>);

impl Roster {
    /// Reads the file at `path`: a line `id,name,team`, then a line for each student. A name and a team may be empty, and the
    /// columns may be left out.
    ///
    /// # Errors
    /// If it cannot be read, if an id is no name of a folder, or if two students have the same id or team.
    pub(crate) fn read(path: &Path) -> Result<Roster, RosterError> {
        let file = path.display().to_string();
        let text = fs::read(path).map_err(|error| RosterError::Io(file.clone(), error))?;
        Roster::parse(&text, &file)
    }

    fn parse(text: &[u8], file: &str) -> Result<Roster, RosterError> {
        let wrong =
            |line: u64, what: String| RosterError::Line { file: file.to_owned(), line, what };
        // Spreadsheets put it there.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text);
        let headers = reader.headers().map_err(|error| wrong(1, error.to_string()))?.clone();
        if !headers.iter().any(|header| header == "id") {
            return Err(wrong(
                1,
                "the first line has to name the columns: id,name,team".to_owned(),
            ));
        }
        let mut roster = Roster::default();
        let mut taken = BTreeMap::new();
        for row in reader.records() {
            let row = row.map_err(|error| {
                let line = error.position().map_or(1, csv::Position::line);
                wrong(line, error.to_string())
            })?;
            let line = row.position().map_or(1, csv::Position::line);
            if row.iter().all(str::is_empty) {
                continue;
            }
            let student: Student = row.deserialize(Some(&headers)).map_err(|error| {
                wrong(line, format!("expected id,name,team: {}", reason(&error)))
            })?;
            check_id(&student.id).map_err(|what| wrong(line, what))?;
            for (what, name) in [("id", student.id.as_str()), ("team", student.shown())] {
                // Folders and players differ in more than their case.
                let key = (what, name.to_lowercase());
                if let Some(before) = taken.insert(key, line) {
                    let what =
                        format!("the {what} {name:?} is in line {before} too; give each its own");
                    return Err(wrong(line, what));
                }
            }
            roster.0.push(student);
        }
        Ok(roster)
    }

    /// Returns the students in the order of the file.
    pub(crate) fn students(&self) -> impl ExactSizeIterator<Item = &Student> {
        self.0.iter()
    }

    /// Returns the student with this id.
    pub(crate) fn student(&self, id: &str) -> Option<&Student> {
        self.0.iter().find(|student| student.id == id)
    }
}

fn reason(error: &csv::Error) -> String {
    if let csv::ErrorKind::Deserialize { err, .. } = error.kind() {
        return err.kind().to_string();
    }
    error.to_string()
}

/// The most characters of an id.
const LONGEST_ID: usize = 64;

/// Says what is wrong with an id, which is the name of a folder and part of names of files.
fn check_id(id: &str) -> Result<(), String> {
    let is_fit = |char: char| char.is_ascii_alphanumeric() || "._-@+".contains(char);
    if id.is_empty() {
        return Err("the student has no id".to_owned());
    }
    if id.len() > LONGEST_ID || id.starts_with('.') || !id.chars().all(is_fit) {
        return Err(format!(
            "the id {id:?} cannot be the name of a folder everywhere; take at most {LONGEST_ID} letters without accents, digits \
             and . _ - @ +, the first of them no dot"
        ));
    }
    // Grades are written under the id as it is, so that the learning platform finds the student. A spreadsheet would run
    // it, and a command would take it for an option.
    if id.starts_with(['-', '+', '@']) {
        return Err(format!(
            "the id {id:?} begins as a formula of a spreadsheet does; begin it with a letter, a digit or _"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Roster, String> {
        Roster::parse(text.as_bytes(), "roster.csv").map_err(|error| error.to_string())
    }

    #[test]
    fn a_roster_is_read_whatever_wrote_it() {
        let roster =
            parse("\u{feff}id,name,team\r\nada,\"Lovelace, Ada\",Popeye\r\n\r\nbob , Bob,\r\n");
        let roster = roster.unwrap();
        let students: Vec<_> = roster.students().collect();
        assert_eq!(students.len(), 2);
        assert_eq!((&*students[0].name, students[0].shown()), ("Lovelace, Ada", "Popeye"));
        assert_eq!((&*students[1].id, students[1].shown()), ("bob", "bob"));
        assert_eq!(roster.student("bob"), Some(students[1]));
        assert_eq!(parse("id\neve\n").unwrap().students().len(), 1);
        assert_eq!(parse("id,name,team\n").unwrap(), Roster::default());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, what) in [
            ("", "line 1: the first line has to name the columns"),
            ("ada,Ada,Popeye\n", "line 1: the first line has to name the columns"),
            ("id,name\n../ada,Ada\n", "line 2: the id \"../ada\" cannot be"),
            ("id\n.git\n", "line 2: the id \".git\" cannot be"),
            ("id,name\n,Ada\n", "line 2: the student has no id"),
            ("id\n-x\n", "line 2: the id \"-x\" begins as a formula"),
            ("id\nada\n+1\n", "line 3: the id \"+1\" begins as a formula"),
            ("id\n@sum\n", "line 2: the id \"@sum\" begins as a formula"),
            ("id\n=1\n", "line 2: the id \"=1\" cannot be"),
            ("id\nada\nAda\n", "line 3: the id \"Ada\" is in line 2 too"),
            ("id,name,team\nada,,X\nbob,,x\n", "line 3: the team \"x\" is in line 2 too"),
            ("id,team\nada,bob\nbob,\n", "line 3: the team \"bob\" is in line 2 too"),
            ("id,mail\nada,a@b\n", "line 2: expected id,name,team"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
