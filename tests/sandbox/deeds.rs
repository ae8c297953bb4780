//! The tables of what a bot may do, in `docs/hostile-bots.md`, and of what it finds, in
//! `docs/writing-a-bot.md`: a bot tries all of it in each mode.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::Stdio;

use testkit::arena::{Arena, Mode};
use testkit::list::{Row, Tests};
use testkit::programs::{project_file, text_of};
use testkit::tools::{LANDLOCK, NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SYSTEM_PYTHON, LANDLOCK], |tests| {
        // Its table says that a bot without a sandbox may make a namespace.
        tests.needing(&[NAMESPACES], |tests| {
            rows!(tests, Mode::ALL, a_mode_refuses_what_its_table_says);
            add!(tests, a_bot_finds_what_the_guide_says);
        });
    });
}

/// What a bot tries, by the words of the table. The words in capitals are targets, all of which are
/// there and answer.
#[rustfmt::skip]
const DEEDS: [(&str, &str); 31] = [
    ("read a file", "open('HOME/secret')"),
    ("write a file", "open('HOME/secret', 'r+')"),
    ("remove a file", "os.remove('HOME/spare')"),
    ("list a folder", "os.listdir('HOME')"),
    ("change the mode of a file", "os.chmod('HOME/secret', 0o777)"),
    ("change the times of a file", "os.utime('HOME/secret', (1, 1))"),
    ("change the attributes of a file", "os.setxattr('HOME/secret', 'user.x', b'x')"),
    ("see that a file is there", "os.stat('HOME/secret')"),
    ("see command lines of others", "open('/proc/PID/cmdline').read()"),
    ("see what memory the machine has", "open('/proc/meminfo').read()"),
    ("see what is mounted", "assert open('/proc/self/mountinfo').read()"),
    ("list the network's devices", "os.listdir('/sys/class/net')"),
    // Some kernels open it and show nothing.
    ("read the environment of others", "assert open('/proc/PID/environ').read()"),
    ("write into a pipe of others", "open('/proc/PID/fd/0', 'wb', 0)"),
    ("signal others", "os.kill(PID, 0)"),
    ("change the limits of others", "import resource; resource.prlimit(PID, resource.RLIMIT_CORE, (0, 0))"),
    ("change its own priority", "before = os.nice(0); os.setpriority(os.PRIO_PROCESS, 0, before + 1); assert os.nice(0) != before"),
    ("write the kernel's switches", "name = '/proc/self/oom_score_adj'; now = open(name).read(); open(name, 'w').write(now)"),
    ("open the terminal", "open('/dev/tty')"),
    ("connect to an abstract socket", "import socket; socket.socket(socket.AF_UNIX).connect('\\0' + MARK)"),
    ("connect to a socket that is a file", "import socket; socket.socket(socket.AF_UNIX).connect('HOME/socket')"),
    ("connect by TCP", "import socket; socket.create_connection(('127.0.0.1', PORT))"),
    ("send by UDP", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))"),
    // In a user namespace a bot would be root.
    ("make a user namespace", "check(libc.unshare(0x10000000))"),
    // Removed again where it is possible.
    ("share memory that stays", "libc.shmctl(check(libc.shmget(0, 4096, 0o600)), 0, None)"),
    ("take 1100 MiB of memory", "bytearray(1100 << 20)"),
    // With no rules in it.
    ("make rules of Landlock", "handled = (ctypes.c_uint64 * 2)(1, 0); call(444, ctypes.addressof(handled), 16, 0)"),
    ("write a file of 65 MiB", "open('huge', 'wb').truncate(65 << 20)"),
    // After it has raised the limit as far as it may.
    ("open 300 files", "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, r.getrlimit(r.RLIMIT_NOFILE)[1:] * 2); [os.dup(0) for i in range(300)]"),
    // A program may want to do this with its own files and processes.
    ("make a file in /dev/shm", "open('/dev/shm/' + MARK, 'w').close(); os.remove('/dev/shm/' + MARK)"),
    ("change the mode of its own file", "open('own', 'w').close(); os.chmod('own', 0o600)"),
];

/// Each is tried in a child.
const TRIES: &str = "
def succeeds(deed):
    child = os.fork()
    if child == 0:
        try: exec(deed, globals())
        except BaseException: os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
def deed():
    for name, deed in DEEDS:
        say(f'# tried: {name}: ' + ('possible' if succeeds(deed) else 'refused'))
";

/// The first column of the table of the modes, and the one of this mode.
fn column(mode: Mode) -> Vec<String> {
    let page = text_of(project_file("docs/hostile-bots.md"));
    let (_, table) = page.split_once("| a bot tries to |").unwrap();
    let (modes, rows) = table.split_once("\n|---|---|---|---|\n").unwrap();
    assert_eq!(modes.replace([' ', '|'], ","), ",plain,,,basic,,,world,,");
    let rows = rows.lines().map_while(|line| line.strip_prefix("| "));
    let place = Mode::ALL.iter().position(|other| *other == mode).unwrap();
    rows.map(|row| {
        let cells: Vec<_> = row
            .split(" | ")
            .map(|cell| cell.trim_end_matches(" |"))
            .collect();
        format!("{}: {}", cells[0].replace('`', ""), cells[place + 1])
    })
    .collect()
}

/// At a terminal, so that there is one to be opened.
fn a_mode_refuses_what_its_table_says(mode: Mode) {
    let arena = Arena::new(mode).with("--transcript said --json --limit 60s");
    let home = &arena.home;
    home.file("secret", "the record of another")
        .file("spare", "");
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let _udp = UdpSocket::bind(("127.0.0.1", port));
    let name = SocketAddr::from_abstract_name(&arena.mark).unwrap();
    let _abstract = UnixListener::bind_addr(&name).unwrap();
    let _socket = UnixListener::bind(home.path("socket")).unwrap();
    // Processes in a world are numbered from 1. In a container the numbers outside are low too, so
    // one of them could have the number of the target.
    let mut other = loop {
        let mut other = std::process::Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        if other.id() > 200 {
            break other;
        }
        other.kill().unwrap();
        other.wait().unwrap();
    };
    // Text in JSON is text in Python too.
    let deeds = serde_json::to_string(&DEEDS).unwrap();
    let deeds = deeds
        .replace("HOME", home.path("").to_str().unwrap())
        .replace("PORT", &port.to_string())
        .replace("PID", &other.id().to_string());
    let before = home.path("secret").metadata().unwrap().modified().unwrap();
    let arena = arena.deed(&format!("DEEDS = {deeds}\n{TRIES}"));
    let (screen, _) = arena.run().in_terminal().ends();
    other.kill().unwrap();
    other.wait().unwrap();
    let said = arena.dir.text("said");
    let tried: Vec<_> = said
        .lines()
        .filter_map(|line| Some(line.split_once("-> # tried: ")?.1))
        .collect();
    assert_eq!(tried, column(mode), "{screen}");
    let home = &arena.home;
    assert_eq!(home.text("secret"), "the record of another");
    let after = home.path("secret").metadata().unwrap().modified().unwrap();
    assert_eq!(
        before == after,
        Mode::SANDBOXES.contains(&mode),
        "{}",
        mode.name()
    );
}

/// Each row of the table is looked up by a bot.
fn a_bot_finds_what_the_guide_says() {
    let guide = text_of(project_file("docs/writing-a-bot.md"));
    let (_, table) = guide
        .split_once("| in Python | is |\n|---|---|\n| `")
        .unwrap();
    let (table, _) = table.split_once("` |\n\n").unwrap();
    let looks = table.split("` |\n| `").map(|row| {
        let (expression, expected) = row.split_once("` | `").unwrap();
        format!("    assert str({expression}) == {expected:?}, {expression}\n")
    });
    let looks: Vec<_> = looks.collect();
    assert!(looks.len() > 8, "{table}");
    let deed = format!("import resource\ndef deed():\n{}", looks.concat());
    // Of a script its world would show the folder too.
    let arena = Arena::new(Mode::World).deed(&deed);
    let script = arena.dir.text("rogue.py");
    let player = [
        "rogue=/usr/bin/python3 -c",
        &shlex::try_quote(&script).unwrap(),
    ]
    .join(" ");
    let players = shlex::try_join([&*player, "awful"]).unwrap();
    arena.players(&players).wins();
}
