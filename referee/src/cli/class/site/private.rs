//! The page of one student: each version, and why games were lost. Of others it has names and results only.

use class::choice::score;
use class::{Bot, State, Store, Verdict, shown_time};

use super::super::Class;
use super::super::current::{Current, Entry};
use super::super::grade::why;
use super::Names;
use super::games::{Games, read};
use super::sums::{Sum, Sums};
use crate::cli::exit::Failure;
use crate::game::EndedBy;
use crate::report::{Supplement, SupplementPart, SupplementTable, counted, reason_in_words};

/// So many forfeits are shown.
const FORFEITS: usize = 10;

/// Returns the page.
pub(super) fn page(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    entry: &Entry<'_>,
    names: &Names,
    sums: &Sums,
) -> Result<String, Failure> {
    let bots: Vec<&Bot> = current.staff.iter().chain(&entry.bot).collect();
    let anchor = class.anchor(current);
    // Games against the staff only: those of other students would show their fleets.
    let meets = |one: &Bot, two: &Bot| one.key.is_staff() != two.key.is_staff();
    let games = read(class, store, &bots, anchor, meets)?;
    let supplement = supplement(class, store, current, entry, names, sums, &games)?;
    games.page(&supplement)
}

fn supplement(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    entry: &Entry<'_>,
    names: &Names,
    sums: &Sums,
    games: &Games,
) -> Result<Supplement, Failure> {
    let id = &entry.student.id;
    let public = names.public(id);
    let name = if entry.student.name.is_empty() { id } else { &entry.student.name };
    let mut intro = vec![format!(
        "This page is for {name} alone: keep its address to yourself. On the page for all, your bot is called {public}."
    )];
    let problem = why(class, entry);
    if !problem.is_empty() {
        intro.push(format!("Attention: {problem}."));
    }
    if let Some(bot) = &entry.bot {
        intro.extend(verdict(bot, current, sums, games));
    }
    let mut parts = vec![versions(store, entry, class)?];
    parts.extend(newest(entry));
    if let Some(bot) = &entry.bot {
        parts.extend(requirements(class, bot, current, sums));
        parts.extend(forfeits(class, store, bot, names, sums)?);
        parts.push(opponents(store, bot, names, sums)?);
    }
    let report = "Your bot against the staff: games to watch".to_owned();
    let title = format!("{}: {name}", class.config.name);
    let words = "Its worst games against the staff, turn by turn, and where it places and attacks";
    let link = Some((id.clone(), words.to_owned()));
    Ok(Supplement { title, intro, parts, report, link, parts_last: false })
}

/// Returns in sentences how the bot does, and what its losses come from.
fn verdict(bot: &Bot, current: &Current<'_>, sums: &Sums, games: &Games) -> Vec<String> {
    let all = sums.all_of(bot.id);
    let [won, drawn, lost] = all.games();
    if won + drawn + lost == 0 {
        return vec!["Your bot has not played yet.".to_owned()];
    }
    let mut said = vec![format!(
        "Your bot has won {won} and lost {lost} of {}.",
        counted(all.results.games, "game")
    )];
    let faults: u64 = all.odd.faults.values().sum();
    if faults > 0 {
        said.push(format!(
            "{} of the lost games it lost by its own fault, whatever the position: {}. Mend that first; see Forfeits.",
            faults,
            faults_in_words(&all)
        ));
    }
    if all.odd.wasted > 0 {
        said.push(format!(
            "{} of its {} attacks were wasted: on cells that it had attacked before, or outside the board.",
            all.odd.wasted, all.odd.attacks
        ));
    }
    // How fast it plays says why it loses the games that it plays to their end.
    let median = |name: &str| {
        let player = games.ranking.players.iter().find(|player| player.name == name)?;
        player.tally.shots_to_win.median()
    };
    let own = median(bot.key.called());
    let better: Vec<String> = current
        .staff
        .iter()
        .filter_map(|staff| {
            let of_staff = median(&staff.key.name)?;
            own.is_some_and(|own| of_staff < own)
                .then(|| format!("{} needs {of_staff}", staff.key.name))
        })
        .collect();
    if let Some(own) = own {
        let middle = format!("When it wins, it needs {own} attacks in the middle");
        said.push(if better.is_empty() {
            format!("{middle}, no more than the bots of the staff that it met.")
        } else {
            format!(
                "{middle}; {}. It loses to those that need fewer because they find ships sooner.",
                better.join(", ")
            )
        });
    } else if faults < lost {
        said.push(
            "It has sunk no whole fleet of the staff yet: its opponents find its ships before it finds theirs.".to_owned(),
        );
    }
    said
}

fn faults_in_words(sum: &Sum) -> String {
    let words = sum.odd.faults.iter().map(|(word, count)| {
        let ended_by = EndedBy::ALL.iter().find(|one| one.word() == word);
        format!("{count} × {}", ended_by.map_or(&**word, |one| reason_in_words(*one)))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the state of all versions.
fn versions(store: &Store, entry: &Entry<'_>, class: &Class) -> Result<SupplementPart, Failure> {
    let bots = store.bots()?;
    let nights = store.nights()?;
    let deadline = (class.config.deadline, class.config.grace);
    let late = class.handed_in(entry.student).late(deadline.0, deadline.1);
    let rows = entry.versions.iter().rev().map(|version| {
        let bot = bots
            .iter()
            .find(|bot| bot.key.student == version.student && bot.key.digest == version.digest);
        let check = bot.and_then(|bot| bot.verdict);
        let check = check.map_or_else(|| "–".to_owned(), |verdict| verdict.to_string());
        let last = nights.iter().rev().find(|(_, one)| bot.is_some_and(|bot| bot.id == one.bot));
        let rating = last.map_or_else(
            || "–".to_owned(),
            |(_, one)| format!("{:.0} ({:.0} to {:.0})", one.rating, one.low, one.high),
        );
        let games = last.map_or_else(|| "0".to_owned(), |(_, one)| one.games.to_string());
        let plays = entry.bot.as_ref().zip(bot).is_some_and(|(own, bot)| own.id == bot.id);
        vec![
            shown_time(version.submitted),
            version.kind.clone(),
            version.state.to_string(),
            check,
            if plays { "plays" } else { "" }.to_owned(),
            rating,
            games,
        ]
    });
    let head = ["handed in (UTC)", "made with", "build", "check", "", "rating (95%)", "games"];
    let mut lines = Vec::new();
    if entry.versions.is_empty() {
        lines.push("Nothing of yours has been built yet.".to_owned());
    }
    if late > 0 {
        lines.push(format!(
            "{} came after the deadline and does not count.",
            counted(late as u64, "version")
        ));
    }
    Ok(SupplementPart {
        title: "Your versions".to_owned(),
        lines,
        table: Some(SupplementTable {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }),
        texts: Vec::new(),
    })
}

/// Returns the build and the check of the newest version.
fn newest(entry: &Entry<'_>) -> Vec<SupplementPart> {
    let mut parts = Vec::new();
    if let Some(version) = entry.versions.last() {
        let said = match version.state {
            State::Refused => {
                "It was refused before it was built. The reason is below; hand in a new version."
            }
            State::Unbuilt => "Its build failed. What it printed is below; hand in a new version.",
            State::Built if version.log.is_empty() => "It needs no build.",
            State::Built => "It was built. What that printed is below.",
        };
        let mut texts = Vec::new();
        if !version.log.is_empty() {
            texts.push((String::new(), version.log.clone()));
        }
        parts.push(SupplementPart {
            title: "Build of the newest version".to_owned(),
            lines: vec![said.to_owned()],
            texts,
            table: None,
        });
    }
    if let Some(bot) = entry.newest.as_ref().filter(|bot| bot.verdict.is_some()) {
        let said = match bot.verdict {
            Some(Verdict::Sound) => "It passed.",
            Some(Verdict::Faulty) => {
                "It can play, but does not keep to the protocol: the report says at which step, and how to mend it. Each game \
                 in which that matters is lost."
            }
            Some(Verdict::Unfit) | None => {
                "It cannot play: the report says at which step it fails, and how to mend it. Try it at home with referee check."
            }
        };
        parts.push(SupplementPart {
            title: "Check".to_owned(),
            lines: vec![said.to_owned()],
            texts: vec![(String::new(), bot.report.clone())],
            table: None,
        });
    }
    parts
}

/// Returns how far the bot is with what is asked of it, as far as students may see that.
fn requirements(
    class: &Class,
    bot: &Bot,
    current: &Current<'_>,
    sums: &Sums,
) -> Option<SupplementPart> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let row = |one: &class::Requirement| {
        let staff = current.staff(&one.against)?;
        let found = sums.of(bot.id).find(|(other, _)| *other == staff.id);
        let sum = found.map(|(_, sum)| sum.clone()).unwrap_or_default();
        let (share, interval, passed) = match score(&sum.results) {
            None => ("–".to_owned(), "–".to_owned(), false),
            Some(score) => {
                let interval = score.interval();
                let shown = format!("{} to {}", percent(interval.low), percent(interval.high));
                (percent(score.share), shown, interval.low > one.above)
            }
        };
        Some(vec![
            one.against.clone(),
            format!("above {}", percent(one.above)),
            share,
            interval,
            sum.results.games.to_string(),
            if passed { "yes" } else { "not yet" }.to_owned(),
            one.points.to_string(),
        ])
    };
    let rows: Vec<_> =
        class.config.grade.iter().filter(|one| !one.hidden).filter_map(row).collect();
    let head = ["against", "asked for", "your points", "95% interval", "games", "passed", "worth"];
    (!rows.is_empty()).then(|| SupplementPart {
        title: "What is asked of a bot".to_owned(),
        lines: vec![
            "Passed is what is sure: the lower end of the interval has to be above what is asked for.".to_owned(),
        ],
        table: Some(SupplementTable { head: head.map(str::to_owned).to_vec(), rows }),
        texts: Vec::new(),
    })
}

/// Returns the games that it lost by its own fault, with what was said in them.
fn forfeits(
    class: &Class,
    store: &Store,
    bot: &Bot,
    names: &Names,
    sums: &Sums,
) -> Result<Option<SupplementPart>, Failure> {
    let all: u64 = sums.all_of(bot.id).odd.faults.values().sum();
    let shown = store.forfeits_of(bot.id, &class.terms_key(), FORFEITS)?;
    if all == 0 {
        return Ok(None);
    }
    let bots = store.bots()?;
    let texts = shown.into_iter().map(|forfeit| {
        let other = forfeit.bots.into_iter().find(|one| *one != bot.id).unwrap_or_default();
        let opponent = bots.iter().find(|one| one.id == other);
        let opponent = opponent.map_or("?", |one| names.public(one.key.called()));
        (format!("Game {} against {opponent}: {}", forfeit.game, forfeit.reason), forfeit.said)
    });
    Ok(Some(SupplementPart {
        title: format!("Forfeits: {all}"),
        lines: vec![
            "The newest ones, with the last lines that were said: -> by your bot, <- to it, !! on its standard error. A lost game \
             counts as any other, whatever the position was."
                .to_owned(),
        ],
        table: None,
        texts: texts.collect(),
    }))
}

/// Returns the results against every opponent.
fn opponents(
    store: &Store,
    bot: &Bot,
    names: &Names,
    sums: &Sums,
) -> Result<SupplementPart, Failure> {
    let bots = store.bots()?;
    let rows = sums.of(bot.id).filter_map(|(other, sum)| {
        let other = bots.iter().find(|one| one.id == other)?;
        let [won, drawn, lost] = sum.games();
        let forfeits: u64 = sum.odd.faults.values().sum();
        Some(vec![
            names.public(other.key.called()).to_owned(),
            sum.results.games.to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            forfeits.to_string(),
        ])
    });
    let head = ["opponent", "games", "won", "drawn", "lost", "of these by your own fault"];
    Ok(SupplementPart {
        title: "Opponents of this version".to_owned(),
        lines: Vec::new(),
        table: Some(SupplementTable {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }),
        texts: Vec::new(),
    })
}
