//! The table of one game, for a person or for people who watch.
//!
//! A person thinks for as long as it likes, and a page cannot wait within a call. So the page plays
//! the game again from its beginning after each reply of the person, with all replies so far: the
//! bots say what they have said before, and the events that the page knows are not news. The
//! person's program in the page leaves the call when it is asked for more than it has said.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use arena::game::{
    Entrant, Event, Game as _, GameListener, Listener, Pair, Round, Stop, Stopped, seeds_of_game,
};
use arena::record::{FigureRecorder, GameLine, LinePlayer};
use arena::terms::{self, OwnLimits};
use battleship::{BySide, RuleOptions, Rules, Ruleset, Side};
use bothost::{BotProgram, Clock, Interrupt, Launch};
use bots::Shipped;
use pages::{Eye, game_page, live_page, replay_data};
use screen::live::Teller;
use screen::story::{Advice, News, Question, Series};
use serde::Deserialize;
use serde_json::json;

use super::tell;

/// The page's order of a game.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Order {
    /// The word of the game: `classic`.
    game: String,
    /// The words of its `rule` lines: `apart all`.
    #[serde(default)]
    rules: Vec<String>,
    /// `human`, or a level.
    players: [String; 2],
    seed: u64,
    /// The player who moves first: 0 or 1.
    first: usize,
    /// The number of the games before that each player has won.
    #[serde(default)]
    score: [u32; 2],
    /// Opponents to choose from after the game.
    #[serde(default)]
    opponents: Vec<String>,
    /// The replies of the person so far, as lines of the protocol.
    #[serde(default)]
    replies: Vec<String>,
    /// Whether the person wants to know what good would attack.
    #[serde(default)]
    tip: bool,
}

/// Plays the game of the order in `json`, and tells the page what happens.
///
/// # Errors
/// If the order is none, or if the game could not be played.
pub(super) fn play(json: &[u8]) -> anyhow::Result<()> {
    let order: Order = serde_json::from_slice(json).context("the order of the page")?;
    let rules = rules_of(&order)?;
    let first = Side::try_from(order.first).map_err(|_| anyhow!("first is 0 or 1"))?;
    let players = BySide::from(order.players.each_ref().map(|name| player(name)));
    let BySide { one, two } = players;
    let players = BySide::new(one?, two?);
    let seats: Vec<Side> = Side::BOTH
        .into_iter()
        .filter(|side| players[*side].human)
        .collect();
    if seats.len() > 1 {
        bail!("one player of the two can be human");
    }
    let seat = seats.first().copied();
    let seeds = seeds_of_game(order.seed, first);
    let max_turns = rules.usual_max_turns(seat.is_some());
    let clocks = players.as_ref().map(|player| {
        if player.human {
            Clock::None
        } else {
            Clock::Wall(terms::LIMIT)
        }
    });
    let recorded =
        BySide::from_fn(|side| LinePlayer::of(&players[side], seeds[side], clocks[side]));
    let new = GameLine::new(rules.name(), order.seed, first, max_turns, recorded);
    let names = players.as_ref().map(|player| player.name.clone());
    let (news, heard) = mpsc::channel();
    let mut table = Table::set(&order, seat, first, &rules, Teller::new(names, news), heard);
    if seat.is_some() {
        tell(&json!({ "type": "page", "html": live_page(&new, &rules).html }));
        table.sit();
    }
    let launch = Launch::unsupervised();
    let interrupt = Arc::new(Interrupt::never()?);
    let pair = Pair::start(
        &players,
        &launch,
        rules.name(),
        terms::START_LIMIT,
        &interrupt,
        None,
    );
    let mut pair = pair.map_err(|stopped| match stopped {
        Stopped::Ended(ending) => anyhow!("{}", ending.what),
        Stopped::Failed(error) => error.into(),
    })?;
    let mut figures = FigureRecorder::default();
    let round = Round {
        seed: order.seed,
        bot_seeds: seeds,
        clocks,
        first,
        max_turns,
        retries: BySide::default(),
    };
    let mut listeners: Vec<&mut GameListener<'_>> = vec![&mut figures, &mut table];
    let played = pair.play(&mut *rules.table()?, &round, &mut listeners)?;
    pair.end(&played.ending)?;
    let new = GameLine {
        figures: figures.figures,
        ..new
    };
    let line = new.finished(&played, rules.reader());
    tell(&json!({ "type": "record", "line": line.json }));
    if seat.is_some() {
        let replay = replay_data(&line, true)?;
        tell(&json!({ "type": "replay", "replay": replay }));
    } else {
        tell(&json!({ "type": "page", "html": game_page(&line, 1, None, false)? }));
    }
    Ok(())
}

fn rules_of(order: &Order) -> anyhow::Result<Rules> {
    let ruleset = Ruleset::parse(&order.game).with_context(|| format!("game {:?}", order.game))?;
    let mut options = RuleOptions::default();
    order.rules.iter().for_each(|words| options.apply(words));
    let usual = Rules::usual(ruleset);
    Ok(Rules::new(ruleset, usual.size(), &usual.ships(), options)?)
}

/// Returns the shipped player of that name.
fn player(name: &str) -> anyhow::Result<Entrant> {
    let human = name == "human";
    let shipped = Shipped::named(name);
    let shipped = shipped.with_context(|| format!("this page has no player {name:?}"))?;
    let program = BotProgram {
        file: "referee".into(),
        arguments: vec!["bot".into(), shipped.name.into()],
        folder: None,
        command_line: name.to_owned(),
        on_terminal: human,
        ..BotProgram::default()
    };
    let limits = OwnLimits::default();
    let name = name.to_owned();
    Ok(Entrant {
        name,
        named: false,
        shipped: true,
        human,
        program,
        dir: None,
        typed_folder: None,
        limits,
        one_game: false,
    })
}

/// Tells the page of a game.
struct Table<'o> {
    order: &'o Order,
    teller: Teller,
    news: Receiver<News>,
    seat: Option<Side>,
    first: Side,
    /// The person's view, if there is a person.
    eye: Option<Eye>,
    /// The number of questions that the person was asked.
    asked: usize,
    begun: Instant,
}

impl<'o> Table<'o> {
    fn set(
        order: &'o Order,
        seat: Option<Side>,
        first: Side,
        rules: &Rules,
        teller: Teller,
        news: Receiver<News>,
    ) -> Table<'o> {
        let advice = Advice {
            attack: bots::advise,
            needed: bots::attacks_needed,
        };
        let series = Series {
            advice: Some(advice),
            score: BySide::from(order.score),
            opponents: order.opponents.clone(),
        };
        let eye = seat.map(|seat| Eye::new(seat, first, rules, series));
        Table {
            order,
            teller,
            news,
            seat,
            first,
            eye,
            asked: 0,
            begun: Instant::now(),
        }
    }

    /// Tells the page where the person sits, and asks for the ships.
    fn sit(&mut self) {
        let Some(seat) = self.seat else { return };
        let tips = self.order.game == Ruleset::Classic.word();
        tell(&json!({ "type": "clock", "now": self.now() }));
        tell(
            &json!({ "type": "seat", "you": seat.index(), "first": self.first.index(), "tips": tips }),
        );
        self.ask(Question::Place);
    }

    fn now(&self) -> u64 {
        self.begun
            .elapsed()
            .as_millis()
            .try_into()
            .unwrap_or(u64::MAX)
    }

    /// Asks the person, and looks at its reply if there is one: a wrong one is not passed on.
    fn ask(&mut self, question: Question) {
        self.asked += 1;
        let Some(eye) = &self.eye else { return };
        let number = self.asked as u64;
        let mut event = eye.ask(number, question);
        event["at"] = json!(self.now());
        event["limit"] = json!(null);
        tell(&event);
        let said = self.order.replies.get(self.asked - 1);
        match said.map(|line| (line, refused(eye, question, line))) {
            Some((line, None)) => tell(&json!({ "type": "said", "turn": number, "reply": line })),
            Some((_, Some(why))) => tell(&json!({ "type": "refused", "why": why })),
            None if self.order.tip => eye.tip(number).iter().for_each(tell),
            None => {}
        }
    }
}

impl Listener<Event<'_>> for Table<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.teller.on_event(event)?;
        let now = self.now();
        if let Some(eye) = &mut self.eye {
            self.news
                .try_iter()
                .for_each(|news| eye.tell(&news, now).iter().for_each(tell));
        }
        if let Event::Asked { side, .. } = event
            && Some(*side) == self.seat
        {
            self.ask(Question::Turn);
        }
        Ok(())
    }
}

/// Returns why `line` does not answer the question, if it does not.
fn refused(eye: &Eye, question: Question, line: &str) -> Option<String> {
    let Some(reply) = Eye::reply(line) else {
        return Some("That is not a reply of the protocol.".to_owned());
    };
    eye.fault(question, &reply)
}
