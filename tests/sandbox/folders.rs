//! The files that a bot sees, and those that it leaves.

use testkit::arena::{Arena, Mode};
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::run::Dir;
use testkit::text::has;
use testkit::tools::{LANDLOCK, NAMESPACES, ROOT, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[LANDLOCK, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(tests, Mode::SANDBOXES, the_seed_is_not_to_be_found);
        rows!(tests, Mode::SANDBOXES, a_bot_has_a_fresh_folder);
        rows!(tests, Mode::SANDBOXES, nothing_is_left_of_a_folder);
        rows!(tests, Mode::SANDBOXES, an_allowed_folder_is_read_only);
        rows!(tests, Mode::SANDBOXES, a_script_is_hidden_from_the_opponent);
        tests.needing(&[NAMESPACES], |tests| {
            add!(tests, a_world_names_nothing_that_it_hides);
        });
        rows!(tests, Mode::SANDBOXES, files_that_a_command_names_are_shown);
        tests.needing(&[ROOT, NAMESPACES], |tests| {
            add!(tests, files_for_root_alone_are_named);
        });
    });
}

/// Looks for the seed in all files of its folder, and in the command lines and environments of all
/// processes. Needs a module from beside it, which is found by listing the folder.
const SPY: &str = "
import beside
def attacked():
    files = [os.path.join(at, name) for at, _, names in os.walk(HERE) for name in names]
    for process in filter(str.isdigit, os.listdir('/proc')):
        files += [f'/proc/{process}/cmdline', f'/proc/{process}/environ']
    for file in files:
        try: found = MARK.encode() in open(file, 'rb').read()
        except OSError: continue
        if found: say(f'# found in {os.path.basename(file)} = 1')
    reply()
";

/// The bot's folder is also the user's current one, as in the README. The files with the record and
/// the output are there.
fn the_seed_is_not_to_be_found(mode: Mode) {
    let arena = Arena::new(mode).python(SPY);
    let Arena { dir, mark, .. } = &arena;
    dir.file("beside.py", "")
        .file("cup.toml", format!("seed = {mark}\n"));
    // The mark is the seed, and so in the script itself.
    let found = |words: &str| {
        let _ = std::fs::remove_file(dir.path("record"));
        let words = format!("{words} 'spy=/usr/bin/python3 rogue.py' awful --limit 60s");
        let output = std::fs::File::create(dir.path("output")).unwrap();
        dir.run(&words).stdout(output).succeeds();
        let record = dir.record("record");
        let figures = record
            .lines
            .iter()
            .filter_map(|line| line["figures"].as_array());
        let names = figures.flatten().map(|figure| figure["name"].to_string());
        names.collect::<Vec<_>>().concat()
    };
    let option = mode.option();
    let play = format!("play --seed {mark} --json --out record");
    let contest = "tournament --config cup.toml --games 2 --max-turns 2 -q --out record";
    let own = "\"found in rogue.py\"";
    let configured = format!("\"found in cup.toml\"{own}");
    assert_eq!(found(&format!("{play} {option}")), configured);
    assert_eq!(found(&play), configured);
    assert_eq!(found(&format!("{contest} {option}")), own.repeat(2));
    let outside = found(contest);
    has(&outside, "found in record");
}

/// What the first one has written is not there in the second game.
fn a_bot_has_a_fresh_folder(mode: Mode) {
    let deed = "
def deed():
    home = os.getcwd()
    assert os.listdir('.') == [], os.listdir('.')
    assert home == os.environ['HOME'], home
    assert home == '/home/bot' if MODE == 'world' else '/battleship-bot-' in home, home
    open('notes', 'w').write('x')
";
    let arena = Arena::new(mode).deed(deed);
    arena.wins();
    arena.wins();
}

/// What cannot be listed, followed by a path, or removed in one go.
fn nothing_is_left_of_a_folder(mode: Mode) {
    let clutter = "
def deed():
    os.makedirs('closed/inside')
    open('closed/inside/file', 'w').close()
    for name in range(500): open(str(name), 'w').close()
    for depth in range(30):
        os.mkdir('deep' * 50)
        os.chdir('deep' * 50)
    os.chdir(os.environ['HOME'])
    for mode in [0, 0o100, 0o200, 0o500]:
        os.mkdir(f'folder {mode}')
        os.open(f'folder {mode}/file', os.O_CREAT, 0)
        attempt('close', os.chmod, f'folder {mode}', mode)
    os.umask(0o777)
    os.mkdir('closed from its beginning')
";
    for arena in Arena::of_all(mode) {
        arena.with("--limit 60s").deed(clutter).wins();
    }
}

fn an_allowed_folder_is_read_only(mode: Mode) {
    let arena = Arena::new(mode);
    let home = arena.home.file("opening.txt", "attack 5 5").path("");
    let deed = format!(
        "
def deed():
    assert open('{0}opening.txt').read() == 'attack 5 5'
    attempt('write', open, '{0}mine', 'w')
    assert findings['write'] in ['EROFS', 'EACCES'], findings
",
        home.display()
    );
    let allow = format!("--allow {}", home.display());
    arena.with(&allow).deed(&deed).wins();
}

/// Which of the files beside it a bot can read.
const LOOKER: &str = "
def deed():
    seen = []
    try: names = os.listdir(HERE)
    except PermissionError:
        assert MODE == 'basic'
        names = ['rogue.py', 'imported.py', 'notes.txt']
    for name in sorted(names):
        try:
            if open(HERE + '/' + name).read(): seen.append(name)
        except OSError: pass
    assert seen == EXPECTED, seen
";

/// Of a home it sees its own script only, and what that may import.
fn a_script_is_hidden_from_the_opponent(mode: Mode) {
    for (is_home, expected) in [
        (false, "['imported.py', 'notes.txt', 'rogue.py']"),
        (true, "['imported.py', 'rogue.py']"),
    ] {
        let arena = Arena::new(mode).deed(&format!("{LOOKER}EXPECTED = {expected}"));
        let dir = &arena.dir;
        let other = text_of(dir.path("rogue.py")).replace("assert", "#");
        dir.file("other.py", other);
        dir.file("imported.py", "SECRET = 1").file("notes.txt", "x");
        let home = if is_home { dir } else { &arena.home }.path("");
        let home = format!("env HOME={}", home.display());
        let players = "'rogue=/usr/bin/python3 rogue.py' '/usr/bin/python3 other.py'";
        let game = arena.after(&home).players(players).play();
        assert_eq!(
            game.text("ended_by"),
            "fleet_sunk",
            "{}",
            game.text("reason")
        );
    }
}

/// Neither the places of its files on the host nor what is hidden, by no process of the bot.
const MOUNTS: &str = "
def lists_mounts():
    for process in ['self', '1', str(os.getpid())]:
        for name in ['mountinfo', 'mounts', 'mountstats']:
            try: listed = open(f'/proc/{process}/{name}').read()
            except FileNotFoundError: continue
            assert not listed, listed
    for number in [457, 458]: attempt(number, call, number, 0, 0, 0, 0, 0)
    assert set(findings.values()) == {'EPERM'}, findings
def deed():
    lists_mounts()
    child = os.fork()
    if not child:
        try: lists_mounts()
        except BaseException: os._exit(1)
        os._exit(0)
    assert not os.waitpid(child, 0)[1]
    assert os.listdir(HERE) and os.getcwd() == '/home/bot'
";

fn a_world_names_nothing_that_it_hides() {
    for arena in Arena::of_all(Mode::World) {
        let arena = arena.with("--transcript said").deed(MOUNTS);
        let other = text_of(arena.dir.path("rogue.py")).replace("not shots", "0");
        arena.dir.file("other.py", other);
        let players = "'rogue=/usr/bin/python3 rogue.py' '/usr/bin/python3 other.py'";
        let game = arena.players(players).play();
        assert_eq!(
            game.text("ended_by"),
            "fleet_sunk",
            "{}",
            game.text("reason")
        );
    }
}

/// Those of a script in the current folder, too.
fn files_that_a_command_names_are_shown(mode: Mode) {
    let dir = Dir::new();
    dir.file("books/opening.txt", "attack 5 5");
    for name in ["bot.py", "strategy.py"] {
        dir.file(name, text_of(project_file("examples/python").join(name)));
    }
    let reads = "import os, sys
print('ready', flush=True)
for line in sys.stdin:
    if line.startswith('place'): print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', flush=True)
    if line.startswith('attack'): print(open(sys.argv[1] + '/opening.txt').read(), flush=True)";
    let reads = format!("/usr/bin/python3 -c \"{reads}\" books");
    for player in ["/usr/bin/python3 bot.py", &reads] {
        let run = dir.run("play --json --seed 1 --max-turns 2").arg(player);
        let game = run.arg("awful").args(mode.option()).ends().game();
        assert_eq!(game.text("ended_by"), "turn_cap", "{}", game.text("reason"));
    }
}

/// In a world, the bot of root is nobody.
fn files_for_root_alone_are_named() {
    let arena = Arena::new(Mode::World).deed("def deed(): pass");
    let script = arena.dir.path("rogue.py");
    arena.dir.program("chmod", "600 rogue.py").succeeds();
    let advice = format!("chmod -R o+rX {} allows that", script.display());
    arena.run().fails(1, &advice);
    arena.dir.program("chmod", "-R o+rX rogue.py").succeeds();
    arena.wins();
}
