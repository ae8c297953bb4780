//! `referee class site`: a page for all, and a page for each student under a name that cannot be guessed.

mod games;
mod private;
mod public;

use std::fs;
use std::io::Write;
use std::path::Path;

use class::Student;
use sha2::{Digest, Sha256};

use super::secret::Secret;
use super::{Class, make_folder, say};
use crate::cli::exit::Failure;
use engine::record::{hexadecimal, write_page};
use engine::system;
use pages::{Cell, CsvTable};

/// The digits by which a bot goes under a pseudonym.
const DIGITS_OF_PSEUDONYM: usize = 6;

/// How students are called on public pages, and where their own pages are.
struct Names {
    /// The student, the public name, the name of the page's file.
    all: Vec<(String, String, String)>,
}

impl Names {
    fn public<'n>(&'n self, id: &'n str) -> &'n str {
        self.all.iter().find(|one| one.0 == id).map_or(id, |one| &one.1)
    }

    fn page(&self, id: &str) -> &str {
        self.all.iter().find(|one| one.0 == id).map_or("", |one| &one.2)
    }
}

/// Writes the pages.
pub(in crate::cli) fn run(folder: &Path) -> Result<(), Failure> {
    let class = Class::open(folder)?;
    let mut store = class.store()?;
    class.write_night(&mut store)?;
    let current = class.current(&store)?;
    let sums = store.sums(&class.terms_key())?;
    let names = class.roster.students().map(|student| {
        let page = store.page_of(&student.id, &Secret::draw()?.digits())?;
        Ok((student.id.clone(), public_name(&class, student, &page), page))
    });
    let names = Names { all: names.collect::<Result<_, Failure>>()? };
    make_folder(&class.folder.site())?;
    make_folder(&class.folder.private())?;
    let page = public::page(&class, &store, &current, &names)?;
    write(&class.folder.site().join("index.html"), &page)?;
    for entry in &current.entries {
        let page = private::page(&class, &store, &current, entry, &names, &sums)?;
        write(
            &class.folder.private().join(format!("{}.html", names.page(&entry.student.id))),
            &page,
        )?;
    }
    write_list(&class, &names)?;
    say(format_args!(
        "{}: the page for all; {}: which page in that folder is whose",
        class.folder.site().join("index.html").display(),
        class.folder.private().join("pages.csv").display()
    ))
}

fn write(path: &Path, page: &str) -> Result<(), Failure> {
    // The folders are the referee's own.
    write_page("", path, true, page).map_err(Failure::misuse)
}

/// Writes down which page is whose, for the teacher alone.
fn write_list(class: &Class, names: &Names) -> Result<(), Failure> {
    let mut table = CsvTable::new(["id", "public name", "page"]);
    for (id, public, page) in &names.all {
        table.add([Cell::from(id), Cell::from(public), Cell::from(format!("{page}.html"))]);
    }
    let path = class.folder.private().join("pages.csv");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    system::for_owner_alone(&mut options);
    options.open(&path)?.write_all(&table.into_bytes())?;
    Ok(())
}

fn public_name(class: &Class, student: &Student, page: &str) -> String {
    if !class.config.pseudonyms {
        return student.shown().to_owned();
    }
    // Of the page's name, so that it stays the same, and says nothing of it.
    let mut digits = hexadecimal(&Sha256::digest(format!("pseudonym {page}").as_bytes()));
    digits.truncate(DIGITS_OF_PSEUDONYM);
    format!("bot {digits}")
}
