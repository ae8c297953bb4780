//! The page of one student: each version, and why games were lost. Of others it has names and
//! results only.

use super::games::{Games, read};
use super::{Names, SumsOfPages, table};
use crate::checked::{Checked, StepFound};
use crate::current::{Current, Entry};
use crate::grade::why;
use crate::requirement::{Outcome, RequirementGames};
use crate::store::FailedStep;
use crate::{Bot, Class, ClassError, State, Store, Sum, Sums, Verdict, shown_time};
use arena::command::PrintedCommand;
use arena::game::EndedBy;
use pages::{Supplement, SupplementPart, counted, reason_in_words};

/// The number of forfeits that are shown.
const FORFEITS: usize = 10;

/// The number of opponents that are examined, without those that play no more.
const MOST_FORFEITS: usize = 200;

/// Returns the page.
pub(super) fn page(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    entry: &Entry<'_>,
    names: &Names,
    sums: &SumsOfPages,
) -> Result<String, ClassError> {
    let bots: Vec<&Bot> = current.staff.iter().chain(&entry.bot).collect();
    let anchor = class.anchor(current);
    // Games against the staff only: those of other students would show their fleets.
    let games = read(class, store, &bots, anchor, |one: &Bot, two: &Bot| {
        one.key.is_staff() != two.key.is_staff()
    })?;
    let supplement = supplement(class, store, current, entry, names, sums, &games)?;
    Ok(games.page(&supplement))
}

fn supplement(
    class: &Class,
    store: &Store,
    current: &Current<'_>,
    entry: &Entry<'_>,
    names: &Names,
    sums: &SumsOfPages,
    games: &Games,
) -> Result<Supplement, ClassError> {
    let id = &entry.student.id;
    let public = names.public(id);
    let name = entry.student.names();
    let mut intro = vec![format!(
        "This page is for {name} alone: keep its address to yourself. On the page for all, your bot is called {public}."
    )];
    let problem = why(class, entry)?;
    if !problem.is_empty() {
        intro.push(format!("Attention: {problem}."));
    }
    let fault = entry
        .bot
        .as_ref()
        .and_then(|bot| entry.fault(FailedStep::Play, &bot.key.digest));
    if fault.is_some() {
        intro.push(
            "Attention: your bot started in its check and does not start on the machine of the class now. Its games wait, and \
             there is nothing for you to do."
                .to_owned(),
        );
    }
    // The first result decides.
    let checks = class.checks_of_newest(store, entry)?;
    let checked = entry.newest.as_ref().zip(checks.first());
    if let Some((bot, check)) = checked.filter(|(_, check)| !check.why.is_empty()) {
        intro.push(format!(
            "Its check found: {}. What to do is below, at Check.",
            without_folder(class, bot, &check.why)
        ));
    }
    if let Some(bot) = &entry.bot {
        let check = checks
            .first()
            .filter(|_| entry.newest.as_ref() == Some(bot));
        intro.extend(verdict(bot, current, &sums.shown, games, check));
    }
    let mut parts = vec![versions(store, entry, class)?];
    parts.extend(build_of_newest(store, entry)?);
    parts
        .extend(checked.map(|(bot, check)| check_of_newest(class, bot, check, &checks[1..], sums)));
    if let Some(bot) = &entry.bot {
        parts.extend(requirements(class, bot, current, &sums.requirements));
        parts.extend(forfeits(class, store, bot, names, &sums.shown)?);
        parts.push(opponents(store, bot, names, sums)?);
    }
    let games_to_watch = "Your bot against the staff: games to watch".to_owned();
    let title = format!("{}: {name}", class.config.name);
    let words = "Its worst games against the staff, turn by turn, and where it places and attacks";
    let link = Some((id.clone(), words.to_owned()));
    Ok(Supplement {
        title,
        intro,
        parts,
        report: games_to_watch,
        link,
        parts_last: false,
    })
}

/// Returns `text` with the names of the bot's files as its author knows them.
fn without_folder(class: &Class, bot: &Bot, text: &str) -> String {
    let folder = class.bot_folder(&bot.key.digest);
    // The folder of a class may have been named from where the command was called.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    text.replace(
        &format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR),
        "",
    )
}

/// Returns in sentences how the bot does, and what its losses come from.
fn verdict(
    bot: &Bot,
    current: &Current<'_>,
    sums: &Sums,
    games: &Games,
    check: Option<&Checked>,
) -> Vec<String> {
    let all = sums.all_of(bot.id);
    let [won, drawn, lost] = all.games();
    if won + drawn + lost == 0 {
        return vec!["Your bot has not played yet.".to_owned()];
    }
    let mut said = vec![format!(
        "Your bot has won {won} and lost {lost} of {}.",
        counted(all.results.games, "game")
    )];
    let faults = all.odd.n_faults();
    if faults > 0 {
        said.push(format!(
            "{faults} of the lost games it lost by a fault of its program, even if it was ahead: {}. Fix that first; see Forfeits.",
            faults_in_words(&all)
        ));
    }
    if all.odd.wasted > 0 {
        let step = check.and_then(|check| step_about(check, &[ATTACKS]));
        let advice = step.map_or_else(
            || "remember every cell that was attacked, and choose among the others".to_owned(),
            |step| format!("at Check, {}", place_of(step)),
        );
        said.push(format!(
            "{} of its {} attacks were wasted: on cells that it had attacked before, or outside the board. Each is a turn given \
             away; {advice}.",
            all.odd.wasted, all.odd.attacks
        ));
    }
    // Its speed explains why it loses the games that it plays to their end.
    let median = |name: &str| {
        let player = games
            .ranking
            .players
            .iter()
            .find(|player| player.name == name)?;
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
        let median =
            format!("In half of its wins against the staff it needs at most {own} attacks");
        said.push(if better.is_empty() {
            format!("{median}, no more than the bots of the staff that it met.")
        } else {
            format!(
                "{median}; of the staff's bots, {}. A bot that needs fewer finds ships sooner and wins more often.",
                better.join(", ")
            )
        });
    } else if faults < lost {
        said.push(
            "It has not yet sunk all ships of a bot of the staff: those find its ships sooner."
                .to_owned(),
        );
    }
    said
}

fn faults_in_words(sum: &Sum) -> String {
    let faults = sum.odd.faults.iter();
    let words = faults.map(|(why, count)| format!("{count} × {}", reason_in_words(*why)));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the state of all versions.
fn versions(store: &Store, entry: &Entry<'_>, class: &Class) -> Result<SupplementPart, ClassError> {
    let bots = store.bots()?;
    let nights = store.nights()?;
    let late = class
        .handed_in(entry.student)?
        .late(class.last_moment(entry.student));
    let rows = entry.versions.iter().rev().map(|version| {
        let bot = bots
            .iter()
            .find(|bot| bot.key.student == version.student && bot.key.digest == version.digest);
        let check = bot.and_then(|bot| bot.verdict);
        let check = check.map_or_else(|| "–".to_owned(), |verdict| verdict.to_string());
        let last = nights
            .iter()
            .rev()
            .find(|(_, one)| bot.is_some_and(|bot| bot.id == one.bot));
        let rating = last.map_or_else(
            || "–".to_owned(),
            |(_, one)| format!("{:.0} ({:.0} to {:.0})", one.rating, one.low, one.high),
        );
        let games = last.map_or_else(|| "0".to_owned(), |(_, one)| one.games.to_string());
        let plays = entry
            .bot
            .as_ref()
            .zip(bot)
            .is_some_and(|(own, bot)| own.id == bot.id);
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
    let head = [
        "handed in (UTC)",
        "made with",
        "build",
        "check",
        "",
        "rating (95%)",
        "games",
    ];
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
        table: Some(table(head, rows)),
        ..SupplementPart::default()
    })
}

/// Returns the build of the newest version.
fn build_of_newest(store: &Store, entry: &Entry<'_>) -> Result<Option<SupplementPart>, ClassError> {
    let Some(version) = entry.versions.last() else {
        return Ok(None);
    };
    let log = store.log(version)?;
    let said = match version.state {
        State::Waiting => {
            "The class waits for the course's files. It is built once they are there; there is nothing for you to do."
        }
        State::Refused => {
            "It was refused before it was built. The reason is below; hand in a new version."
        }
        State::Unbuilt => "Its build failed. What it printed is below; hand in a new version.",
        State::Built if log.is_empty() => "It needs no build.",
        State::Built => "It was built. What that printed is below.",
    };
    let texts = if log.is_empty() {
        Vec::new()
    } else {
        vec![(String::new(), log)]
    };
    Ok(Some(SupplementPart {
        title: "Build of the newest version".to_owned(),
        lines: vec![said.to_owned()],
        texts,
        ..SupplementPart::default()
    }))
}

/// The steps of a check that look at attacks, and at placements in all games.
const ATTACKS: &str = "attacks";
const PLACEMENTS: &str = "placements";

/// The steps about boards and fleets that a class does not play.
const OTHERS: [&str; 3] = ["boards", "only_placement", "no_placement"];

/// Returns the first of these `steps` that found something.
fn step_about<'c>(check: &'c Checked, steps: &[&str]) -> Option<&'c StepFound> {
    check
        .steps
        .iter()
        .find(|found| steps.contains(&&*found.step))
}

/// Returns where to look for a step in the report.
fn place_of(step: &StepFound) -> String {
    format!(
        "look for step {}, “{}”, and the cause below it",
        step.number, step.title
    )
}

/// Returns what the check of the newest version found, and its `later` checks.
fn check_of_newest(
    class: &Class,
    bot: &Bot,
    check: &Checked,
    later: &[Checked],
    sums: &SumsOfPages,
) -> SupplementPart {
    let mut lines = Vec::new();
    // An earlier version of this program kept the report alone.
    if !check.games.opponent.is_empty() {
        lines.push(verdict_of_check(class, bot, check, sums));
        lines.push(format!("In its check it played {}", check.games.in_words()));
    }
    let mut texts = vec![(String::new(), without_folder(class, bot, &check.report))];
    for check in later {
        let title = format!(
            "Another check, which ended at {} (UTC): {}",
            shown_time(check.played),
            check.verdict
        );
        texts.push((title, without_folder(class, bot, &check.report)));
    }
    SupplementPart {
        title: "Check".to_owned(),
        lines,
        texts,
        ..SupplementPart::default()
    }
}

fn verdict_of_check(class: &Class, bot: &Bot, check: &Checked, sums: &SumsOfPages) -> String {
    let all = sums.shown.all_of(bot.id);
    let failure = check.steps.iter().find(|found| found.is_failure);
    // What costs no games here, such as a board that this class does not play, can wait.
    let mut costly = Vec::new();
    if all.odd.wasted > 0 {
        costly.push(ATTACKS);
    }
    if all.odd.faults.contains_key(&EndedBy::CannotPlace) {
        costly.push(PLACEMENTS);
    }
    let costs = step_about(check, &costly);
    let where_to_look = |step: Option<&StepFound>| {
        step.map_or_else(|| "look at its games, at the end".to_owned(), place_of)
    };
    match check.verdict {
        Verdict::Sound => match costs {
            Some(step) => format!(
                "It keeps to the protocol, but something costs it games: {}.",
                place_of(step)
            ),
            None if !check.steps.is_empty() => {
                "It keeps to the protocol. What a warning below is about, such as a board or a fleet that this class does not \
                 play, has cost it no game here."
                    .to_owned()
            }
            None => "It passed.".to_owned(),
        },
        Verdict::Faulty => {
            let step = costs.or(failure);
            let elsewhere = if step.is_some_and(|step| OTHERS.contains(&&*step.step)) {
                " It is about boards and fleets that this class does not play, and costs no game here."
            } else {
                ""
            };
            format!(
                "It can play, but does not keep to the protocol: {}.{elsewhere}",
                where_to_look(step)
            )
        }
        Verdict::Unfit => format!(
            "It cannot play: {}. To see the same at home, type {} and the command that starts your bot.",
            where_to_look(failure),
            PrintedCommand::new(["check"]).with(class.game.game.arguments())
        ),
    }
}

/// Returns how far the bot is with what is asked of it, as far as students may see that.
fn requirements(
    class: &Class,
    bot: &Bot,
    current: &Current<'_>,
    games: &RequirementGames,
) -> Option<SupplementPart> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let row = |one: &crate::Requirement| {
        let staff = current.staff(&one.against)?;
        let reached = class.reached(one, staff, bot, games);
        let (share, interval) = match reached.score {
            None => ("–".to_owned(), "–".to_owned()),
            Some((share, low, high)) => (
                percent(share),
                format!("{} to {}", percent(low), percent(high)),
            ),
        };
        let outcome = match reached.outcome {
            Outcome::Open => "open: not all games have been played",
            Outcome::Passed => "yes",
            Outcome::Close => "no, but close",
            Outcome::Missed => "no",
        };
        let faults = reached.sum.odd.n_faults();
        Some(vec![
            one.against.clone(),
            format!("above {}", percent(one.above)),
            share,
            interval,
            format!("{} of {}", reached.sum.results.games, reached.of),
            faults.to_string(),
            outcome.to_owned(),
            one.points.to_string(),
        ])
    };
    let rows: Vec<_> = class
        .config
        .grade
        .iter()
        .filter(|one| !one.hidden)
        .filter_map(row)
        .collect();
    let head = [
        "against",
        "asked for",
        "your points",
        "95% interval",
        "games",
        "lost by a fault",
        "passed",
        "worth",
    ];
    let games = class.config.play.games();
    (!rows.is_empty()).then(|| SupplementPart {
        title: "Requirements".to_owned(),
        lines: vec![format!(
            "{games} games against a bot of the staff decide a row, the same ones for every program of the class; they are not shown \
             and are not those below. A row is passed when the whole 95% interval is above what is asked for: a bot that is only as \
             good as that passes in about 2.5% of cases. Close means that the interval contains what is asked for."
        )],
        table: Some(table(head, rows)),
        ..SupplementPart::default()
    })
}

/// Returns the games that it lost by its own fault, with what was said in them.
fn forfeits(
    class: &Class,
    store: &Store,
    bot: &Bot,
    names: &Names,
    sums: &Sums,
) -> Result<Option<SupplementPart>, ClassError> {
    let all = sums.all_of(bot.id).odd.n_faults();
    if all == 0 {
        return Ok(None);
    }
    let mut shown = store.forfeits_of(bot.id, &class.terms_key(), MOST_FORFEITS)?;
    shown.retain(|forfeit| {
        sums.of(bot.id)
            .any(|(other, _)| forfeit.bots.contains(&other))
    });
    shown.truncate(FORFEITS);
    let bots = store.bots()?;
    let n_shown = shown.len();
    // Each with the games in which it happened; the same fault again and again is read once.
    let mut faults: Vec<(String, Vec<String>, String)> = Vec::new();
    for forfeit in shown {
        let other = forfeit
            .bots
            .into_iter()
            .find(|one| *one != bot.id)
            .unwrap_or_default();
        let opponent = bots.iter().find(|one| one.id == other);
        let opponent = opponent.map_or("?", |one| names.public(one.key.called()));
        let game = format!("game {} against {opponent}", forfeit.game);
        match faults
            .iter_mut()
            .find(|(reason, ..)| *reason == forfeit.reason)
        {
            Some((_, games, _)) => games.push(game),
            None => faults.push((forfeit.reason, vec![game], forfeit.said)),
        }
    }
    let texts = faults.into_iter().map(|(reason, games, said)| {
        let [reason, said] = [reason, said].map(|text| without_folder(class, bot, &text));
        (format!("{reason} ({})", games.join(", ")), said)
    });
    Ok(Some(SupplementPart {
        title: format!("Forfeits: {all}"),
        lines: vec![format!(
            "The newest {n_shown}, each fault once, with the last lines that were said in the newest game: -> by your bot, <- to it, \
             !! on its standard error; the number before is the time in milliseconds. A game is numbered among all of the two \
             bots. Each counts as a lost game, even if the bot was ahead."
        )],
        texts: texts.collect(),
        ..SupplementPart::default()
    }))
}

/// Returns the results against every opponent.
fn opponents(
    store: &Store,
    bot: &Bot,
    names: &Names,
    sums: &SumsOfPages,
) -> Result<SupplementPart, ClassError> {
    let bots = store.bots()?;
    let [all, shown] = [&sums.all, &sums.shown].map(|sums| sums.all_of(bot.id).results.games);
    let gone = all - shown;
    let mut lines = Vec::new();
    if gone > 0 {
        lines.push(format!(
            "{} against bots that play no more, such as earlier versions, count nowhere.",
            counted(gone, "game")
        ));
    }
    let rows = sums.shown.of(bot.id).filter_map(|(other, sum)| {
        let other = bots.iter().find(|one| one.id == other)?;
        let [won, drawn, lost] = sum.games();
        Some(vec![
            names.public(other.key.called()).to_owned(),
            sum.results.games.to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            sum.odd.n_faults().to_string(),
        ])
    });
    let head = [
        "opponent",
        "games",
        "won",
        "drawn",
        "lost",
        "of these by your own fault",
    ];
    Ok(SupplementPart {
        title: "Opponents of this version".to_owned(),
        lines,
        table: Some(table(head, rows)),
        ..SupplementPart::default()
    })
}
