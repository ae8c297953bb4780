//! Faults of the machine: no student is blamed for them, the command fails, and the next one tries again. And two programs that
//! do the same step of one class.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::disks::run_where_disks_are_tiny;
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, MAKE, MOUNT, NAMESPACES, SYSTEM_PYTHON, UNSHARE};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_second_import_waits_for_the_first,
        a_killed_init_is_made_again
    );
    tests.needing(&[MOUNT, SYSTEM_PYTHON, UNSHARE], |tests| {
        add!(tests, a_full_disk_is_no_students_fault_in_any_step);
    });
    tests.needing(&[MAKE, NAMESPACES], |tests| {
        add!(tests, what_the_machine_lacks_is_tried_again);
    });
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, a_step_that_runs_already_is_named);
    });
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        add!(tests, several_imports_at_once_leave_whole_submissions);
    });
    tests.needing(&[LANDLOCK], |tests| {
        add!(tests, a_basic_sandbox_builds);
    });
}

const AT: [&str; 2] = ["--at", "2026-11-30T10-00-00"];

/// Does each step on a disk with this much room, and again when there is more; `$codes` has how each ended.
const STEPS: &str = r#"
mount -t tmpfs -o size=6m tiny "$tiny"
cp -r class "$tiny/class"
step() {
    head -c 6m /dev/zero > "$tiny/fill" 2> /dev/null || true
    truncate -s "-$left" "$tiny/fill"
    code=0
    "$referee" class -C "$tiny/class" "$@" > full.txt 2>&1 || code=$?
    rm "$tiny/fill"
    echo "$1 $left $code" >> codes.txt
    if grep -q 'built  ' full.txt && [ $code != 0 ]; then cat full.txt; fi
    "$referee" class -C "$tiny/class" "$@" > room.txt 2>&1
}
for left in 12k 48k 100k 150k 200k; do
    cp -r class "$tiny/class"
    step import download
    for word in intake check play site; do step $word; done
    step grade --gradescope "$tiny/grades"
    "$referee" class -C "$tiny/class" grade >> grades.txt
    rm -r "$tiny/class" "$tiny/grades"
done
"#;

fn a_full_disk_is_no_students_fault_in_any_step() {
    let settings = format!("[game]\nsandbox = false\n{SETTINGS}");
    let class = Class::called(
        "class",
        &settings,
        &[("ada", "Ada", ""), ("bob", "Bob", "")],
    );
    let (folder, desk) = (class.path(".."), Desk::new());
    for id in ["ada", "bob"] {
        let bot = desk.plain(id);
        let to = folder.join("download").join(id);
        fs::create_dir_all(&to).unwrap();
        fs::copy(bot.join("bot.sh"), to.join("bot.sh")).unwrap();
        fs::write(to.join("data"), "x".repeat(40_000)).unwrap();
        let build = "run = 'sh bot.sh'\nbuild = 'head -c 30000 /dev/urandom > blob'\n";
        fs::write(to.join("bot.toml"), build).unwrap();
    }
    run_where_disks_are_tiny(&folder, STEPS);
    let codes = fs::read_to_string(folder.join("codes.txt")).unwrap();
    for step in ["import", "intake", "check", "play", "site", "grade"] {
        assert!(codes.contains(&format!("{step} 12k 1\n")), "{codes}");
    }
    assert!(
        codes.lines().all(|line| line.ends_with(['0', '1'])),
        "{codes}"
    );
    // With room each student has a bot that plays, and the points of it.
    let grades = fs::read_to_string(folder.join("grades.txt")).unwrap();
    assert_eq!(grades.matches(",40,yes,").count(), 10, "{grades}");
}

/// Checks that a step failed with 1, saying all of `wanted`.
fn fails(output: &Output, wanted: &[&str]) {
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    for text in wanted {
        assert!(said.contains(text), "{text}: {said}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn what_the_machine_lacks_is_tried_again() {
    let students = ["gone", "killed", "ruby", "sound"].map(|id| (id, "", ""));
    let (class, desk) = (Class::new(SETTINGS, &students), Desk::new());
    let handed_in = [
        ("killed", "bot.toml", "run = 'sh bot.sh'\nbuild = 'make'\n"),
        ("killed", "Makefile", "all:\n\tkill -9 $$$$\n"),
        (
            "ruby",
            "bot.toml",
            "run = 'sh bot.sh'\nbuild = 'ruby build.rb'\n",
        ),
        ("sound", "bot.toml", "run = 'sh bot.sh'\n"),
    ];
    for (id, file, content) in handed_in {
        desk.folder(id, &[(file, content), ("bot.sh", "exit\n")]);
    }
    for id in ["killed", "ruby", "sound"] {
        class.succeeds(&[&["add", id, desk.path(id).to_str().unwrap()], &AT[..]].concat());
    }
    // What cannot be read is not nothing.
    fs::write(class.path("submissions/gone"), "").unwrap();
    let tools = desk.path("tools");
    fs::create_dir(&tools).unwrap();
    let allow = format!("[build]\nallow = [{:?}]\n", tools.to_str().unwrap());
    class.set(&SETTINGS.replace("[build]\n", &allow));
    for tool in ["sh", "make", "mkdir", "cp", "chmod", "tar"] {
        let path = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join(tool))
            .find(|path| path.is_file());
        std::os::unix::fs::symlink(path.unwrap(), tools.join(tool)).unwrap();
    }
    for _ in 0..2 {
        let output = class.command(&["intake"]).env("PATH", &tools).output();
        let wanted = [
            "could not be built: killed: the build was killed",
            "could not be built: ruby: ruby is not installed on this machine",
            "could not be built: gone: ",
            "the next intake tries these again",
            " new: ",
            " 0 not built, 0 refused",
        ];
        fails(&output.unwrap(), &wanted);
    }
    // Without the programs that begin a build.
    let output = class.command(&["intake"]).env("PATH", "").output().unwrap();
    fails(
        &output,
        &["could not be built: killed, ruby: the build could not be begun: "],
    );
    for step in ["site", "grade", "status"] {
        fails(&class.output(&[step]), &["submissions/gone: "]);
    }
}

fn a_step_that_runs_already_is_named() {
    let class = Class::new(SETTINGS, &[("ada", "Ada", "")]);
    for (lock, step) in [("night", "play"), ("check", "check"), ("intake", "intake")] {
        let path = class.path(format!(".{lock}.lock"));
        fs::write(&path, "process 7 on elsewhere since noon").unwrap();
        let held = File::open(&path).unwrap();
        held.lock().unwrap();
        let running = format!("another {lock} of this class is running: process 7 on elsewhere");
        fails(&class.output(&[step]), &[&running]);
        drop(held);
        class.succeeds(&[step]);
    }
}

fn a_second_import_waits_for_the_first() {
    let (class, desk) = (Class::new(SETTINGS, &[("ada", "Ada", "")]), Desk::new());
    let path = class.path(".import.lock");
    fs::write(&path, "process 7 on elsewhere since noon").unwrap();
    let held = File::open(&path).unwrap();
    held.lock().unwrap();
    let mut import = Command::new(testkit::programs::built("referee"));
    import.args(["class", "add", "ada"]).arg(desk.plain("ada"));
    import.arg("-C").arg(class.path("")).stderr(Stdio::piped());
    let mut import = import.stdout(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(import.stderr.take().unwrap());
    said.read_line(&mut line).unwrap();
    assert!(
        line.contains("process 7 on elsewhere since noon; waiting for its end"),
        "{line}"
    );
    drop(held);
    assert!(import.wait().unwrap().success());
    assert_eq!(
        fs::read_dir(class.path("submissions/ada")).unwrap().count(),
        1
    );
}

/// The files of some submissions were torn, and those of some were mixed.
fn several_imports_at_once_leave_whole_submissions() {
    let ids: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    let roster: Vec<_> = ids.iter().map(|id| (&**id, "", "")).collect();
    let (class, desk) = (Class::new(SETTINGS, &roster), Desk::new());
    // On another disk, with what a killed import left.
    let disk = tempfile::tempdir_in(if cfg!(target_os = "linux") {
        "/dev/shm"
    } else {
        "/tmp"
    });
    let disk = disk.unwrap();
    fs::remove_dir(class.path("submissions")).unwrap();
    std::os::unix::fs::symlink(disk.path(), class.path("submissions")).unwrap();
    fs::create_dir_all(disk.path().join(".build-import/hand-in")).unwrap();
    assert!(class.succeeds(&["intake"]).contains("0 new"));
    for id in &ids {
        let text = format!("{id}\n").repeat(50_000);
        desk.folder(
            &format!("all/{id}"),
            &[("bot.py", &text), ("more.py", &text)],
        );
    }
    let zip = desk.zip(&desk.path("all"), "all.zip");
    let words = [&["import", zip.to_str().unwrap()], &AT[..]].concat();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| class.succeeds(&words));
        }
    });
    for id in &ids {
        let folder = class.path("submissions").join(id).join(AT[1]);
        for file in ["bot.py", "more.py"] {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            assert_eq!(text.matches(&format!("{id}\n")).count(), 50_000, "{id}");
        }
        assert_eq!(fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1);
    }
    assert_eq!(fs::read_dir(disk.path()).unwrap().count(), ids.len());
}

/// A class whose secret was written and whose settings were not could not be made again, and drew its seeds from nothing.
fn a_killed_init_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let digits = "00112233445566778899aabbccddeeff\n";
    fs::write(folder.path().join("class.secret"), digits).unwrap();
    let mut init = testkit::programs::referee();
    init.args(["class", "init", "-C"])
        .arg(folder.path())
        .assert()
        .success();
    let secret = fs::read_to_string(folder.path().join("class.secret")).unwrap();
    assert_eq!(secret, digits);
}

/// Builds failed there, since they may not change permissions.
fn a_basic_sandbox_builds() {
    let settings = format!("[game]\nsandbox = 'basic'\n{SETTINGS}");
    let (class, desk) = (Class::new(&settings, &[("ada", "Ada", "")]), Desk::new());
    let toml = "run = 'sh bot.sh'\nbuild = 'echo exit > bot.sh'\n";
    let folder = desk.folder("ada", &[("bot.toml", toml)]);
    class.succeeds(&[&["add", "ada", folder.to_str().unwrap()], &AT[..]].concat());
    assert!(class.succeeds(&["intake"]).contains("1 new: 1 built"));
}
