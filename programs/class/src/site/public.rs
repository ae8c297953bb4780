//! The page for all: standings of the bots that play, without anything of a single game.

use std::collections::BTreeMap;

use super::games::read;
use super::{Names, table};
use crate::current::Current;
use crate::grade::why;
use crate::{Bot, Class, ClassError, Store};
use arena::result::PROVISIONAL;
use pages::{Supplement, SupplementPart};

/// The number of nights that are shown.
const NIGHTS: usize = 14;

/// Returns the page.
pub(super) fn page(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    names: &Names,
) -> Result<String, ClassError> {
    let bots: Vec<&Bot> = current.playing().collect();
    let anchor = class.anchor(current);
    let mut games = read(class, store, &bots, anchor, |_, _| true)?;
    games.collector.without_games();
    let kind = |id: &str| {
        let entry = current.of(id)?;
        let digest = &entry.bot.as_ref()?.key.digest;
        let version = entry
            .versions
            .iter()
            .rev()
            .find(|version| version.digest == *digest)?;
        Some(version.kind.clone())
    };
    let least = u64::from(class.config.play.provisional());
    for player in &mut games.ranking.players {
        let id = std::mem::take(&mut player.name);
        let is_staff = current.staff(&id).is_some();
        if !is_staff
            && player.tally.games < least
            && let Some(place) = &mut player.place
        {
            PROVISIONAL.clone_into(&mut place.note);
        }
        // The command of a bot, its own name and its output may tell whose it is.
        player.command = if is_staff {
            player.command.clone()
        } else {
            kind(&id).unwrap_or_default()
        };
        player.tally.own_name = None;
        player.tally.warnings.clear();
        player.tally.worst = None;
        names.public(&id).clone_into(&mut player.name);
    }
    let supplement = supplement(class, store, current, names, games.ranking.games)?;
    Ok(games.page(&supplement))
}

fn supplement(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    names: &Names,
    games: u64,
) -> Result<Supplement, ClassError> {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    let students = current
        .entries
        .iter()
        .filter(|entry| entry.bot.is_some())
        .count();
    let mut intro = vec![format!(
        "{students} bots of {} students play, and {} of the staff. Written at {now}.",
        current.entries.len(),
        current.staff.len()
    )];
    if let Some(deadline) = class.config.deadline {
        intro.push(format!("Versions count that were handed in by {deadline}."));
    }
    if games > 0 {
        intro.push(format!(
            "A bot is {PROVISIONAL} until it has played {} games. Each student's own page has the build, the check, and games \
             to watch.",
            class.config.play.provisional()
        ));
    } else {
        intro.push("No games have been played yet.".to_owned());
    }
    let mut parts = Vec::new();
    let mut absent = Vec::new();
    for entry in current.entries.iter().filter(|entry| entry.bot.is_none()) {
        let name = names.public(&entry.student.id).to_owned();
        absent.push(vec![name, why(class, entry)?]);
    }
    if !absent.is_empty() {
        parts.push(SupplementPart {
            title: "Not playing".to_owned(),
            table: Some(table(["bot", "why"], absent)),
            ..SupplementPart::default()
        });
    }
    parts.extend(history(store, current, names)?);
    let title = class.config.name.clone();
    Ok(Supplement {
        title,
        intro,
        parts,
        parts_last: true,
        ..Supplement::default()
    })
}

/// Returns who stood where after each night.
fn history(
    store: &Store,
    current: &Current<'_>,
    names: &Names,
) -> Result<Option<SupplementPart>, ClassError> {
    let bots: BTreeMap<i64, Bot> = store.bots()?.into_iter().map(|bot| (bot.id, bot)).collect();
    // By author: a new version continues the line of the one before it.
    let mut rows: BTreeMap<String, BTreeMap<String, (Option<usize>, String)>> = BTreeMap::new();
    let mut days = Vec::new();
    for (day, standing) in store.nights()? {
        let Some(bot) = bots.get(&standing.bot) else {
            continue;
        };
        if days.last() != Some(&day) {
            days.push(day.clone());
        }
        let place = if standing.place == 0 {
            "–".to_owned()
        } else {
            standing.place.to_string()
        };
        let shown = format!("{place} ({:.0})", standing.rating);
        let versions = current.of(bot.key.called()).map(|entry| &entry.versions);
        let version = versions.and_then(|all| {
            all.iter()
                .rposition(|version| version.digest == bot.key.digest)
        });
        // Of two versions of a day, the later one.
        let of_day = rows
            .entry(bot.key.called().to_owned())
            .or_default()
            .entry(day)
            .or_default();
        *of_day = (version, shown).max(std::mem::take(of_day));
    }
    if days.len() < 2 {
        return Ok(None);
    }
    let days = &days[days.len().saturating_sub(NIGHTS)..];
    let called = current.playing().map(|bot| bot.key.called());
    let rows = called.filter_map(|name| {
        let of_days = rows.get(name)?;
        let cells = days.iter().map(|day| {
            of_days
                .get(day)
                .map(|(_, shown)| shown.clone())
                .unwrap_or_default()
        });
        Some(
            [names.public(name).to_owned()]
                .into_iter()
                .chain(cells)
                .collect(),
        )
    });
    let head = ["bot"].into_iter().chain(days.iter().map(String::as_str));
    Ok(Some(SupplementPart {
        title: "Night by night".to_owned(),
        lines: vec![
            "The place after each night, and the rating; – before there were enough games."
                .to_owned(),
        ],
        table: Some(table(head, rows)),
        ..SupplementPart::default()
    }))
}
