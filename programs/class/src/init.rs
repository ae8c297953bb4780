//! The folder of a new class.

use std::path::{Path, PathBuf};

use crate::class::write_whole;
use crate::privacy::{make_private_folder, make_public_folder, make_unlisted_folder};
use crate::secret::Secret;
use crate::{ClassError, ClassFolder};

const ROSTER: &str = "id,name,team\n";

/// Makes the folder of a class called `name`, or after its folder. Nothing that is there is
/// replaced. Returns the folder.
///
/// # Errors
/// If there is a class already, or the folder cannot be made.
pub fn init(folder: &Path, name: Option<&str>) -> Result<PathBuf, ClassError> {
    if !folder.exists() {
        make_public_folder(folder)?;
    }
    let absolute = std::path::absolute(folder)?;
    let name = name.map_or_else(
        || {
            absolute
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        },
        str::to_owned,
    );
    let class = ClassFolder::new(folder);
    let file = class.config();
    let exists = format!("{} exists: this is the folder of a class", file.display());
    if file.exists() {
        return Err(ClassError::Misuse(exists));
    }
    Secret::draw()?.write(&class.secret())?;
    write_whole(&class.roster(), ROSTER.as_bytes(), false)?;
    make_private_folder(&class.submissions())?;
    make_unlisted_folder(&class.private())?;
    // Last of all: it makes the folder that of a class.
    if !write_whole(&file, config(&name).as_bytes(), false)? {
        return Err(ClassError::Misuse(exists));
    }
    Ok(absolute)
}

fn config(name: &str) -> String {
    // Text of JSON is text of TOML, too.
    let name = serde_json::Value::from(name);
    format!(
        "# What this class plays. docs/class.md has every setting.\n\
         name = {name}\n\
         # deadline = 2026-12-01T23:59:00-08:00    # with its zone; Z is UTC\n\
         # grace = \"1m\"\n\
         # pseudonyms = true   # for teams, too; false shows the ids of students without a team\n\
         \n\
         [game]\n\
         # Options of referee match, without the dashes: rules = \"twist\", limit = \"2s\", max-memory = 512.\n\
         # Bots are confined to a sandbox; where that cannot be, write sandbox = \"basic\" or sandbox = false.\n\
         \n\
         [build]\n\
         # allow = [\"/home/teacher/jdk\"] for compilers that are not installed with the system.\n\
         # For classes of a course (referee new cs32): the folder with its headers, the player, and flags.\n\
         # skeleton = \"handed-out\"\n\
         # type = \"good\"\n\
         # flags = \"-O2 -fpermissive\"\n\
         \n\
         [play]\n\
         # restart = true   # new processes for each game, as classes of a course have by themselves\n\
         # games = 200      # against each bot of the staff below: they decide the requirements\n\
         # series = 10      # games that the same two processes play in a row\n\
         \n\
         [[staff]]\n\
         name = \"awful\"\n\
         command = \"awful\"\n\
         \n\
         [[staff]]\n\
         name = \"mediocre\"\n\
         command = \"mediocre\"\n\
         rating = 1000\n\
         \n\
         [[staff]]\n\
         name = \"good\"\n\
         command = \"good\"\n\
         \n\
         # The bots that referee new writes score about 0.7 against awful and 0.6 against mediocre; fair scores 0.8\n\
         # against mediocre. A bar should lie at least 0.1 away from a strength that many programs have.\n\
         [[grade]]\n\
         against = \"awful\"\n\
         above = 0.5\n\
         points = 40\n\
         \n\
         [[grade]]\n\
         against = \"mediocre\"\n\
         above = 0.4\n\
         points = 30\n\
         \n\
         [[grade]]\n\
         against = \"mediocre\"\n\
         above = 0.7\n\
         points = 30\n"
    )
}
