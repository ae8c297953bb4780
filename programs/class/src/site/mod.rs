//! The pages of a class: one for all, and one for each student under a name that cannot be guessed.

mod games;
mod private;
mod public;

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::class::write_whole;
use crate::privacy::{keep_unchanged_by_others, make_public_folder, make_unlisted_folder};
use crate::requirement::RequirementGames;
use crate::secret::Secret;
use crate::{Class, ClassError, Store, Student, Sums};
use arena::record::{hexadecimal, write_page};
use pages::{Cell, CsvTable, SupplementTable};

/// The digits by which a bot goes under a pseudonym.
const DIGITS_OF_PSEUDONYM: usize = 6;

/// The names of students on public pages, and the files of their own pages.
pub(crate) struct Names {
    /// The student, the public name, the name of the page's file.
    all: Vec<(String, String, String)>,
}

impl Names {
    fn public<'n>(&'n self, id: &'n str) -> &'n str {
        self.all
            .iter()
            .find(|one| one.0 == id)
            .map_or(id, |one| &one.1)
    }

    /// Returns the id of the one whom public pages call `public`; `public` itself if there is none.
    pub(crate) fn id<'n>(&'n self, public: &'n str) -> &'n str {
        self.all
            .iter()
            .find(|one| one.1 == public)
            .map_or(public, |one| &one.0)
    }

    fn page(&self, id: &str) -> &str {
        self.all
            .iter()
            .find(|one| one.0 == id)
            .map_or("", |one| &one.2)
    }
}

/// The paths of the pages of a class.
#[derive(Clone, Debug)]
pub struct Pages {
    /// The page for all.
    pub index: PathBuf,
    /// The list of the owners of the pages, for the teacher alone.
    pub list: PathBuf,
}

/// Returns a table for a page.
fn table<'h>(
    head: impl IntoIterator<Item = &'h str>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> SupplementTable {
    let head = head.into_iter().map(str::to_owned).collect();
    SupplementTable {
        head,
        rows: rows.into_iter().collect(),
    }
}

impl Class {
    /// Writes the pages.
    ///
    /// # Errors
    /// If the index or a record cannot be read, or a page cannot be written.
    pub fn write_pages(&self) -> Result<Pages, ClassError> {
        let _lock = self.lock("site", true)?;
        let mut store = self.store()?;
        self.write_night(&mut store)?;
        let current = self.current(&store)?;
        let sums = store.sums(&self.terms_key())?;
        let playing: Vec<i64> = current.playing().map(|bot| bot.id).collect();
        let sums = SumsOfPages {
            shown: sums.among(&playing),
            all: sums,
            requirements: self.requirement_games(&store)?,
        };
        let names = self.names(&store)?;
        make_public_folder(&self.folder.site())?;
        make_unlisted_folder(&self.folder.private())?;
        let page = public::page(self, &store, &current, &names)?;
        let index = self.folder.site().join("index.html");
        write(&index, &page)?;
        for entry in &current.entries {
            let page = private::page(self, &store, &current, entry, &names, &sums)?;
            write(
                &self
                    .folder
                    .private()
                    .join(format!("{}.html", names.page(&entry.student.id))),
                &page,
            )?;
        }
        let list = write_list(self, &names)?;
        Ok(Pages { index, list })
    }

    /// Returns what pages call the students.
    ///
    /// # Errors
    /// If the index cannot be read or written.
    pub(crate) fn names(&self, store: &Store) -> Result<Names, ClassError> {
        let names = self.roster.students().map(|student| {
            let page = store.page_of(&student.id, &Secret::draw()?.digits())?;
            Ok((student.id.clone(), public_name(self, student, &page), page))
        });
        let all = names.collect::<Result<_, ClassError>>()?;
        Ok(Names { all })
    }
}

fn write(path: &Path, page: &str) -> Result<(), ClassError> {
    // The folders are the referee's own.
    write_page("", path, true, page).map_err(ClassError::fault)?;
    keep_unchanged_by_others(path);
    Ok(())
}

/// The sums of the games of each two bots.
struct SumsOfPages {
    /// Of the bots that play: the same on each page.
    shown: Sums,
    /// With those that played before.
    all: Sums,
    requirements: RequirementGames,
}

/// Writes down which page is whose, for the teacher alone.
fn write_list(class: &Class, names: &Names) -> Result<PathBuf, ClassError> {
    let mut table = CsvTable::new(["id", "name", "mail", "public name", "page"]);
    for (id, public, page) in &names.all {
        // The members of a team share a page.
        for member in class
            .roster
            .student(id)
            .into_iter()
            .flat_map(|student| &student.members)
        {
            table.add([
                Cell::from(&member.id),
                Cell::from(&member.name),
                Cell::from(member.mail()),
                Cell::from(public),
                Cell::from(format!("{page}.html")),
            ]);
        }
    }
    let path = class.folder.private().join("pages.csv");
    write_whole(&path, &table.into_bytes(), true)?;
    Ok(path)
}

fn public_name(class: &Class, student: &Student, page: &str) -> String {
    // The ids of a registrar are nobody else's business.
    let is_hidden = class.config.pseudonyms.unwrap_or(student.team.is_empty());
    if !is_hidden {
        return student.shown().to_owned();
    }
    // Of the page's name, so that it stays the same, and says nothing of it.
    let mut digits = hexadecimal(&Sha256::digest(format!("pseudonym {page}").as_bytes()));
    digits.truncate(DIGITS_OF_PSEUDONYM);
    format!("bot {digits}")
}
