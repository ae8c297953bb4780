//! Submissions that are small and become large.

use std::fs;

use crate::class::{AT, Class};
use testkit::list::Tests;
use testkit::programs::built;
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, small_submissions_stay_small);
    });
}

/// Functions that make bombs. `SCALE` times 64 MiB is the size of most of them.
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

/// Kinds of bombs: how its name ends, how Python makes it, and what is said of it.
const BOMBS: [(&str, &str, &str); 10] = [
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
    (
        "zip",
        "listed(b'%d', b'', b'\\xff' * 60000, 60 * SCALE)",
        LIST,
    ),
];

/// The most memory of a step and of what it starts, in KiB. It has no compilers but the system's: asking those elsewhere where
/// they are takes more memory than anything here.
const PEAK: &str = "
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], dict(os.environ, PATH='/usr/bin:/bin'))
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))";

/// An upload of 300 kB took 1.2 GiB of the referee's memory and made a page of 315 MB.
fn small_submissions_stay_small() {
    let ids: Vec<_> = (0..BOMBS.len())
        .map(|number| format!("s{number}"))
        .collect();
    let class = Class::new(&ids.join(" "));
    // As a killed intake leaves it.
    class.file("bots/.build-intake/0-source/bot.py", "");
    for (id, (ending, program, _)) in ids.iter().zip(BOMBS) {
        let file = format!("{id}.{ending}");
        class.python(&format!("PATH, SCALE = '{file}', 2\n{MAKER}\n{program}"));
        class.run(&format!("add {id} {file} --at {AT}"));
    }
    let peak = |step: &str| {
        let python = class.desk.program("/usr/bin/python3", "-c").arg(PEAK);
        let words = ["class", step, "-C"];
        let run = words
            .iter()
            .fold(python.arg(built("referee")), testkit::run::Run::arg);
        let done = run.arg(class.path("")).succeeds();
        let peak = done.stdout.lines().last().unwrap().parse().unwrap();
        (peak, done)
    };
    let (idle, _): (u64, _) = peak("status");
    let (most, intake) = peak("intake");
    for (id, (ending, program, what)) in ids.iter().zip(BOMBS) {
        let mut lines = intake.stdout.lines();
        let line = lines
            .find(|line| line.starts_with(&format!("{id} ")))
            .unwrap();
        let is_named = line.contains(&format!("00.{ending}: ")) || line.contains("bot.toml");
        assert!(is_named && line.contains(what), "{program}: {line}");
        assert!(line.chars().count() < 450, "{line}");
    }
    let (after, _) = peak("status");
    class.run("site");
    let database = fs::metadata(class.path("class.db")).unwrap().len();
    let page = ids.iter().map(|id| class.page(id).len()).max().unwrap();
    let measured =
        format!("KiB: status {idle}, intake {most}, status {after}; bytes: {database}, {page}");
    assert!(most < idle + (64 << 10), "{measured}");
    assert!(after < idle + (16 << 10), "{measured}");
    assert!(database < 2 << 20 && page < 300_000, "{measured}");
    assert_eq!(class.count("bots"), 0);
}
