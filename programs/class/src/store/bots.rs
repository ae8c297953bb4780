//! The bots that play, in the index.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Store, StoreError, stored_as_word, time};
use crate::checked::Checked;
use kits::COURSE;

/// The key that tells bots apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct BotKey {
    /// Of the roster; empty for a bot of the staff.
    pub student: String,
    /// Of a bot of the staff; else empty.
    pub name: String,
    /// Of all its files and its command.
    pub digest: String,
}

impl BotKey {
    /// Returns the key of what a student has handed in.
    pub(crate) fn of_student(student: &str, digest: &str) -> BotKey {
        let student = student.to_owned();
        let digest = digest.to_owned();
        BotKey {
            student,
            name: String::new(),
            digest,
        }
    }

    /// Returns the key of a bot of the staff.
    pub(crate) fn of_staff(name: &str, digest: &str) -> BotKey {
        let name = name.to_owned();
        let digest = digest.to_owned();
        BotKey {
            student: String::new(),
            name,
            digest,
        }
    }

    /// Returns what records call it: by the student's id, or by its name if it is the staff's.
    pub(crate) fn called(&self) -> &str {
        if self.is_staff() {
            &self.name
        } else {
            &self.student
        }
    }

    /// Returns the number that a bot of this key gets in the index: 63 bits of the SHA-256 of the
    /// key. Two bots play with the lower number first, so numbers must not depend on which of them
    /// was built first.
    fn number(&self) -> i64 {
        let mut digest = Sha256::new();
        for part in [&self.student, &self.name, &self.digest] {
            digest.update(part.as_bytes());
            digest.update(b"\0");
        }
        let digest = digest.finalize();
        let bits = u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"));
        (bits >> 1).cast_signed()
    }

    /// Returns whether it is a bot of the staff.
    pub(crate) fn is_staff(&self) -> bool {
        self.student.is_empty()
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It keeps to the protocol, and plays.
    Sound,
    /// It plays, but breaks the protocol somewhere.
    Faulty,
    /// The bot spoils each of its games, so it does not play.
    Unfit,
}

impl Verdict {
    const ALL: [Verdict; 3] = [Verdict::Sound, Verdict::Faulty, Verdict::Unfit];

    const fn word(self) -> &'static str {
        match self {
            Verdict::Sound => "sound",
            Verdict::Faulty => "faulty",
            Verdict::Unfit => "unfit",
        }
    }
}

stored_as_word!(Verdict);

/// A bot that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bot {
    /// Its number in the index.
    pub id: i64,
    /// The key that tells it from others.
    pub key: BotKey,
    /// The command that starts it in its folder.
    pub command: String,
    /// The result of its check; `None` before that.
    pub verdict: Option<Verdict>,
    /// The digest of the terms under which it was checked.
    pub checked: String,
    /// Whether it is built of the course's classes, whose programs play one game.
    pub of_course: bool,
    /// Whether the results of its checks are there as data. An earlier version of this program kept
    /// the printed report alone.
    pub has_results: bool,
}

impl Bot {
    /// Returns whether the bot is to be checked under these terms. An earlier version of this
    /// program found more bots unfit.
    pub(crate) fn is_unchecked(&self, terms: &str) -> bool {
        let is_old = self.verdict == Some(Verdict::Unfit) && !self.has_results;
        self.verdict.is_none() || self.checked != terms || is_old
    }

    /// Returns a bot without known facts and without a number.
    pub(crate) fn unknown(key: BotKey, command: String) -> Bot {
        Bot {
            id: 0,
            key,
            command,
            verdict: None,
            checked: String::new(),
            of_course: false,
            has_results: false,
        }
    }
}

impl Store {
    /// Returns the number of a bot, which may be new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put_bot(&self, key: &BotKey, command: &str) -> Result<i64, StoreError> {
        // The update changes nothing: without it there would be nothing to return for a bot that is
        // known.
        self.value(
            "INSERT INTO bot (id, student, name, digest, command) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (student, name, digest) DO UPDATE SET command = command RETURNING id",
            params![key.number(), key.student, key.name, key.digest, command],
        )
    }

    /// Writes down what a check under these terms has found, behind the results of earlier ones.
    /// The result gives the bot its verdict if it is the first, or if the bot could not play by the
    /// earlier ones and can by this one: no check takes from a bot that it plays.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put_check(
        &mut self,
        bot: i64,
        terms: &str,
        result: &Checked,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(result).expect("it has nothing that JSON has not");
        let played = result.played.as_second();
        self.change(|transaction| {
            transaction.execute(
                "INSERT INTO check_result (bot, terms, number, played, result) SELECT ?1, ?2, count(*), ?3, ?4
                 FROM check_result WHERE bot = ?1 AND terms = ?2",
                params![bot, terms, played, text],
            )?;
            transaction.execute(
                "UPDATE bot SET verdict = ?3, checked = ?2, report = ?4 WHERE id = ?1
                 AND (verdict IS NULL OR checked <> ?2 OR verdict = ?5)",
                params![bot, terms, result.verdict, result.report, Verdict::Unfit],
            )?;
            Ok(())
        })
    }

    /// Returns the results of the checks of a bot under these terms, the first one first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn checks(&self, bot: i64, terms: &str) -> Result<Vec<Checked>, StoreError> {
        let rows: Vec<(i64, String)> = self.rows(
            "SELECT played, result FROM check_result WHERE bot = ? AND terms = ? ORDER BY number",
            params![bot, terms],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        // A result that a later version wrote in another form is left out.
        let results = rows.iter().map(|(played, text)| {
            let result: Checked = serde_json::from_str(text).ok()?;
            Some(Checked {
                played: time(*played),
                ..result
            })
        });
        Ok(results.flatten().collect())
    }

    /// Returns what the check of a bot printed; nothing before that.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such bot.
    pub(crate) fn report(&self, bot: i64) -> Result<String, StoreError> {
        self.value("SELECT report FROM bot WHERE id = ?", [bot])
    }

    /// Returns all bots, by their numbers. Reports are long and are not read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn bots(&self) -> Result<Vec<Bot>, StoreError> {
        self.rows(
            "SELECT id, student, name, digest, command, verdict, checked, EXISTS (
                 SELECT 1 FROM version
                 WHERE version.student = bot.student AND version.digest = bot.digest AND kind = ?
             ) AS of_course, EXISTS (
                 SELECT 1 FROM check_result WHERE bot = bot.id AND terms = bot.checked
             ) AS has_results FROM bot ORDER BY id",
            [COURSE],
            bot_of,
        )
    }
}

fn bot_of(row: &Row<'_>) -> rusqlite::Result<Bot> {
    Ok(Bot {
        id: row.get("id")?,
        key: BotKey {
            student: row.get("student")?,
            name: row.get("name")?,
            digest: row.get("digest")?,
        },
        command: row.get("command")?,
        verdict: row.get("verdict")?,
        checked: row.get("checked")?,
        of_course: row.get("of_course")?,
        has_results: row.get("has_results")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::CheckedGames;

    fn checked(verdict: Verdict, report: &str) -> Checked {
        Checked {
            name: "ada".to_owned(),
            verdict,
            report: report.to_owned(),
            why: String::new(),
            played: jiff::Timestamp::UNIX_EPOCH,
            steps: Vec::new(),
            games: CheckedGames::default(),
        }
    }

    /// The verdict was that of the last check, so it depended on how often a teacher looked.
    #[test]
    fn the_first_check_decides_but_for_a_bot_that_can_play_after_all() {
        use Verdict::{Faulty, Sound, Unfit};
        for (verdicts, decided) in [
            (&[Sound, Unfit, Faulty][..], Sound),
            (&[Faulty, Unfit, Sound], Faulty),
            (&[Unfit, Unfit, Faulty, Sound], Faulty),
            (&[Unfit, Unfit], Unfit),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut store = Store::open(&folder.path().join("class.db")).unwrap();
            let bot = store
                .put_bot(&BotKey::of_student("ada", "d1"), "./bot")
                .unwrap();
            for verdict in verdicts {
                let result = checked(*verdict, &verdict.to_string());
                store.put_check(bot, "t", &result).unwrap();
            }
            let stored = &store.bots().unwrap()[0];
            assert_eq!(stored.verdict, Some(decided), "{verdicts:?}");
            assert_eq!(store.report(bot).unwrap(), decided.to_string());
            assert!(stored.has_results);
            let results = store.checks(bot, "t").unwrap();
            let all: Vec<Verdict> = results.iter().map(|result| result.verdict).collect();
            assert_eq!(all, verdicts);
            // Other terms are another game.
            store.put_check(bot, "other", &checked(Unfit, "")).unwrap();
            assert_eq!(store.bots().unwrap()[0].verdict, Some(Unfit));
        }
    }

    #[test]
    fn a_bot_has_one_number_however_often_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("class.db")).unwrap();
        let key = |student: &str, name: &str, digest: &str| BotKey {
            student: student.to_owned(),
            name: name.to_owned(),
            digest: digest.to_owned(),
        };
        let ada = store.put_bot(&key("ada", "", "d1"), "./bot").unwrap();
        let others = [
            key("ada", "", "d2"),
            key("bob", "", "d1"),
            key("", "good", "d1"),
        ];
        let others = others.map(|key| store.put_bot(&key, "./bot").unwrap());
        assert!(!others.contains(&ada));
        let unfit = checked(Verdict::Unfit, "it crashed");
        store.put_check(ada, "t", &unfit).unwrap();
        assert_eq!(store.put_bot(&key("ada", "", "d1"), "./bot").unwrap(), ada);
        let bots = store.bots().unwrap();
        assert_eq!(bots.len(), 4);
        let find = |id: i64| bots.iter().find(|bot| bot.id == id).unwrap();
        assert_eq!(find(ada).verdict, Some(Verdict::Unfit));
        assert_eq!(store.report(ada).unwrap(), "it crashed");
        assert_eq!(
            others.map(|id| find(id).key.called()),
            ["ada", "bob", "good"]
        );
        assert!(find(others[2]).key.is_staff() && find(others[2]).verdict.is_none());
        // Whichever comes first: another index gives the same numbers.
        let again = Store::open(&folder.path().join("again.db")).unwrap();
        again.put_bot(&key("", "good", "d1"), "good").unwrap();
        assert_eq!(again.put_bot(&key("ada", "", "d1"), "./bot").unwrap(), ada);
    }
}
