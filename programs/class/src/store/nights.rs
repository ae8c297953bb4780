//! The standings after each night, and the names of students' pages, in the index.

use rusqlite::params;

use super::{Store, StoreError};

/// The standing of a bot after a night.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The number of the bot.
    pub bot: i64,
    /// Its place, from 1; 0 for one that has none yet.
    pub place: u32,
    /// Its rating, and the ends of the 95% interval.
    pub rating: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Its games by then.
    pub games: u64,
}

impl Store {
    /// Writes down how the bots stood after the night of `day`, in place of what was known of it.
    /// What is known of a bot that has been replaced since stays: it is the last that is.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put_night(
        &mut self,
        day: &str,
        standings: &[Standing],
    ) -> Result<(), StoreError> {
        self.change(|transaction| {
            let mut insert = transaction
                .prepare_cached("INSERT OR REPLACE INTO night VALUES (?, ?, ?, ?, ?, ?, ?)")?;
            for Standing {
                bot,
                place,
                rating,
                low,
                high,
                games,
            } in standings
            {
                insert.execute(params![day, bot, place, rating, low, high, games])?;
            }
            Ok(())
        })
    }

    /// Returns how the bots stood after each night, the first night first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn nights(&self) -> Result<Vec<(String, Standing)>, StoreError> {
        self.rows("SELECT * FROM night ORDER BY day, place, bot", [], |row| {
            let standing = Standing {
                bot: row.get("bot")?,
                place: row.get("place")?,
                rating: row.get("rating")?,
                low: row.get("low")?,
                high: row.get("high")?,
                games: row.get("games")?,
            };
            Ok((row.get("day")?, standing))
        })
    }

    /// Returns the name of a student's own page. It is `new` if the student has none yet, and stays
    /// the same from then on.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn page_of(&self, student: &str, new: &str) -> Result<String, StoreError> {
        self.value(
            "INSERT INTO secret VALUES (?, ?) ON CONFLICT DO UPDATE SET page = page RETURNING page",
            [student, new],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::BotKey;
    use super::*;

    #[test]
    fn a_night_is_replaced_but_for_bots_that_play_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("class.db")).unwrap();
        let put = |digest| {
            store
                .put_bot(&BotKey::of_student("ada", digest), "x")
                .unwrap()
        };
        let [one, two] = ["a", "b"].map(put);
        let standing = |bot, rating: f64| Standing {
            bot,
            place: u32::from(bot == two),
            rating,
            low: -1.5,
            high: 3.0,
            games: 7,
        };
        store
            .put_night("2026-12-01", &[standing(one, 5.0), standing(two, 1.0)])
            .unwrap();
        store
            .put_night("2026-12-02", &[standing(two, 2.0)])
            .unwrap();
        store
            .put_night("2026-12-01", &[standing(two, 6.0)])
            .unwrap();
        let nights = store.nights().unwrap();
        assert_eq!(
            nights,
            [
                ("2026-12-01".to_owned(), standing(one, 5.0)),
                ("2026-12-01".to_owned(), standing(two, 6.0)),
                ("2026-12-02".to_owned(), standing(two, 2.0)),
            ]
        );
    }

    #[test]
    fn a_page_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("class.db")).unwrap();
        assert_eq!(store.page_of("ada", "x1").unwrap(), "x1");
        assert_eq!(store.page_of("ada", "x2").unwrap(), "x1");
        assert_eq!(store.page_of("bob", "x2").unwrap(), "x2");
    }
}
