//! The manifest of an indexed job, held against the schemas of Kubernetes.

use std::process::Command;

use super::PYTHON;
use crate::common::{Folder, project_file, referee, text_of};

/// Validates a manifest; returns whether it is right, and what is said of it.
fn validate(manifest: &str) -> (bool, String) {
    let mut python = Command::new(project_file(PYTHON));
    let output = python
        .args(["-m", "kubernetes_validate", "--strict", manifest])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said.into_owned())
}

#[test]
#[needs(CLUSTER_PACKAGES)]
fn the_manifest_of_a_contest_is_one_that_kubernetes_takes() {
    let folder = Folder::new();
    let output = referee()
        .args([
            "tournament",
            "awful",
            "mediocre",
            r"It\'s=good",
            "--out",
            "cup.jsonl",
        ])
        .args([
            "--on",
            "kubernetes",
            "--shards",
            "12",
            "--jobs",
            "2",
            "--dry-run",
        ])
        .args(["--image", "registry.example/referee:1", "--volume", "cup"])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let manifest = folder.path("cup.jsonl.shards/cup.yaml");
    let typed = String::from_utf8(output.stdout).unwrap();
    assert!(
        typed.contains(&format!("kubectl apply -f {manifest}\n")),
        "{typed}"
    );
    let (is_right, said) = validate(&manifest);
    assert!(is_right, "{said}");

    let text = text_of(&manifest);
    for (right, wrong) in [
        ("backoffLimitPerIndex", "backofLimitPerIndex"),
        ("completions: 12", "completions: twelve"),
        ("restartPolicy", "restartpolicy"),
        ("claimName", "claim"),
    ] {
        assert!(text.contains(right), "{text}");
        let (is_right, said) = validate(&folder.file("bad.yaml", &text.replace(right, wrong)));
        assert!(!is_right, "{wrong}: {said}");
    }
}
