//! The scripts of the pages: typed modules, which a page has as one script without `import` and
//! `export`.

use std::sync::LazyLock;

/// Reads modules from the folder of the scripts.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("assets/script/", $name, ".mjs")))),*]
    };
}
/// The modules by their names. Each comes after those that it imports.
const MODULES: &[(&str, &str)] = &modules!(
    "words",
    "dom",
    "theme",
    "data",
    "scenes",
    "turns",
    "games",
    "chart",
    "board",
    "stage",
    "replay_parts",
    "replay",
    "maps",
    "duel",
    "tables",
    "game_list",
    "player",
    "overview",
    "places",
    "running",
    "main",
);

/// The additional modules of the page of a game that is played.
const LIVE_MODULES: &[(&str, &str)] = &modules!("draft", "live_view", "wire", "live_game");

/// The script of every page.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| bundle(MODULES.iter()));

/// The script of the page of a game that is played.
pub(super) static LIVE_SCRIPT: LazyLock<String> =
    LazyLock::new(|| bundle(MODULES.iter().chain(LIVE_MODULES)));

/// Returns modules as one script, in which all of them share their names.
fn bundle<'m>(modules: impl Iterator<Item = &'m (&'m str, &'m str)>) -> String {
    let mut script = String::from("'use strict';\n");
    for (_, source) in modules {
        let mut is_import = false;
        let mut is_comment = false;
        for line in source.lines() {
            // A page needs no comments. What is behind one on a line stays.
            let trimmed = line.trim_start();
            is_comment |=
                trimmed.starts_with("/**") && (trimmed.ends_with("*/") || !line.contains("*/"));
            is_import |= line.starts_with("import ");
            if !is_import && !is_comment && !trimmed.starts_with("//") {
                script.push_str(line.strip_prefix("export ").unwrap_or(line));
                script.push('\n');
            }
            is_import &= !line.ends_with(';');
            is_comment &= !line.contains("*/");
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        MODULES.iter().chain(LIVE_MODULES)
    }

    #[test]
    fn a_bundle_has_no_imports() {
        let one = (
            "one",
            "// One.\nimport {\n  two,\n} from './two.mjs';\n/**\n * It.\n */\nexport const x = /** @type {any} */ (two);\n",
        );
        assert_eq!(
            bundle([one].iter()),
            "'use strict';\nconst x = /** @type {any} */ (two);\n"
        );
    }

    #[test]
    fn modules_import_only_modules_before_them() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/assets/script");
        let files = std::fs::read_dir(folder).unwrap();
        let files: std::collections::BTreeSet<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut known = std::collections::BTreeSet::new();
        for (name, source) in all() {
            for from in source.split("from './").skip(1) {
                let from = from.split('\'').next().unwrap();
                assert!(known.contains(from), "{name} imports {from}");
            }
            known.insert(format!("{name}.mjs"));
        }
        assert_eq!(known, files);
    }

    #[test]
    fn no_name_is_declared_by_two_modules() {
        let mut known = std::collections::BTreeSet::new();
        for line in LIVE_SCRIPT.lines() {
            let line = line.strip_prefix("async ").unwrap_or(line);
            let declared = ["const ", "let ", "class ", "function "];
            let Some(rest) = declared.iter().find_map(|word| line.strip_prefix(word)) else {
                continue;
            };
            let name = rest
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .next();
            assert!(known.insert(name), "{name:?} is declared twice");
        }
        assert!(known.len() > 100);
    }

    #[test]
    fn no_script_can_end_its_element() {
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
    }
}
