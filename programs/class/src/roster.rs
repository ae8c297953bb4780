//! The students of a class: `roster.csv`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use csv::StringRecord;
use jiff::Timestamp;
use thiserror::Error;

use crate::ClassError;
use crate::class::write_whole;
use crate::time::WITH_ZONE;

/// A student, or a team whose members share all of its submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Student {
    /// The id of the member that comes first in the alphabet, by which the index knows all of them:
    /// the order of the roster may change.
    pub id: String,
    /// In the order of the roster; at least one.
    pub members: Vec<Member>,
    /// The name of the bot on public pages; empty if there is none.
    pub team: String,
    /// Until when they may hand in, if that is later than the deadline.
    pub until: Option<Timestamp>,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name of the folder of the submissions.
    pub id: String,
    /// The name for pages that are not public; empty if it is not known.
    pub name: String,
    /// Other names of the person, on platforms for example.
    pub further: Vec<String>,
}

impl Member {
    /// Returns the mail address of the person; nothing if the roster has none.
    pub(crate) fn mail(&self) -> &str {
        let mut known = self.further.iter().chain([&self.id]);
        known
            .find(|name| name.contains('@'))
            .map_or("", |mail| mail)
    }
}

impl Student {
    /// Returns what tells the bot from those of others, for pages that are not public.
    pub(crate) fn shown(&self) -> &str {
        if self.team.is_empty() {
            &self.id
        } else {
            &self.team
        }
    }

    /// Returns the names of the members, or their ids, for pages that are not public.
    pub(crate) fn names(&self) -> String {
        self.members
            .iter()
            .map(|member| {
                if member.name.is_empty() {
                    member.id.clone()
                } else {
                    member.name.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(" and ")
    }

    /// Returns whether the person with this id is a member.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.members.iter().any(|member| member.id == id)
    }
}

/// The reason why there is no roster.
#[derive(Debug, Error)]
pub(crate) enum RosterError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// A line is not a student.
    #[error("{file}, line {line}: {what}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The fault there, and how to fix it.
        what: String,
    },
}

/// The students, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roster(Vec<Student>);

/// The columns that mean something; what is in others are further names.
const COLUMNS: [&str; 4] = ["id", "name", "team", UNTIL];

/// The column of extensions.
const UNTIL: &str = "until";

impl Roster {
    /// Reads the file at `path`: a line that names the columns, then a line for each person. Of the
    /// columns, in any order, `id` has to be there. Those with the same `team` hand in together;
    /// `until` is their extension. What is in other columns, such as an address or a number, are
    /// names by which platforms may call them.
    ///
    /// # Errors
    /// If it cannot be read, if an id is not a name of a folder, if two have the same id, or if
    /// `until` is not a time.
    pub(crate) fn read(path: &Path) -> Result<Roster, RosterError> {
        let file = path.display().to_string();
        let text = fs::read(path).map_err(|error| RosterError::Io(file.clone(), error))?;
        Roster::parse(&text, &file)
    }

    pub(crate) fn parse(text: &[u8], file: &str) -> Result<Roster, RosterError> {
        let wrong = |line, what| RosterError::Line {
            file: file.to_owned(),
            line,
            what,
        };
        let Table { columns, rows } = Table::parse(text, file)?;
        let place = |name: &str| columns.iter().position(|column| column == name);
        let mut places = COLUMNS.map(place);
        // The gradebook of Canvas has columns of points, too.
        let gradebook = place("student");
        places[1] = places[1].or(gradebook);
        let mut roster = Roster::default();
        // By what may be there once: the line, and how it is written there.
        let mut taken: BTreeMap<(&str, String), (u64, String)> = BTreeMap::new();
        for (line, row) in &rows {
            let line = *line;
            let [id, name, team, until] =
                places.map(|place| place.and_then(|place| row.get(place)).unwrap_or_default());
            // These are lines about the assignments.
            if gradebook.is_some() && (id.is_empty() || name == "Points Possible") {
                continue;
            }
            check_id(id).map_err(|what| wrong(line, what))?;
            let until = if until.is_empty() {
                None
            } else {
                let until: Result<Timestamp, _> = until.parse();
                Some(until.map_err(|_| wrong(line, format!("until: {WITH_ZONE}")))?)
            };
            let is_name = |column: &str| column.ends_with(" id") || column.contains("mail");
            let further = (0..row.len())
                .filter(|place| {
                    let column = columns.get(*place).map_or("", |column| column);
                    !places.contains(&Some(*place)) && (gradebook.is_none() || is_name(column))
                })
                .map(|place| row[place].to_owned());
            let further = further.filter(|name| !name.is_empty()).collect();
            let member = Member {
                id: id.to_owned(),
                name: name.to_owned(),
                further,
            };
            let shown = if team.is_empty() { id } else { team };
            let mut is_member = false;
            for (what, name) in [("id", id), ("team", shown)] {
                // Folders and players differ in more than their case.
                let key = (what, name.to_lowercase());
                let Some((before, other)) = taken.insert(key, (line, name.to_owned())) else {
                    continue;
                };
                is_member = what == "team" && !team.is_empty() && other == name;
                if !is_member || !roster.0.iter().any(|student| student.team == team) {
                    let is_team = what == "team" && other != name;
                    let (as_other, advice) = if is_team {
                        (
                            format!(", as {other:?}"),
                            "; write it alike for one team, or give each its own",
                        )
                    } else {
                        (String::new(), "; give each its own")
                    };
                    let what =
                        format!("the {what} {name:?} is in line {before} too{as_other}{advice}");
                    return Err(wrong(line, what));
                }
            }
            let same = roster
                .0
                .iter_mut()
                .find(|student| is_member && student.team == team);
            if let Some(student) = same {
                student.until = student.until.max(until);
                student.id = member.id.clone().min(student.id.clone());
                student.members.push(member);
            } else {
                let id = id.to_owned();
                let team = team.to_owned();
                roster.0.push(Student {
                    id,
                    members: vec![member],
                    team,
                    until,
                });
            }
        }
        Ok(roster)
    }

    /// Returns who hands in, in the order of the file.
    pub(crate) fn students(&self) -> impl ExactSizeIterator<Item = &Student> {
        self.0.iter()
    }

    /// Returns whom the teacher calls `name`.
    pub(crate) fn called(&self, name: &str) -> Option<&Student> {
        self.0
            .iter()
            .find(|student| student.has(name) || student.shown() == name)
    }

    /// Returns the student with this id, or the team that has a member with it.
    pub(crate) fn student(&self, id: &str) -> Option<&Student> {
        self.0.iter().find(|student| student.has(id))
    }
}

/// The lines of a file.
struct Table {
    /// In small letters.
    columns: Vec<String>,
    /// With their numbers, from 1; without those that say nothing.
    rows: Vec<(u64, StringRecord)>,
}

impl Table {
    fn parse(text: &[u8], file: &str) -> Result<Table, RosterError> {
        let wrong = |line, what| RosterError::Line {
            file: file.to_owned(),
            line,
            what,
        };
        // Spreadsheets put it there.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(text);
        let headers = reader
            .headers()
            .map_err(|error| wrong(1, error.to_string()))?;
        let columns: Vec<String> = headers.iter().map(str::to_lowercase).collect();
        if !columns.iter().any(|column| column == "id") {
            let what = "the first line has to name the columns: id,name,team";
            return Err(wrong(1, what.to_owned()));
        }
        let mut rows = Vec::new();
        for row in reader.records() {
            let row = row.map_err(|error| {
                let line = error.position().map_or(1, csv::Position::line);
                wrong(line, error.to_string())
            })?;
            if !row.iter().all(str::is_empty) {
                rows.push((row.position().map_or(1, csv::Position::line), row));
            }
        }
        Ok(Table { columns, rows })
    }
}

/// Writes into the file at `path` that the person with this `id` may hand in until `until`.
///
/// # Errors
/// If the file cannot be read or written.
pub(crate) fn extend(path: &Path, id: &str, until: Timestamp) -> Result<(), ClassError> {
    let file = path.display().to_string();
    let text = fs::read(path).map_err(ClassError::about(path))?;
    let Table { mut columns, rows } = Table::parse(&text, &file).map_err(ClassError::misuse)?;
    let place = |columns: &[String], name| columns.iter().position(|column| column == name);
    let longest = rows
        .iter()
        .map(|(_, row)| row.len())
        .max()
        .unwrap_or_default();
    let until_at = place(&columns, UNTIL).unwrap_or_else(|| {
        // Behind every cell that is there: one without a name of its column is a further name.
        columns.resize(columns.len().max(longest), String::new());
        columns.push(UNTIL.to_owned());
        columns.len() - 1
    });
    let id_at = place(&columns, "id").unwrap_or_default();
    let mut table = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    table.write_record(&columns).map_err(ClassError::fault)?;
    for (_, row) in &rows {
        let mut cells: Vec<&str> = row.iter().collect();
        let is_it = row.get(id_at) == Some(id);
        let until = until.to_string();
        if is_it {
            cells.resize(cells.len().max(until_at + 1), "");
            cells[until_at] = &until;
        }
        table.write_record(&cells).map_err(ClassError::fault)?;
    }
    let table = table.into_inner().map_err(ClassError::fault)?;
    write_whole(path, &table, true)?;
    Ok(())
}

/// The most characters of an id.
const LONGEST_ID: usize = 64;

/// Says what is wrong with an id, which is the name of a folder and part of names of files.
fn check_id(id: &str) -> Result<(), String> {
    if id.is_empty() {
        return Err("the student has no id".to_owned());
    }
    if id.len() > LONGEST_ID
        || id.starts_with('.')
        || !id
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "._-@+".contains(char))
    {
        return Err(format!(
            "the id {id:?} cannot be the name of a folder everywhere; take at most {LONGEST_ID} letters without accents, digits \
             and . _ - @ +, the first of them no dot"
        ));
    }
    // Grades are written under the id as it is, so that the learning platform finds the student. A
    // spreadsheet would run it, and a command would take it for an option.
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
    fn the_gradebook_of_canvas_is_a_roster() {
        let text = "Student,ID,SIS User ID,SIS Login ID,Section,Project 3 (77),Final Score\n\
                    ,,,,,Manual Posting,\n    Points Possible,,,,,100.0,(read only)\n\
                    \"Lovelace, Ada\",1111,004711,ada@x.edu,CS 32,95.0,95.0\n";
        let roster = parse(text).unwrap();
        let ada = roster.student("1111").unwrap();
        assert_eq!(
            (roster.students().len(), &*ada.names()),
            (1, "Lovelace, Ada")
        );
        assert_eq!(ada.members[0].further, ["004711", "ada@x.edu"]);
        assert_eq!(ada.members[0].mail(), "ada@x.edu");
    }

    #[test]
    fn a_roster_is_read_whatever_wrote_it() {
        let roster = parse(
            "\u{feff}Team,ID,e-mail,name\r\nPopeye,ada,l@x.edu,\"Lovelace, Ada\"\r\n\r\n,bob ,, Bob\r\n",
        );
        let roster = roster.unwrap();
        let students: Vec<_> = roster.students().collect();
        assert_eq!(students.len(), 2);
        assert_eq!(
            (&*students[0].names(), students[0].shown()),
            ("Lovelace, Ada", "Popeye")
        );
        assert_eq!(students[0].members[0].further, ["l@x.edu"]);
        assert_eq!((&*students[1].id, students[1].shown()), ("bob", "bob"));
        assert_eq!(roster.student("bob"), Some(students[1]));
        assert_eq!(parse("id\neve\n").unwrap().students().len(), 1);
        assert_eq!(parse("id,name,team\n").unwrap(), Roster::default());
    }

    #[test]
    fn a_team_is_one_that_hands_in() {
        let text =
            "id,name,team,until\nada,Ada,Duo,\neve,Eve,,\nbob,,Duo,2026-12-03T10:00:00+01:00\n";
        let roster = parse(text).unwrap();
        assert_eq!(roster.students().len(), 2);
        let duo = roster.student("bob").unwrap();
        assert_eq!(
            (&*duo.id, &*duo.names(), duo.shown()),
            ("ada", "Ada and bob", "Duo")
        );
        assert_eq!(duo.until.unwrap().to_string(), "2026-12-03T09:00:00Z");
    }

    #[test]
    fn an_extension_is_written_into_the_roster() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roster.csv");
        fs::write(&path, "name,id\r\n\"Lovelace, Ada\",ada\r\nBob,bob\r\n").unwrap();
        let until = |id: &str| Roster::read(&path).unwrap().student(id).unwrap().until;
        for time in ["2026-12-03T10:00:00Z", "2026-12-04T10:00:00Z"] {
            extend(&path, "bob", time.parse().unwrap()).unwrap();
            assert_eq!(until("bob"), Some(time.parse().unwrap()));
        }
        assert_eq!(until("ada"), None);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "name,id,until\n\"Lovelace, Ada\",ada\nBob,bob,2026-12-04T10:00:00Z\n"
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, what) in [
            ("", "line 1: the first line has to name the columns"),
            (
                "ada,Ada,Popeye\n",
                "line 1: the first line has to name the columns",
            ),
            (
                "id,name\n../ada,Ada\n",
                "line 2: the id \"../ada\" cannot be",
            ),
            ("id\n.git\n", "line 2: the id \".git\" cannot be"),
            ("id,name\n,Ada\n", "line 2: the student has no id"),
            ("id\n-x\n", "line 2: the id \"-x\" begins as a formula"),
            ("id\nada\n+1\n", "line 3: the id \"+1\" begins as a formula"),
            ("id\n@sum\n", "line 2: the id \"@sum\" begins as a formula"),
            ("id\n=1\n", "line 2: the id \"=1\" cannot be"),
            ("id\nada\nAda\n", "line 3: the id \"Ada\" is in line 2 too"),
            (
                "id,name,team\nada,,X\nbob,,x\n",
                "line 3: the team \"x\" is in line 2 too, as \"X\"",
            ),
            (
                "id,team\nada,bob\nbob,\n",
                "line 3: the team \"bob\" is in line 2 too",
            ),
            (
                "id,team\nada,X\nx,\n",
                "line 3: the team \"x\" is in line 2 too, as \"X\"",
            ),
            (
                "id,until\nada,soon\n",
                "line 2: until: write a date, a time and its zone",
            ),
            (
                "id,until\nada,2026-12-03T10:00:00\n",
                "line 2: until: write a date, a time and its zone",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
