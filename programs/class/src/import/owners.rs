//! The owner of a submission: students by all names that a platform may give them.

use std::collections::{BTreeMap, BTreeSet};

use deunicode::deunicode;

use crate::Student;
use crate::roster::Roster;

/// The students by their ids, addresses, numbers and names, in small letters without accents and
/// spaces.
pub(super) struct Owners<'r> {
    roster: Vec<&'r Student>,
    /// By what the roster gives one person alone: places of the student and of the member.
    sure: Named,
    /// By names, which several can have.
    names: Named,
    /// Teams by their names: the places of their first members.
    teams: Named,
}

type Named = BTreeMap<String, BTreeSet<(usize, usize)>>;

/// The one who handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner<'r> {
    pub(super) student: &'r Student,
    /// In whose folder it belongs.
    pub(super) id: &'r str,
}

impl<'r> Owners<'r> {
    pub(super) fn new(roster: &'r Roster) -> Owners<'r> {
        let mut owners = Owners {
            roster: roster.students().collect(),
            sure: Named::new(),
            names: Named::new(),
            teams: Named::new(),
        };
        for (place, student) in roster.students().enumerate() {
            if !student.team.is_empty() {
                let first = student
                    .members
                    .iter()
                    .position(|member| member.id == student.id);
                add(
                    &mut owners.teams,
                    key(&student.team),
                    (place, first.unwrap_or_default()),
                );
            }
            for (number, member) in student.members.iter().enumerate() {
                for called in member.further.iter().chain([&member.id]) {
                    add(&mut owners.sure, key(called), (place, number));
                    if let Some((user, _)) = called.split_once('@') {
                        add(&mut owners.names, key(user), (place, number));
                    }
                }
                for name in orders(&member.name) {
                    add(&mut owners.names, name, (place, number));
                }
            }
        }
        owners
    }

    /// Returns the one whom these names fit, the surest first: the first that fits one alone
    /// decides.
    ///
    /// # Errors
    /// If they fit none or several, or if another name fits somebody else: in words.
    pub(super) fn find(&self, called: &[String]) -> Result<Owner<'r>, String> {
        let mut several = None;
        let mut decided: Option<(&String, Owner<'r>)> = None;
        let fits = called.iter().map(|name| (name, self.fitting(name)));
        let fits: Vec<_> = fits.filter(|(_, found)| !found.is_empty()).collect();
        for (name, found) in &fits {
            match self.only(found) {
                Some(owner) => {
                    decided.get_or_insert((name, owner));
                }
                None => several = several.or(Some(found)),
            }
        }
        if let Some((name, owner)) = decided {
            let Some((other, found)) = fits.iter().find(|(_, found)| {
                !found
                    .iter()
                    .any(|(place, _)| self.roster[*place].id == owner.student.id)
            }) else {
                return Ok(owner);
            };
            let [name, other] = [name, other].map(|name| kits::quoted(name));
            let id = owner.id;
            let others = self.ids(found);
            return Err(format!(
                "{name} is {id} in the roster, but {other} fits {others}; correct the roster, or add it by hand"
            ));
        }
        let called: Vec<String> = called.iter().map(|name| kits::quoted(name)).collect();
        let called = called.join(" or ");
        Err(match several {
            None => format!("the roster has no student called {called}"),
            Some(found) => format!("{called} can be {}", self.ids(found)),
        })
    }
}

impl<'r> Owners<'r> {
    /// Returns the places of those whom a name fits: by what is surest of it alone.
    fn fitting(&self, name: &str) -> BTreeSet<(usize, usize)> {
        // Two ids may differ in their points alone.
        for (place, student) in self.roster.iter().enumerate() {
            if let Some(number) = student.members.iter().position(|member| member.id == name) {
                return BTreeSet::from([(place, number)]);
            }
        }
        let plain = key(name);
        let mut known = [&self.sure, &self.names, &self.teams].into_iter();
        let found = known.find_map(|named| named.get(&plain)).cloned();
        found.unwrap_or_else(|| self.of_team(name))
    }

    fn ids(&self, found: &BTreeSet<(usize, usize)>) -> String {
        found
            .iter()
            .map(|(student, member)| self.roster[*student].members[*member].id.as_str())
            .collect::<Vec<_>>()
            .join(" or ")
    }

    /// Returns the owner if all of these places are of one student or team.
    fn only(&self, found: &BTreeSet<(usize, usize)>) -> Option<Owner<'r>> {
        let (place, number) = found.first()?;
        let is_one = found.iter().all(|(other, _)| other == place);
        let student = self.roster[*place];
        is_one.then(|| Owner {
            student,
            id: &student.members[*number].id,
        })
    }

    /// Returns the places of `Duo-Ada Lovelace`: Moodle writes the team before the name, with a `-`
    /// that names have, too. So the team has to be in the roster, and nobody of another team.
    fn of_team(&self, name: &str) -> BTreeSet<(usize, usize)> {
        let parts = name
            .match_indices('-')
            .map(|(at, _)| (&name[..at], &name[at + 1..]));
        let mut teams = parts.filter_map(|(team, person)| {
            let team = self.teams.get(&key(team))?;
            let person = self.fitting(person);
            if person.is_empty() {
                return Some(team.clone());
            }
            let places: Vec<usize> = team.iter().map(|(place, _)| *place).collect();
            let of_team = person
                .into_iter()
                .filter(|(place, _)| places.contains(place));
            Some(of_team.collect())
        });
        teams.next().unwrap_or_default()
    }
}

fn add(named: &mut Named, key: String, place: (usize, usize)) {
    if !key.is_empty() {
        named.entry(key).or_default().insert(place);
    }
}

/// Returns `text` without all that platforms write in different ways.
fn key(text: &str) -> String {
    let plain = deunicode(text);
    plain
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|char| char.to_ascii_lowercase())
        .collect()
}

/// Returns the words of a name one after another, from each of them on: whichever is the surname, a
/// platform that puts it first has one of these.
fn orders(name: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> = name
        .split([' ', ','])
        .map(key)
        .filter(|word| !word.is_empty())
        .collect();
    (0..words.len()).map(move |first| [&words[first..], &words[..first]].concat().concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(called: &str) -> Result<String, String> {
        let text = "id,name,team,mail,canvas\n\
                    ada,Ada King Lovelace,,lovelace@x.edu,12345\n\
                    s17,\"de la Cruz, José\",Duo,,\n\
                    s18,Anne-Marie Smith,Duo,,\n\
                    s19,Sam Lee,,,\ns20,Lee Sam,,,\n";
        let roster = Roster::parse(text.as_bytes(), "roster.csv").unwrap();
        let owners = Owners::new(&roster);
        let called: Vec<String> = called.split(" | ").map(str::to_owned).collect();
        owners.find(&called).map(|owner| owner.id.to_owned())
    }

    #[test]
    fn a_student_is_found_under_each_name() {
        for (called, id) in [
            ("ada", "ada"),
            ("Lovelace@X.edu", "ada"),
            ("lovelace", "ada"),
            ("nobody | 12345", "ada"),
            ("lovelaceadaking", "ada"),
            ("Ada King Lovelace", "ada"),
            ("delacruzjosé", "s17"),
            ("delacruzjose", "s17"),
            ("Jose\u{301} de la Cruz", "s17"),
            ("smithannemarie", "s18"),
            ("Duo", "s17"),
            ("samlee | s20", "s20"),
            ("Duo-José de la Cruz | 99", "s17"),
            ("Duo-Anne-Marie Smith | 99", "s18"),
            ("Duo-Somebody | 99", "s17"),
            ("Anne-Ada King Lovelace | 12345", "ada"),
            ("12345 | lovelaceadaking", "ada"),
            ("s20 | samlee", "s20"),
        ] {
            assert_eq!(found(called).as_deref(), Ok(id), "{called:?}");
        }
    }

    #[test]
    fn a_name_that_fits_none_or_several_is_told() {
        let none = found("eve | 77").unwrap_err();
        assert_eq!(none, "the roster has no student called \"eve\" or \"77\"");
        let several = found("samlee | 77").unwrap_err();
        assert_eq!(several, "\"samlee\" or \"77\" can be s19 or s20");
        // A file went to the one whose name it has, though the number of the platform is another's.
        for (called, why) in [
            (
                "12345 | delacruzjose",
                "\"12345\" is ada in the roster, but \"delacruzjose\" fits s17;",
            ),
            (
                "12345 | samlee",
                "\"12345\" is ada in the roster, but \"samlee\" fits s19 or s20;",
            ),
        ] {
            let error = found(called).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        assert!(found("").is_err());
        // A part of a name is not the name.
        assert!(found("Anne-Ada King Lovelace | 99").is_err());
        // One who is not in the team.
        assert!(found("Duo-Ada King Lovelace | 99").is_err());
        assert!(found("12345 | Duo-Anne-Marie Smith").is_err());
    }
}
