//! Helpers for the reports of `referee check`.

use std::path::Path;

use serde_json::Value;

use crate::programs::referee;

/// So long that no bot here is ever late for it, however busy the machine.
const PATIENT: [&str; 6] = ["--grace", "60s", "--limit", "60s", "--start-limit", "60s"];

/// The report of a check of a bot in a folder, and the exit code.
fn check_in(folder: impl AsRef<Path>, bot: &str, options: &[&str]) -> (Value, i32) {
    let mut command = referee();
    command
        .args(["check", bot, "--json"])
        .args(options)
        .current_dir(folder.as_ref());
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {output:?}");
    });
    (report, output.status.code().unwrap())
}

fn steps(report: &Value) -> &Vec<Value> {
    report["steps"].as_array().unwrap()
}

fn step<'r>(report: &'r Value, name: &str) -> &'r Value {
    steps(report)
        .iter()
        .find(|step| step["step"] == name)
        .unwrap()
}

/// A patient check of a bot in a folder, with these options, fails nothing, and warns at most in the steps of these names.
pub fn passes_but_for(warned: &[&str], folder: impl AsRef<Path>, bot: &str, options: &[&str]) {
    let (report, code) = check_in(folder, bot, &[&PATIENT, options].concat());
    assert_eq!(
        (code, &report["passed"]),
        (0, &Value::Bool(true)),
        "{report:#}"
    );
    let mut warnings = steps(&report)
        .iter()
        .filter(|step| step["outcome"] == "warn");
    let is_allowed = |step: &Value| warned.contains(&step["step"].as_str().unwrap());
    assert!(warnings.all(is_allowed), "{report:#}");
    assert_eq!(step(&report, "seed")["said"], "it does", "{report:#}");
}
