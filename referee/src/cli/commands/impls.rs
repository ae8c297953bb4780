//! The places of commands in the table.

use super::*;

const NEW: &str = "Examples:
  referee new
  referee new python my-bot";

const DEMO: &str = "At a pause, enter continues, a and enter plays the rest without pauses, and
q and enter ends the game.

Examples:
  referee demo
  referee demo 2
  referee demo cc --delay 300ms";

const MERGE: &str = "Examples:
  referee merge part-1.jsonl part-2.jsonl --out cup.jsonl";

impl CommandArgs for new::NewArguments {
    const NAME: &'static str = "new";
    const ABOUT: &'static str = "Make a folder with a bot to start from, in your language";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = NEW;

    fn run(self, _: &World) -> Result<(), Failure> {
        new::run(&self)
    }
}

impl CommandArgs for check::CheckArguments {
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "Check whether a bot keeps to the protocol, and what is wrong";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = check::EXAMPLES;

    fn run(self, world: &World) -> Result<(), Failure> {
        check::run(&self, world)
    }
}

impl CommandArgs for debug::DebugArguments {
    const NAME: &'static str = "debug";
    const ABOUT: &'static str = "Play one game without a clock, and stop where you want to look";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = debug::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        debug::run(&self)
    }
}

impl CommandArgs for dev::DevArguments {
    const NAME: &'static str = "dev";
    const ABOUT: &'static str = "Build a bot on every save, and say whether it became better";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = dev::EXAMPLES;

    fn run(self, world: &World) -> Result<(), Failure> {
        dev::run(&self, world)
    }
}

impl CommandArgs for replay::ReplayArguments {
    const NAME: &'static str = "replay";
    const ABOUT: &'static str = "Show a recorded game, or a log of the original twist program";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = replay::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        replay::run(&self)
    }
}

impl CommandArgs for list::ListArguments {
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List the games of records, a line each: who won, and how";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = list::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        list::run(&self)
    }
}

impl CommandArgs for explain::ExplainArguments {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain why a player lost: faults, worst games, weakest attacks";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = explain::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        explain::run(&self)
    }
}

impl CommandArgs for report::ReportArguments {
    const NAME: &'static str = "report";
    const ABOUT: &'static str = "Make a page for a browser: standings, charts, replays of games";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = report::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        report::run(&self)
    }
}

impl CommandArgs for rank::RankArguments {
    const NAME: &'static str = "rank";
    const ABOUT: &'static str = "Rate players by all games of some records";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = rank::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        rank::run(&self)
    }
}

impl CommandArgs for merge::MergeArguments {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Merge the records of a contest's shards or interrupted parts";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = MERGE;

    fn run(self, _: &World) -> Result<(), Failure> {
        merge::run(&self)
    }
}

impl CommandArgs for tune::TuneArguments {
    const NAME: &'static str = "tune";
    const ABOUT: &'static str = "Find the best values of a bot's parameters by games";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = tune::EXAMPLES;

    fn run(self, world: &World) -> Result<(), Failure> {
        tune::run(&self, world)
    }
}

impl CommandArgs for demo::DemoArguments {
    const NAME: &'static str = "demo";
    const ABOUT: &'static str = "Play what the course's sample program plays";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = DEMO;

    fn run(self, _: &World) -> Result<(), Failure> {
        demo::run(&self)
    }
}

impl CommandArgs for doctor::DoctorArguments {
    const NAME: &'static str = "doctor";
    const ABOUT: &'static str = "Say what works on this machine, and how to get the rest";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = doctor::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        doctor::run()
    }
}

impl CommandArgs for completions::CompletionsArguments {
    const NAME: &'static str = "completions";
    const ABOUT: &'static str = "Print a script that completes commands and options in your shell";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = completions::EXAMPLES;

    fn run(self, _: &World) -> Result<(), Failure> {
        completions::run(&self)
    }
}
