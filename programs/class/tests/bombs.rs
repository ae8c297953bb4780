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
import gzip, tarfile, zipfile
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
def zipped(entries):
    with zipfile.ZipFile(PATH, 'w', zipfile.ZIP_DEFLATED) as file:
        for name, text in entries: file.writestr(name, text)
";

const HEADER: &str = "a header in it has more than 32 KiB";
const WHOLE: &str = "unpacked it has more than 64 MiB";
const LIST: &str = "its list of files has more than 2048 KiB";

/// Kinds of bombs: how its name ends, how Python makes it, and what is said of it. The tests of
/// archives have more kinds.
const BOMBS: [(&str, &str, &str); 8] = [
    ("tar.gz", "header(b'L')", HEADER),
    ("tgz", "header(b'x')", HEADER),
    ("tar.gz", "header(b'g')", WHOLE),
    (
        "tar.gz",
        "gz((head(b'L', 3072) + b'\\x1b/' * 1536 + BOT, 1))",
        "is longer than 1024 bytes",
    ),
    ("tar.gz", "gz((head(b'g', 0), 100000 * SCALE))", WHOLE),
    (
        "zip",
        "zipped((f'{i:060000}', '') for i in range(60 * SCALE))",
        LIST,
    ),
    (
        "zip",
        "zipped([('bot.toml', 'run = \"' + 'x' * (15 << 20) + '\"')])",
        "bot.toml: it has more than 64 KiB",
    ),
    (
        "zip",
        "zipped([('bot.toml', 'run = \"./x\"\\nbuild = \"head -c 3000000 /dev/zero >&2; exit 3\"')])",
        "The build failed: exit status: 3.",
    ),
];

/// The most memory of a step and of what it starts, in KiB. It has no compilers but the system's:
/// asking those elsewhere where they are takes more memory than anything here.
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
        class.run(format!("add {id} {file} --at {AT}"));
    }
    let peak = |step: &str| {
        let python = class.desk.program("/usr/bin/python3", "-c").arg(PEAK);
        let words = format!("class {step} -C");
        let run = python.arg(built("referee")).args(&words);
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
