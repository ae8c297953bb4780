//! The output of programs for programs: one JSON Schema for each output, made from the types, and the outputs themselves.

use serde_json::Value;

use super::is_to_write;
#[cfg(target_os = "linux")]
use crate::class::Class;
use crate::common::{Folder, PLACEMENT, project_file, referee, scripted, text_of};

/// The longest line of a schema, if it has not to be longer.
const WIDTH: usize = 130;

/// With `WRITE_PROMISES=1` in the environment the files are written.
#[test]
fn every_output_has_its_schema_in_the_documents() {
    for (name, schema) in battleship_referee::cli::schemas() {
        let path = project_file("docs/schemas").join(format!("{name}.json"));
        let made = compact(&serde_json::to_string_pretty(&schema).unwrap());
        if is_to_write() {
            std::fs::write(&path, &made).unwrap();
        }
        let promised = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            made == promised,
            "{name}: the types make another schema: {made}"
        );
    }
}

/// Returns pretty JSON with each object and each list in one line that has room for it.
fn compact(pretty: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut open = Vec::new();
    for line in pretty.lines() {
        lines.push(line.to_owned());
        if line.ends_with(['{', '[']) {
            open.push(lines.len() - 1);
        } else if line.trim_start().starts_with(['}', ']']) {
            let first = open.pop().expect("it was opened");
            let rest = lines[first + 1..].iter().map(|line| line.trim_start());
            let joined = [&*lines[first]]
                .into_iter()
                .chain(rest)
                .collect::<Vec<_>>()
                .join(" ");
            if joined.len() <= WIDTH {
                lines.truncate(first);
                lines.push(joined);
            }
        }
    }
    lines.join("\n") + "\n"
}

/// An output: its schema, and the arguments of the command, in which `{..}` are the players below. They run one after the
/// other in one folder.
const COMMANDS: [(&str, &str); 26] = [
    (
        "record",
        "play awful mediocre --json --no-pause --record g.jsonl",
    ),
    (
        "record",
        "play awful mediocre --json --no-pause --rules twist",
    ),
    ("record", "play {wrong} {talks} --json --no-pause"),
    (
        "summary",
        "match good mediocre --games 4 --json --out m.jsonl",
    ),
    (
        "summary",
        "match awful mediocre --games 2 --rules twist --json --out twist.jsonl",
    ),
    (
        "summary",
        "match awful mediocre --games 60 --series 2 --sprt elo0=0,elo1=300 --json",
    ),
    (
        "summary",
        "match here@.=awful {talks} --games 4 --json --out terms.jsonl --limits 50s:60s \
         --start-limits 50s:60s --ponder --no-pin --strict --env LANG --max-turns 200",
    ),
    (
        "event",
        "match {wrong} awful --games 4 --events --out faults.jsonl --bundle bundles",
    ),
    (
        "event",
        "tournament awful {talks} {wrong} --games 10 --events",
    ),
    (
        "summary",
        "tournament awful mediocre good --games 2 --anchor awful=1000 --json --out t.jsonl",
    ),
    (
        "summary",
        "tournament awful mediocre {talks} --format gauntlet --games 2 --json",
    ),
    (
        "event",
        "tournament awful {talks} good --format swiss --games 2 --events --out swiss.jsonl",
    ),
    (
        "summary",
        "tournament awful {talks} nothing=false --games 2 --json --out cannot.jsonl",
    ),
    (
        "summary",
        "match awful mediocre --games 4 --on local --shards 2 --json --out on.jsonl",
    ),
    (
        "",
        "match awful mediocre --games 4 --series 2 --shard 1/2 --out 1.jsonl --quiet",
    ),
    ("", "merge 1.jsonl --partial --out half.jsonl"),
    (
        "rank",
        "rank m.jsonl t.jsonl --by-name --anchor awful=1000 --json",
    ),
    ("list", "list g.jsonl m.jsonl twist.jsonl --json"),
    ("list", "list faults.jsonl --player wrong --worst 2 --json"),
    ("explain", "explain t.jsonl --player awful --json"),
    ("explain", "explain twist.jsonl --player awful --json"),
    (
        "explain",
        "explain faults.jsonl --player wrong --bundle bundles --json",
    ),
    (
        "explain",
        "explain faults.jsonl --player wrong --game 1 --run {wrong} --json",
    ),
    ("check", "check awful --rules twist --json --grace 60s"),
    ("check", "check awful --from t.jsonl --json --grace 60s"),
    ("doctor", "doctor --json"),
];

/// The outputs that need a sandbox.
#[cfg(target_os = "linux")]
const SANDBOXED: [(&str, &str); 2] = [
    (
        "summary",
        "match awful mediocre --games 2 --sandbox --max-threads 20 --max-memory 200 --allow . \
         --json --out confined.jsonl",
    ),
    ("check", "check mediocre --sandbox --json --grace 60s"),
];

/// Returns an argument, or the player that it stands for: one that answers an attack wrongly, one that prints a figure.
fn player(argument: &str) -> String {
    match argument {
        // A contest tries a few turns of a player before it lets it play.
        "{wrong}" => scripted(
            "wrong",
            &[&[PLACEMENT], &["attack 9 9"; 10][..], &["attack nowhere"]].concat(),
        ),
        "{talks}" => scripted("talks", &[&format!("# heat = 0.5\n{PLACEMENT}")]),
        _ => argument.to_owned(),
    }
}

/// A contest always has another seed, and so other ends, unless it is given. A busy machine breaks no limit here.
fn with_terms(arguments: &str) -> Vec<String> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let has_games = ["play", "match", "tournament"].contains(&arguments[0]);
    let has_limits = arguments.contains(&"--limits");
    let terms: &[&str] = match (has_games, has_limits) {
        (true, false) => &["--seed", "1", "--limit", "60s"],
        (true, true) => &["--seed", "1"],
        (false, _) => &[],
    };
    arguments
        .iter()
        .chain(terms)
        .map(|argument| player(argument))
        .collect()
}

fn read_schema(file: &str) -> Value {
    serde_json::from_str(&text_of(project_file("docs/schemas").join(file))).unwrap()
}

/// Panics unless each line of `text` is as the schema of this name says.
fn validate(name: &str, text: &str) {
    let schema = read_schema(&format!("{name}.json"));
    let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    for value in values.map(Result::unwrap) {
        if let Err(why) = is_valid(&schema, &schema, &value) {
            panic!("{name}: {why} in {value}");
        }
    }
}

/// Checks a value against those words of JSON Schema that these files have; a field that the schema does not name is a fault
/// too.
fn is_valid(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(path) = schema["$ref"].as_str() {
        let Some(pointer) = path.strip_prefix('#') else {
            let root = read_schema(path);
            return is_valid(&root, &root, value);
        };
        return is_valid(root, root.pointer(pointer).expect("it is in $defs"), value);
    }
    if let Some(schemas) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let faults: Vec<_> = schemas
            .iter()
            .filter_map(|one| is_valid(root, one, value).err())
            .collect();
        return if faults.len() < schemas.len() {
            Ok(())
        } else {
            Err(faults.join("; "))
        };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = schema["type"]
        .as_array()
        .cloned()
        .unwrap_or(vec![schema["type"].clone()]);
    if !kinds
        .iter()
        .any(|one| one == kind || (one == "number" && kind == "integer"))
    {
        return Err(format!("{value} is not of {kinds:?}"));
    }
    let words = schema["enum"]
        .as_array()
        .cloned()
        .or(schema.get("const").map(|one| vec![one.clone()]));
    if words.is_some_and(|words| !words.contains(value)) {
        return Err(format!("{value} is none of the words"));
    }
    for (place, one) in value.as_array().into_iter().flatten().enumerate() {
        let item = schema["prefixItems"].get(place).unwrap_or(&schema["items"]);
        is_valid(root, item, one)?;
    }
    let fields = value.as_object();
    for (name, one) in fields.into_iter().flatten() {
        let named = schema["properties"]
            .get(name)
            .or(schema.get("additionalProperties"));
        is_valid(
            root,
            named.ok_or_else(|| format!("{name} is not in the schema"))?,
            one,
        )
        .map_err(|why| format!("{name}: {why}"))?;
    }
    let required = schema["required"].as_array().filter(|_| fields.is_some());
    match required
        .into_iter()
        .flatten()
        .find(|name| value.get(name.as_str().unwrap()).is_none())
    {
        Some(name) => Err(format!("{name} is missing")),
        None => Ok(()),
    }
}

/// Runs commands in one folder, and validates what they print and the records that they write.
fn validate_outputs(folder: &Folder, commands: &[(&str, &str)]) {
    for (schema, arguments) in commands {
        let mut command = referee();
        command
            .args(with_terms(arguments))
            .current_dir(folder.path(""));
        let output = command.output().unwrap();
        // A game may end without a winner.
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{arguments}: {output:?}"
        );
        if !schema.is_empty() {
            validate(schema, str::from_utf8(&output.stdout).unwrap());
        }
    }
    for file in std::fs::read_dir(folder.path(""))
        .unwrap()
        .map(|file| file.unwrap().path())
    {
        if file.extension().is_some_and(|ending| ending == "jsonl") {
            validate("record", &text_of(file));
        }
    }
}

#[test]
fn what_is_printed_and_recorded_is_as_its_schema_says() {
    let folder = Folder::new();
    validate_outputs(&folder, &COMMANDS);
    let mut games = std::fs::read_dir(folder.path("bundles")).unwrap().flatten();
    let game = games.find_map(|entry| std::fs::read_to_string(entry.path().join("game.json")).ok());
    validate("record", &game.unwrap());
}

#[cfg(target_os = "linux")]
#[test]
#[needs(LANDLOCK, NAMESPACES)]
fn what_is_printed_of_a_sandbox_is_as_its_schema_says() {
    validate_outputs(&Folder::new(), &SANDBOXED);
}

/// A class with one requirement.
#[cfg(target_os = "linux")]
const CLASS: &str = "\
[[staff]]
name = 'awful'
command = 'awful'
[[grade]]
against = 'awful'
above = 0.1
points = 40
";

/// Of a student who has handed in nothing: a build would need a sandbox, and adds no field.
#[cfg(target_os = "linux")]
#[test]
fn the_results_for_gradescope_are_as_their_schema_says() {
    let class = Class::new(CLASS, &[("absent", "Abe", "")]);
    let results = class.path("results");
    class.succeeds(&["grade", "--gradescope", results.to_str().unwrap()]);
    validate("gradescope", &text_of(results.join("absent/results.json")));
}
