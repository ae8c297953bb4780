//! The places of commands in the table.

use super::{CommandArgs, Failure, Group, World, debug, dev, tune};

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

impl CommandArgs for tune::TuneArguments {
    const NAME: &'static str = "tune";
    const ABOUT: &'static str = "Find the best values of a bot's parameters by games";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = tune::EXAMPLES;

    fn run(self, world: &World) -> Result<(), Failure> {
        tune::run(&self, world)
    }
}
