//! The games of some bots, read from their records, as a report needs them.

use std::collections::BTreeSet;

use crate::{Bot, Class, ClassError, Store};
use league::statistics::bradley_terry::Anchor;

use arena::result::{Choice, Ranking, RecordPool};
use battleship::game_reader::READERS;
use pages::{Collector, PastGame, Report, Source, Supplement, report_page};

/// The data of a report.
pub(super) struct Games {
    pub(super) ranking: Ranking,
    pub(super) collector: Collector,
}

impl Games {
    /// Returns their report as a page, with `supplement` around it.
    pub(super) fn page(self, supplement: &Supplement) -> String {
        let source = Source::records(self.ranking);
        let report = Report {
            source: &source,
            collector: &self.collector,
            records: &[],
            left_out: 0,
            live: None,
            supplement: Some(supplement),
        };
        report_page(&report)
    }
}

/// Reads the games between those of `bots` for which `meets` says so. `anchor` is the bot that has
/// this rating.
pub(super) fn read(
    class: &Class,
    store: &Store,
    bots: &[&Bot],
    anchor: Option<(i64, f64)>,
    meets: impl Fn(&Bot, &Bot) -> bool,
) -> Result<Games, ClassError> {
    let mut pool = RecordPool::new(Choice::default(), READERS);
    let mut collector = Collector::default();
    let find = |id: i64| bots.iter().find(|bot| bot.id == id);
    let pairings = store.pairings(&class.terms_key())?;
    let files: BTreeSet<&str> = pairings
        .iter()
        .filter(|pairing| {
            let [one, two] = pairing.bots.map(find);
            one.zip(two).is_some_and(|(one, two)| meets(one, two))
        })
        .map(|pairing| &*pairing.file)
        .collect();
    let mut number = 0;
    for file in files {
        let path = class.folder.path().join(file);
        let added = pool.add_file(&path, &mut |seats, game, unfinished| {
            number += 1;
            let Some(players) = seats else { return };
            collector.hear(PastGame {
                number,
                players,
                game,
                finished: !unfinished,
            });
        });
        // One damaged record must not keep the others from being shown.
        if let Err(error) = added {
            class.note(&format!("{error}; its games are not on the pages"));
        }
    }
    let names: Vec<&str> = pool.entrants().iter().map(|player| &*player.name).collect();
    let anchor = anchor.and_then(|(bot, rating)| {
        let name = find(bot)?.key.called();
        let player = names.iter().position(|other| *other == name)?;
        Some(Anchor::Player { player, rating })
    });
    let ranking = Ranking::new(&pool, anchor.unwrap_or_default());
    Ok(Games { ranking, collector })
}
