//! The standings of the bots of a class, for the history and for pages.

use crate::choice::rate;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use league::statistics::bradley_terry::Anchor;

use crate::current::Current;
use crate::{Class, ClassError, Standing, Store};

impl Class {
    /// Returns how the bots that play stand. Those with too few games have no place.
    pub(crate) fn standings(
        &self,
        store: &Store,
        current: &Current<'_>,
    ) -> Result<Vec<Standing>, ClassError> {
        let pairings = store.pairings(&self.terms_key())?;
        let bots: Vec<i64> = current.playing().map(|bot| bot.id).collect();
        let place = |bot: i64| bots.iter().position(|other| *other == bot);
        let anchor = self.anchor(current);
        let anchor = anchor.and_then(|(bot, rating)| {
            Some(Anchor::Player {
                player: place(bot)?,
                rating,
            })
        });
        let ratings = rate(&bots, &pairings, anchor.unwrap_or_default());
        let mut games = vec![0; bots.len()];
        for pairing in &pairings {
            if let [Some(one), Some(two)] = pairing.bots.map(place) {
                games[one] += pairing.results.games;
                games[two] += pairing.results.games;
            }
        }
        let least = u64::from(self.config.play.provisional());
        let mut standings: Vec<Standing> = bots
            .iter()
            .zip(&ratings.players)
            .zip(games)
            .filter_map(|((bot, rating), games)| {
                let rating = rating.as_ref()?;
                Some(Standing {
                    bot: *bot,
                    place: 0,
                    rating: rating.rating,
                    low: rating.low,
                    high: rating.high,
                    games,
                })
            })
            .collect();
        standings.sort_by(|one, two| two.rating.total_cmp(&one.rating));
        let is_staff = |bot: i64| current.staff.iter().any(|staff| staff.id == bot);
        let placed = standings
            .iter_mut()
            .filter(|one| one.games >= least || is_staff(one.bot));
        for (place, standing) in (1..).zip(placed) {
            standing.place = place;
        }
        Ok(standings)
    }

    /// Writes down how the bots stand after this night.
    pub(crate) fn write_night(&self, store: &mut Store) -> Result<(), ClassError> {
        let current = self.current(store)?;
        let last = store
            .pairings(&self.terms_key())?
            .iter()
            .map(|pairing| pairing.last)
            .max();
        let Some(last) = last else { return Ok(()) };
        let standings = self.standings(store, &current)?;
        Ok(store.put_night(&night_of(last), &standings)?)
    }
}

/// Returns the day on whose evening the night began to which this time belongs, in the time zone of
/// this machine.
fn night_of(at: Timestamp) -> String {
    let noon = at
        .to_zoned_datetime(TimeZone::system())
        .checked_sub(Span::new().hours(12));
    noon.map_or_else(|_| String::new(), |day| day.date().to_string())
}
