//! Submissions that are small and become large, and what an intake that is killed leaves.

use std::fs;
use std::process::Command;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, small_submissions_stay_small);
    });
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, what_a_killed_intake_leaves_is_gone_after_the_next);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(tests, many_small_submissions_stay_small);
        })
    });
}

/// A kind of bomb: how its name ends, how Python makes it, and what is said of it.
type Bomb = (&'static str, &'static str, &'static str);

/// The script that makes all of them. `SCALE` times 64 MiB is the size of most of them.
const MAKER: &str = "
import gzip, struct, tarfile, zipfile
def head(kind, size, name='x'):
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)
BOT = head(b'0', 0, 'bot.py') + bytes(1024)
MIB = b'a' * (1 << 20)
def gz(*parts):
    with gzip.open(PATH, 'wb', 1) as file:
        for piece, times in parts:
            for _ in range(times): file.write(piece)
def header(kind):
    gz((head(kind, SCALE << 26), 1), (MIB, 64 * SCALE), (BOT, 1))
def listed(name, extra, comment, count):
    entries = b''.join(
        struct.pack('<4s6H3L5H2L', b'PK\\1\\2', 20, 20, 0, 0, 0, 33, 0, 0, 0, len(name % i), len(extra), len(comment), 0, 0, 0, 0)
        + name % i + extra + comment for i in range(count))
    local = struct.pack('<4s5H3L2H', b'PK\\3\\4', 20, 0, 0, 0, 33, 0, 0, 0, 0, 0)
    end = struct.pack('<4s4H2LH', b'PK\\5\\6', 0, 0, count, count, len(entries), len(local), 0)
    open(PATH, 'wb').write(local + entries + end)
";

const HEADER: &str = "a header in it has more than 32 KiB";
const WHOLE: &str = "unpacked it has more than 20 MiB";
const LIST: &str = "its list of files has more than 2048 KiB";

const BOMBS: [Bomb; 13] = [
    ("tar.gz", "header(b'L')", HEADER),
    ("tgz", "header(b'x')", HEADER),
    ("tar.gz", "header(b'g')", WHOLE),
    (
        "tar.gz",
        "gz((head(b'L', 3072) + b'\\x1b/' * 1536 + BOT, 1))",
        "is longer than 1024 bytes",
    ),
    ("tar.gz", "gz((head(b'g', 0), 100000 * SCALE))", WHOLE),
    ("zip", "listed(b'%060000d', b'', b'', 60 * SCALE)", LIST),
    (
        "zip",
        "listed(b'%d', b'\\x99\\x99\\0\\0' * 15000, b'', 60 * SCALE)",
        LIST,
    ),
    (
        "zip",
        "zipfile.ZipFile(PATH, 'w', zipfile.ZIP_DEFLATED).writestr('bot.toml', 'run = \"' + 'x' * (15 << 20) + '\"')",
        "bot.toml: it has more than 64 KiB",
    ),
    (
        "zip",
        "zipfile.ZipFile(PATH, 'w').writestr('bot.toml', 'run = \"./x\"\\nbuild = \"head -c 3000000 /dev/zero >&2; exit 3\"')",
        "The build failed: exit status: 3.",
    ),
    ("tar.gz", "header(b'K')", HEADER),
    ("tar.gz", "header(b'5')", WHOLE),
    (
        "zip",
        "listed(b'%d', b'', b'\\xff' * 60000, 60 * SCALE)",
        LIST,
    ),
    ("zip", "listed(b'%05d', b'', b'', 65000)", LIST),
];

/// An upload of 300 kB took 1.2 GiB of the referee's memory and made a page of 315 MB.
fn small_submissions_stay_small() {
    let bombs = BOMBS[1..9]
        .iter()
        .map(|bomb| (bomb, 1))
        .chain([(&BOMBS[0], 5)]);
    stay_small(&bombs.collect::<Vec<_>>());
}

fn many_small_submissions_stay_small() {
    let bombs = [1, 2, 4]
        .iter()
        .flat_map(|scale| BOMBS.iter().map(|bomb| (bomb, *scale)));
    stay_small(&bombs.collect::<Vec<_>>());
}

fn stay_small(bombs: &[(&Bomb, u32)]) {
    let ids: Vec<String> = (0..bombs.len())
        .map(|number| format!("s{number}"))
        .collect();
    let roster: Vec<_> = ids.iter().map(|id| (id.as_str(), "", "")).collect();
    let (class, desk) = (Class::new(SETTINGS, &roster), Desk::new());
    for (id, ((ending, program, _), scale)) in ids.iter().zip(bombs) {
        let program = format!("PATH, SCALE = {{}}, {scale}\n{MAKER}\n{program}");
        let bomb = desk.made_by_python(&format!("{id}.{ending}"), &program);
        class.succeeds(&[
            "add",
            id,
            bomb.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    let (idle, _) = peak(&class, "status");
    let (most, said) = peak(&class, "intake");
    for (id, ((ending, program, what), _)) in ids.iter().zip(bombs) {
        let line = said
            .lines()
            .find(|line| line.starts_with(&format!("{id} ")))
            .unwrap();
        assert!(
            line.contains(&format!("00.{ending}: ")) || line.contains("bot.toml"),
            "{line}"
        );
        assert!(line.contains(what), "{program}: {line}");
        assert!(line.chars().count() < 450, "{line}");
    }
    let (after, _) = peak(&class, "status");
    class.succeeds(&["site"]);
    let database = fs::metadata(class.path("class.db")).unwrap().len();
    let page = ids.iter().map(|id| class.page_of(id).len()).max().unwrap();
    let measured =
        format!("KiB: status {idle}, intake {most}, status {after}; bytes: {database}, {page}");
    assert!(most < idle + (64 << 10), "{measured}");
    assert!(after < idle + (16 << 10), "{measured}");
    assert!(database < 2 << 20 && page < 300_000, "{measured}");
}

/// Returns the most memory of a step and of what it starts, in KiB, and what it printed.
fn peak(class: &Class, step: &str) -> (u64, String) {
    // Without compilers elsewhere: asking them where they are takes more memory than anything here.
    const PROGRAM: &str = "\
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], dict(os.environ, PATH='/usr/bin:/bin'))
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))";
    let mut command = Command::new("/usr/bin/python3");
    command.args([
        "-c",
        PROGRAM,
        &testkit::programs::built("referee"),
        "class",
        step,
        "-C",
    ]);
    let output = command.arg(class.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let peak = said.trim_end().lines().last().unwrap();
    (peak.parse().unwrap(), said.clone())
}

fn what_a_killed_intake_leaves_is_gone_after_the_next() {
    let class = Class::new(SETTINGS, &[]);
    let left = class.path("bots/.build-intake/0-source");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("bot.py"), "").unwrap();
    class.succeeds(&["intake"]);
    assert_eq!(fs::read_dir(class.path("bots")).unwrap().count(), 0);
}
