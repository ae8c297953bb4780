//! The layers of ARCHITECTURE.md, as the manifests of the crates have them.

use std::process::Command;

use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::project_file;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        each_crate_imports_lower_layers,
        an_import_upwards_is_found
    );
}

/// The crates below the programs, lowest first. Each may import those before it.
const LAYERS: [&str; 12] = [
    "referee-wire",
    "referee-battleship",
    "referee-league",
    "referee-kits",
    "referee-bothost",
    "referee-bots",
    "referee-arena",
    "referee-check",
    "referee-lab",
    "referee-screen",
    "referee-pages",
    "referee-cli",
];

fn place(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == name)
}

/// Returns the imports of packages that lead upwards, as `importer: imported`. Packages outside of
/// the layers are programs, which import any layer and none of which a layer imports.
fn imports_upwards(packages: &[Value]) -> Vec<String> {
    let names: Vec<&str> = packages
        .iter()
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    let mut upwards = Vec::new();
    for package in packages {
        let importer = package["name"].as_str().unwrap();
        let Some(own) = place(importer) else { continue };
        for import in package["dependencies"].as_array().unwrap() {
            let imported = import["name"].as_str().unwrap();
            // Tests may import what lies above.
            let is_of_project = import["kind"].is_null() && names.contains(&imported);
            if is_of_project && place(imported).is_none_or(|layer| layer >= own) {
                upwards.push(format!("{importer}: {imported}"));
            }
        }
    }
    upwards
}

fn each_crate_imports_lower_layers() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(project_file(""))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    for layer in LAYERS {
        let is_there = packages.iter().any(|package| package["name"] == layer);
        assert!(is_there, "{layer} is no package");
    }
    assert_eq!(imports_upwards(packages), Vec::<String>::new());
}

fn an_import_upwards_is_found() {
    let package = |name: &str, imports: &[&str]| {
        let imports: Vec<Value> = imports
            .iter()
            .map(|import| serde_json::json!({"name": import, "kind": null}))
            .collect();
        serde_json::json!({"name": name, "dependencies": imports})
    };
    let packages = [
        package("referee-wire", &["serde"]),
        package("referee-league", &["referee-arena", "referee-wire"]),
        package("referee-arena", &["referee-class"]),
        package("referee-class", &["referee-arena"]),
    ];
    let upwards = [
        "referee-league: referee-arena",
        "referee-arena: referee-class",
    ];
    assert_eq!(imports_upwards(&packages), upwards);
}
