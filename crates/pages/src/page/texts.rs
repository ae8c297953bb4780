//! The sentences of a page that many games share, each written once.

use std::collections::HashMap;

use bothost::text;

use arena::game::EndedBy;
use arena::record::GameLine;

/// More different sentences than these are not kept, so that bots which say something else each
/// time cannot fill a page.
const MOST: usize = 2_000;

/// The sentence in place of the others.
const TOO_MANY: &str = "(left out: the page has too many different sentences)";

/// Sentences by number. They come from bots in part and are fit to be shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    all: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Texts {
    /// Returns the number of `text`, from 0.
    pub(super) fn index_of(&mut self, text: &str) -> u64 {
        let text = text::shortened(text);
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        if self.all.len() >= MOST && text != TOO_MANY {
            return self.index_of(TOO_MANY);
        }
        let number = self.all.len() as u64;
        self.numbers.insert(text.clone(), number);
        self.all.push(text);
        number
    }

    /// Returns how `game` ended, as the number of a sentence; `None` where the reason says all.
    pub(super) fn of_ending(&mut self, game: &GameLine) -> Option<u64> {
        (game.ended_by != EndedBy::FleetSunk).then(|| self.index_of(&game.reason))
    }

    /// Returns all sentences in the order of their numbers.
    pub(super) fn all(&self) -> &[String] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_sentences_than_the_page_keeps_share_one() {
        let mut texts = Texts::default();
        for number in 0..2 * MOST {
            texts.index_of(&format!("it said {number}"));
        }
        assert_eq!(texts.index_of("it said 7"), 7);
        assert_eq!(texts.index_of("it said 3999"), MOST as u64);
        assert_eq!(texts.all().len(), MOST + 1);
    }
}
