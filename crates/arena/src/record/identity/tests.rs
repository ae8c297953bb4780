use std::fs;

use bothost::View;

use super::*;

/// A folder with files; paths in it are absolute.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the program that this command starts in the folder.
    fn program(command: &str) -> BotProgram {
        let mut words = shlex::split(command).unwrap().into_iter().map(Into::into);
        BotProgram {
            file: words.next().unwrap(),
            arguments: words.collect(),
            folder: None,
            command_line: command.to_owned(),
            ..BotProgram::default()
        }
    }

    /// Returns the names of the files that the command consists of; `@` in it stands for the
    /// folder.
    fn files(&self, command: &str) -> Vec<String> {
        let command = command.replace('@', self.0.path().to_str().unwrap());
        names(&Folder::program(&command))
    }
}

fn names(program: &BotProgram) -> Vec<String> {
    let [identity] = identify(&[program], &[]).try_into().unwrap();
    identity
        .files
        .unwrap_or_default()
        .into_iter()
        .map(|file| file.0)
        .collect()
}

#[test]
fn a_script_has_the_files_of_its_ending() {
    let record = "{\"format\":\"battleship-contest\",\"version\":3}\n";
    let folder = Folder::with(&[
        ("bot.py", ""),
        ("strategy.py", ""),
        ("weights.bin", "\0\x01"),
        ("lib/tools.py", ""),
        ("lib/__pycache__/tools.cpython-311.pyc", ""),
        (".hidden.py", ""),
        (".hidden/bot.py", ""),
        ("__pycache__/strategy.cpython-311.pyc", ""),
        (".git/HEAD", ""),
        ("target/debug/bot", ""),
        ("node_modules/a/index.js", ""),
        ("bot.log", ""),
        ("cup.jsonl", record),
    ]);
    let all = ["bot.py", "lib/tools.py", "strategy.py"];
    assert_eq!(folder.files("python3 @/bot.py"), all);
    // What the command names counts whatever its ending is, also behind an equals sign.
    let all = ["bot.py", "lib/tools.py", "strategy.py", "weights.bin"];
    assert_eq!(folder.files("python3 @/bot.py @/weights.bin"), all);
    assert_eq!(folder.files("python3 @/bot.py --net=@/weights.bin"), all);
    // A folder of its own counts whole, except for the caches.
    let own = BotProgram {
        folder: Some(folder.path("")),
        ..Folder::program("python3 bot.py")
    };
    let whole = [
        ".hidden.py",
        ".hidden/bot.py",
        "bot.py",
        "lib/tools.py",
        "strategy.py",
        "weights.bin",
    ];
    assert_eq!(names(&own), whole);
}

#[test]
fn a_judge_has_the_files_beside_it_but_bots() {
    let folder = Folder::with(&[("judge.py", "rules"), ("notes.txt", "")]);
    let in_folder = |name: &str| folder.path(name).display().to_string();
    let judge = Folder::program(&format!("python3 {}", in_folder("judge.py")));
    let mut bot = Folder::program(&format!("python3 {}", in_folder("bot.py")));
    let digest = |players: &[&BotProgram], own: &[PathBuf]| {
        let mut digest = digest_of_judge(&judge, players, own);
        digest.truncate(16);
        digest
    };
    // As records have the digest of a judge of one file since that file alone was read.
    let alone = hexadecimal(&Sha256::digest(format!(
        "judge.py\0{}\n",
        hexadecimal(&Sha256::digest("rules"))
    )));
    assert_eq!(digest(&[], &[]), alone[..16]);
    folder.write("rules.py", "");
    let whole = digest(&[], &[]);
    assert_ne!(whole, alone[..16]);
    folder.write("rules.py", "more");
    assert_ne!(digest(&[], &[]), whole);
    folder.write("rules.py", "");
    assert_eq!(digest(&[], &[]), whole);
    folder.write("bot.py", "");
    folder.write("other/bot.py", "");
    folder.write("submissions/ann/bot.py", "");
    let other = BotProgram {
        folder: Some(folder.path("other")),
        ..Folder::program("python3 bot.py")
    };
    let own = [folder.path("submissions")];
    assert_ne!(digest(&[&bot], &own), whole);
    assert_eq!(digest(&[&bot, &other], &own), whole);
    // What the command of the judge names belongs to the judge in any case.
    bot.arguments.push(in_folder("judge.py").into());
    assert_eq!(digest(&[&bot, &other], &own), whole);
}

#[test]
fn a_program_without_an_ending_is_one_file() {
    let folder = Folder::with(&[("bot", ""), ("other", ""), ("bot.py", "")]);
    assert_eq!(folder.files("@/bot"), ["bot"]);
}

#[test]
fn a_class_path_counts_whole() {
    let folder = Folder::with(&[
        ("classes/Bot.class", "\0\x08Strategy\0"),
        ("classes/Strategy.class", "\0"),
        ("lib.jar", "PK"),
        ("other/X.class", ""),
    ]);
    let files = folder.files("java -cp @/classes:@/lib.jar Bot");
    let short: Vec<_> = files
        .iter()
        .map(|file| file.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(short, ["Bot.class", "Strategy.class", "lib.jar"]);
    assert_eq!(folder.files("java --class-path=@/lib.jar Bot").len(), 1);
    // Without a class path it is the folder where the program starts.
    let own = BotProgram {
        folder: Some(folder.path("classes")),
        ..Folder::program("java Bot")
    };
    assert_eq!(names(&own), ["Bot.class", "Strategy.class"]);
}

#[test]
fn a_folder_too_large_does_not_count() {
    let folder = Folder::with(&[("bot.py", ""), ("strategy.py", "")]);
    let program = Folder::program(&format!("python3 {}", folder.path("bot.py").display()));
    let identity = || identify(&[&program], &[]).remove(0);
    // Files with another ending are looked at and do not count.
    for number in 0..=1000 {
        folder.write(&format!("photo{number}.jpg"), "");
    }
    assert!(!identity().is_partial);
    for number in 0..1000 {
        folder.write(&format!("below/{number}.py"), "");
    }
    let identity = identity();
    let names: Vec<String> = identity
        .files
        .unwrap()
        .into_iter()
        .map(|file| file.0)
        .collect();
    assert_eq!(names, ["bot.py"]);
    assert!(identity.is_partial);
}

#[test]
fn the_digest_is_of_all_files() {
    let folder = Folder::with(&[("bot.py", "")]);
    let program = Folder::program(&format!("python3 {}", folder.path("bot.py").display()));
    let identity = || identify(&[&program], &[]).remove(0);
    for number in 0..100 {
        folder.write(&format!("data/{number}.py"), "");
    }
    let before = identity();
    assert_eq!(before.files, Some(Vec::new()));
    folder.write("data/99.py", "changed");
    assert_ne!(identity().digest, before.digest);
}

#[test]
fn outputs_are_not_part_of_a_bot() {
    let folder = Folder::with(&[
        ("bot.py", ""),
        ("cup.toml", ""),
        ("out/series-1-game-1/x", ""),
    ]);
    let program = BotProgram {
        folder: Some(folder.path("")),
        ..Folder::program("python3 bot.py")
    };
    let own = [folder.path("cup.toml"), folder.path("out")];
    let [identity] = identify(&[&program], &own).try_into().unwrap();
    assert_eq!(identity.files.unwrap().len(), 1);
}

#[test]
fn opponents_files_are_hidden() {
    let names = [
        "one.py",
        "two.py",
        "shared.py",
        "net.bin",
        "lib/bot.js",
        "lib/strategy.js",
        "notes.txt",
    ];
    let folder = Folder::with(&names.map(|name| (name, "")));
    let at = folder.0.path().to_str().unwrap();
    let commands = [
        "python3 @/one.py --net=@/net.bin",
        "python3 @/two.py",
        "node @/lib/bot.js",
    ];
    let mut programs = commands.map(|command| Folder::program(&command.replace('@', at)));
    separate(&mut programs.each_mut(), &[]);
    let hidden = [
        &["lib/bot.js", "lib/strategy.js", "two.py"][..],
        &["lib/bot.js", "lib/strategy.js", "net.bin", "one.py"],
        &["net.bin", "one.py", "shared.py", "two.py"],
    ];
    for (program, hidden) in programs.iter().zip(hidden) {
        let mut expected = View::default();
        expected.hide(hidden.iter().map(|name| folder.path(name)));
        assert_eq!(program.view, expected, "{}", program.command_line);
    }
}

#[test]
fn a_digest_is_of_the_whole_file() {
    let folder = Folder::with(&[("empty", "")]);
    assert_eq!(
        digest_of(&folder.path("empty")).unwrap(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    folder.write("abc", &"abc".repeat(100_000));
    let whole = Sha256::digest("abc".repeat(100_000));
    assert_eq!(digest_of(&folder.path("abc")).unwrap(), hexadecimal(&whole));
}

#[test]
fn a_folder_with_too_many_bytes_does_not_count() {
    let folder = Folder::with(&[("bot.py", ""), ("film", "")]);
    let program = BotProgram {
        folder: Some(folder.path("")),
        ..Folder::program("python3 bot.py")
    };
    fs::File::create(folder.path("film"))
        .unwrap()
        .set_len(MOST_BYTES + 1)
        .unwrap();
    let [identity] = identify(&[&program], &[]).try_into().unwrap();
    assert_eq!(identity.files.unwrap().len(), 1);
    assert!(identity.is_partial);
}
