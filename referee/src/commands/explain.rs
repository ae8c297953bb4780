//! `referee explain`: why a player lost.

use std::path::PathBuf;

use clap::Args;

use super::CommandArgs;
use super::list::known;
use crate::exit::Failure;
use crate::help::Group;
use crate::{World, note, print_json, say, typed_name};
use arena::explain::{GameDigest, NamesSeen, RecordedGames, env_of_contest, last_said};
use arena::record::GameChoice;
use arena::result::FAILED_CHECK;
use battleship::BySide;
use battleship::game_reader::READERS;
use bothost::text;
use pages::{Explanation, GameExplanation, PlayerGames, explanation};

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A record of a match or a tournament, or of single games (play --out)
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// The player whose losses are explained
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    player: String,
    /// Only this game: its number in `referee list`, from 1, or its name, as red-vs-blue-game-13
    /// [default: all games, and the worst one of them in detail]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    game: Option<GameChoice>,
    /// Print the explanation as one line of JSON
    #[arg(long)]
    json: bool,
}

impl CommandArgs for ExplainArguments {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain why a player lost: faults, worst games, weakest attacks";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
Examples:
  referee explain cup.jsonl --player mybot
  referee explain cup.jsonl --player mybot --game 13";

    fn run(self, _: &World) -> Result<(), Failure> {
        let record = &self.record;
        let player = text::name(&self.player);
        let mut summary = None;
        let found = if let Some(choice) = &self.game {
            let (number, line) = choice.find(record, READERS).map_err(Failure::misuse)?;
            let game = GameDigest::new(number, &line, true);
            if game.side_of(&player).is_none() {
                let BySide { one, two } = &game.players;
                return Err(Failure::misuse(format!(
                    "--player {player}: the players of game {number} are {one} and {two}"
                )));
            }
            Some((game, line))
        } else {
            let mut games = RecordedGames::open(record, READERS).map_err(Failure::misuse)?;
            let mut names = NamesSeen::default();
            let mut of_player = PlayerGames::default();
            while let Some((game, line)) = games.read().map_err(Failure::misuse)? {
                names.see(&game);
                if let Some(side) = game.side_of(&player) {
                    of_player.add(game, line, side);
                }
            }
            games.remarks().iter().for_each(|remark| note(remark));
            let mut entrants = games
                .header()
                .into_iter()
                .flat_map(|header| &header.config.players);
            if !names.has(&player)
                && entrants.any(|entrant| entrant.name == player && entrant.cannot_play)
            {
                return Err(Failure::misuse(format!(
                    "--player {player}: {FAILED_CHECK}, and is in no game"
                )));
            }
            known("--player", &player, &names)?;
            let (all, worst) = of_player.summary();
            summary = Some(all);
            worst
        };
        let mut game = None;
        if let Some((digest, line)) = found
            && let Some(side) = digest.side_of(&player)
        {
            let number = digest.number;
            let mut explained = GameExplanation::new(digest, &line, side).map_err(|error| {
                Failure::misuse(format!("{}, game {number}: {error}", record.display()))
            })?;
            explained.env = env_of_contest(record, READERS, &line).map_err(Failure::misuse)?;
            if explained.fault.is_some() {
                explained.said = last_said(record, READERS, &line).map_err(Failure::misuse)?;
            }
            game = Some(explained);
        }
        let found = Explanation {
            record: text::shown(record.as_os_str().as_encoded_bytes()),
            player,
            summary,
            game,
        };
        if self.json {
            print_json(&found)?;
        } else {
            say(&explanation(&found))?;
            typed_name::note_once();
        }
        Ok(())
    }
}
