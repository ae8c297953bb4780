//! The tests that are skipped for the Windows build, each with its reason.

use crate::harness::needs::Need;

/// Beginnings and endings of tests' names, and why these are left out.
const LEFT_OUT: &[(Part, &str)] = &[
    (Begins("beside::"), PATH),
    (Begins("browser::"), "pages are the same on every system"),
    (Begins("cluster::"), "the nodes of a cluster run Linux"),
    (Begins("debug::"), "the terminals are of Linux"),
    (Begins("dev::"), "the terminals are of Linux"),
    (Begins("docs::"), "the documents are of this system"),
    (
        Begins("honest::"),
        "bots are not watched between their turns there",
    ),
    (
        Begins("human::"),
        "Wine's console draws otherwise; `windows::console` plays there",
    ),
    (
        Begins("report::live::"),
        "pages are the same on every system",
    ),
    (Begins("sandbox::"), "there is no sandbox"),
    (Begins("screen::"), "Wine's console does not draw a screen"),
    (Begins("shell::"), "the shells are of this system"),
    (Begins("web::"), "pages are the same on every system"),
    (Begins("windows::"), "they run the programs of both systems"),
    (Begins("hostile::attacks::"), "the attacks are on Linux"),
    (
        Begins("hostile::fairness::"),
        "bots are not watched between their turns there",
    ),
    (
        Begins("hostile::outliving::"),
        "the processes are of this system; nothing leaves a job object",
    ),
    (Begins("hostile::shortage::"), "the limits are of Linux"),
    (Begins("hostile::tampering::"), "the attacks are on Linux"),
    (Begins("hostile::terminal::"), "the terminals are of Linux"),
    (Begins("contest::"), MANY_GAMES),
    (
        Begins("record::compressed::a_compressed_record_is_read_as_it_is::re"),
        SYSTEM,
    ),
    (
        Begins("record::compressed::a_compressed_record_that_was_cut_short"),
        RENAME,
    ),
    (
        Begins("record::compressed::a_record_in_one_member_is_continued"),
        RENAME,
    ),
    (
        Begins("record::compressed::the_record_of_a_contest_is_not_a_file_of_a_bot"),
        PATH,
    ),
    (Begins("record::faults::"), MANY_GAMES),
    (Begins("record::figures::"), SHELL),
    (Begins("record::kills::"), MANY_GAMES),
    (Begins("record::kept::a_bot_that_ends_before"), SHELL),
    (Begins("record::kept::a_command_that_starts"), SHELL),
    (Begins("record::kept::a_record_that_others"), SHELL),
    (Begins("record::kept::a_record_that_is_touched"), SHELL),
    (Begins("record::kept::a_standard_stream"), SYSTEM),
    (Begins("record::kept::names_that_the_user_gave"), SHELL),
    (Begins("record::kept::the_latest_version"), SHELL),
    (Begins("record::merge::"), MANY_GAMES),
    (Begins("record::outputs::what_is_not_a_file"), SYSTEM),
    (
        Begins("check::mistakes::a_check_finds_the_mistake::is_a_script"),
        SYSTEM,
    ),
    (
        Begins("check::mistakes::a_mistake_gets_the_message_in_the_guide::is_not_where"),
        SYSTEM,
    ),
    (
        Begins("check::mistakes::a_mistake_gets_the_message_in_the_guide::is_a_script"),
        SYSTEM,
    ),
    (
        Begins("check::mistakes::a_mistake_gets_the_message_in_the_guide::is_slow_to_start"),
        SYSTEM,
    ),
    (Begins("check::silence::"), SHELL),
    (Begins("check::steps::a_check_prints_a_line"), PROCESSES),
    (Begins("check::steps::a_process_that_is_left"), PROCESSES),
    (
        Begins("check::steps::the_shipped_players_pass_and_good"),
        PROCESSES,
    ),
    (Begins("doctor::without_a_path"), PATH),
    (
        Begins("hostile::faults::a_bot_that_answers_ahead_and_never_reads"),
        UNREAD,
    ),
    (
        Begins("hostile::faults::a_bot_that_ends_loses_with_its_last_words::by_a_signal"),
        SYSTEM,
    ),
    (Begins("hostile::faults::a_bot_that_loops"), SHELL),
    (Begins("hostile::faults::a_bot_that_reads_nothing"), UNREAD),
    (Begins("hostile::faults::a_bot_is_not_blamed"), SYSTEM),
    (Begins("hostile::faults::a_second_reply_is_a_fault"), UNREAD),
    (
        Begins("hostile::faults::the_processor_time"),
        "Wine does not count processor time",
    ),
    (Begins("hostile::life::a_bot_that_is_loud"), SYSTEM),
    (Begins("hostile::life::a_slow_start"), SHELL),
    (Begins("hostile::life::a_reply_that_came_while"), SYSTEM),
    (Begins("hostile::life::standard_error_is_read"), SHELL),
    (Begins("hostile::words::a_reply_that_comes_too_late"), SHELL),
    (Begins("hostile::words::moves_that_are_said_ahead"), SHELL),
    (
        Begins("play::classic::a_file_that_cannot_be_written"),
        WORDS,
    ),
    (Begins("play::classic::a_full_disk"), SYSTEM),
    (Begins("play::menu::"), "the terminals are of Linux"),
    (Begins("play::pauses::"), "the terminals are of Linux"),
    (Begins("tune::values_are_given_in_the_environment"), PATH),
    (
        Begins("play::classic::a_player_that_cannot_be_started"),
        WORDS,
    ),
    (Begins("play::classic::a_reader_may_leave"), WORDS),
    (Begins("play::classic::a_recorded_game_continues"), WORDS),
    (Begins("promises::fields::"), MANY_GAMES),
    (Begins("promises::records::a_contest"), SHELL),
    (Begins("play::classic::a_record_goes_wherever"), SYSTEM),
    (Begins("play::classic::the_transcript_is"), SHELL),
    (Begins("play::classic::what_a_bot_began_to_say"), SHELL),
    (Begins("play::classic::what_a_bot_calls_itself"), PATH),
    (Begins("play::first_aid::a_bot_that_any_signal"), SYSTEM),
    (Begins("play::first_aid::a_file_of_players"), PATH),
    (Begins("play::first_aid::the_first_line_of_a_script"), SHELL),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_script"),
        SYSTEM,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::an_executable"),
        SYSTEM,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_variable"),
        SHELL,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::an_apostrophe"),
        SHELL,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_home_folder"),
        SHELL,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_folder_with_spaces"),
        SHELL,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_redirection"),
        SHELL,
    ),
    (
        Begins("play::first_aid::what_to_type_is_said_in_one_line::a_pipe"),
        SHELL,
    ),
    (Begins("replay::shown::a_reader_may_leave"), WORDS),
    (Begins("replay::shown::what_cannot_be_read"), WORDS),
    (Begins("report::games::a_page_opens"), PATH),
    (Begins("report::games::a_recorded_game_has_a_page"), WORDS),
    (Begins("report::wrong::a_pipe"), SYSTEM),
    (Begins("report::wrong::what_cannot_be_read"), WORDS),
    (
        Ends("::supervised"),
        "bots are served by threads, as in `--portable`",
    ),
    (
        Ends("::unconfined"),
        "bots are served by threads, as in `--portable`",
    ),
];

use Part::{Begins, Ends};

const MANY_GAMES: &str =
    "it plays more games than Wine has time for; two in `windows::` do there what it does";
const PATH: &str = "the paths or the PATH in it are of this system";
const PROCESSES: &str = "which processes a bot leaves is not counted there";
const RENAME: &str = "Wine cannot replace a file that is open, as Windows 10 does";
const SHELL: &str = "its bots are scripts for `sh`";
const SYSTEM: &str = "it is about signals, pipes, devices or permissions of this system";
const UNREAD: &str = "how much of its input a bot has read is unknown there";
const WORDS: &str = "the error is one of this system's, or has its words";

enum Part {
    Begins(&'static str),
    Ends(&'static str),
}

impl Part {
    fn is_of(&self, name: &str) -> bool {
        match self {
            Begins(beginning) => name.starts_with(beginning),
            Ends(ending) => name.ends_with(ending),
        }
    }
}

/// Returns why the test `name`, which needs `needs`, is left out; `None` if it runs with the programs for Windows.
pub(crate) fn why_left_out(name: &str, needs: &[&Need]) -> Option<String> {
    let listed = LEFT_OUT.iter().find(|(part, _)| part.is_of(name));
    let listed = listed.map(|(_, reason)| (*reason).to_owned());
    let lacked = needs.iter().find(|need| !need.is_known_on_windows());
    listed.or_else(|| Some(format!("it needs {}", lacked?.name())))
}
