//! Tests of the words of players.

use super::*;

fn parse(typed: &str) -> Result<Entrant, Failure> {
    super::parse(typed, Path::new("/bin/referee"))
}

#[test]
fn a_player_is_built_in_or_a_command() {
    const BUILT_IN: &str = "/bin/referee bot";
    for (typed, name, words) in [
        ("awful", "awful", format!("{BUILT_IN} awful")),
        ("Popeye=good", "Popeye", format!("{BUILT_IN} good")),
        ("./awful", "./awful", "./awful".to_owned()),
        (
            "python3 no/my.py -v",
            "python3",
            "python3 no/my.py -v".to_owned(),
        ),
        ("Popeye=python3 my.py", "Popeye", "python3 my.py".to_owned()),
        (
            "'Popeye the Sailor=./a b' c",
            "Popeye the Sailor",
            "'./a b' c".to_owned(),
        ),
        ("Bluto= ./bluto", "Bluto", "./bluto".to_owned()),
        // An = later on belongs to the program.
        ("bot --depth=3", "bot", "bot --depth=3".to_owned()),
        ("./bot=1", "bot=1", "./bot=1".to_owned()),
    ] {
        let Entrant {
            program,
            name: called,
            shipped,
            ..
        } = parse(typed).unwrap();
        let found = std::iter::once(&program.file).chain(&program.arguments);
        let words_of = shlex::split(&words).unwrap();
        assert!(found.eq(words_of.iter().map(String::as_str)), "{program:?}");
        assert_eq!((&*called, shipped), (name, words.starts_with(BUILT_IN)));
    }
}

/// The command once had the closing quotation mark of the name.
#[test]
fn a_players_command_is_without_the_name() {
    for (typed, command) in [
        ("awful", "awful"),
        ("Popeye=python3 'my bot.py'", "python3 'my bot.py'"),
        ("'Popeye the Sailor=python3' my.py", "python3 my.py"),
        ("'Popeye the Sailor=./my bot' -v", "'./my bot' -v"),
    ] {
        assert_eq!(parse(typed).unwrap().program.command_line, command);
    }
}

#[test]
fn a_player_of_a_file_becomes_a_word() {
    let called = |name| parse_called(name, "./a 'b c'", Path::new("/bin/referee"));
    let player = called("Popeye the Sailor").unwrap();
    assert_eq!(player.name, "Popeye the Sailor");
    assert_eq!(player.program.command_line, "./a 'b c'");
    assert_eq!(called("a").unwrap().name, "a");
    for (name, words) in [
        (" ", "is empty"),
        ("a=b", "has no =, @ or /"),
        ("a/b", "has no ="),
    ] {
        assert!(called(name).unwrap_err().to_string().contains(words));
    }
}

#[test]
fn a_folder_to_start_in_precedes_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    for name in ["my bots", "a=b"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("a=b/my.py"), "").unwrap();
    for (typed, name, dir, command) in [
        (
            format!("'Popeye the Sailor@{root}/my bots=./a' -v"),
            "Popeye the Sailor",
            "my bots",
            "./a -v",
        ),
        (
            format!("Bluto@{root}/a=b=python3 my.py"),
            "Bluto",
            "a=b",
            "python3 my.py",
        ),
        (
            format!("@{root}/a=b=python3 my.py"),
            "my",
            "a=b",
            "python3 my.py",
        ),
    ] {
        let player = parse(&typed).unwrap();
        assert_eq!(player.name, name, "{typed}");
        assert_eq!(
            player.program.folder,
            Some(folder.path().join(dir)),
            "{typed}"
        );
        assert_eq!(player.program.command_line, command);
    }
    // No path precedes a name, and what has no = is a program.
    assert_eq!(parse("./a@b=c").unwrap().program.file, "./a@b=c");
    for typed in [
        "bot@2 -v",
        "./no@2 a=1",
        "no@2 --depth=3",
        "./no --python=sh",
    ] {
        let file = parse(typed).unwrap().program.file;
        assert_eq!(file, typed.split(' ').next().unwrap());
    }
    let folder = format!("{root}/a=b");
    let typed = word(None, Some(&folder), "python3 my.py").unwrap();
    assert_eq!(parse(&typed).unwrap().name, "my");
}

#[test]
fn what_names_no_player_is_refused() {
    let home = std::env::home_dir().unwrap().join("no/bot");
    let at_home = format!("write {}", home.display());
    for (typed, words) in [
        ("", "names no program"),
        ("  ", "names no program"),
        ("''", "names no program"),
        ("Popeye=", "names no program"),
        ("'./a", "a quotation mark is not closed"),
        ("=./a", "begins with = but has no name before it"),
        ("awful --x", "the player awful takes no arguments"),
        (
            "Popeye the Sailor=awful",
            "a name with spaces needs quotation marks of its own",
        ),
        ("A@~/no=./bot", "only a shell replaces ~"),
        (
            "A@/no such=sh x.sh",
            "a folder with spaces needs quotation marks of its own",
        ),
        ("Popeye@no/such=./a", "there is no folder \"no/such\""),
        ("godo", "did you mean good?"),
        ("Good", "did you mean good?"),
        ("x=good-bot", "did you mean good?"),
        ("mediocer", "did you mean mediocre?"),
        ("awfull", "did you mean awful?"),
        ("O'Brien=./a", r"O\'Brien="),
        ("~/no/bot", &at_home),
        ("FOO=1 sh x.sh", "FOO=1 referee ... --env FOO"),
    ] {
        let error = parse(typed).unwrap_err().to_string();
        assert!(error.contains(words), "{typed}: {error}");
    }
    assert!(parse("fool").is_ok() && parse("./godo").is_ok());
    assert_eq!(parse(r"O\'Brien=./a").unwrap().name, "O'Brien");
}

#[test]
fn only_the_shipped_human_sits_at_the_terminal() {
    let sits_there = |typed| {
        let plan = parse(typed).unwrap();
        (plan.human, plan.program.on_terminal)
    };
    assert_eq!(
        ["human", "Shuman=human", "bin/human-bot"].map(sits_there),
        [(true, true); 3]
    );
    assert_eq!(
        ["./human", "human.exe"].map(sits_there),
        [(false, false); 2]
    );
}

#[test]
fn no_bot_may_have_the_name_of_a_shipped_one() {
    let shipped = bots::SHIPPED.iter().map(|bot| bot.name);
    let mut names: Vec<_> = shipped.collect();
    names.sort_unstable();
    let mut reserved = arena::game::SHIPPED_NAMES;
    reserved.sort_unstable();
    assert_eq!(names, reserved);
}
