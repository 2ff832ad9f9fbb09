//! Crates depend only on the crates that ARCHITECTURE.md allows.

use std::{collections::BTreeMap, process::Command};

use serde_json::Value;

#[test]
fn crates_depend_only_as_documented() {
    let out = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();

    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("dewy-outcome", &[][..]),
        ("dewy-domain", &["dewy-outcome"]),
        ("dewy-saga", &["dewy-outcome"]),
        ("dewy-languages", &[]),
        ("dewy-app", &["dewy-domain", "dewy-languages"]),
        (
            "dewy-orchestrators",
            &["dewy-domain", "dewy-languages", "dewy-saga"],
        ),
        ("dewy-connectors", &["dewy-domain"]),
        ("dewy-store", &["dewy-saga", "dewy-domain"]),
        (
            "dewy-concierge",
            &["dewy-domain", "dewy-languages", "dewy-store"],
        ),
        ("dewy-sandbox", &["dewy-domain"]),
        (
            "dewy-test-kit",
            &["dewy-connectors", "dewy-domain", "dewy-saga", "dewy-store"],
        ),
        ("dewy-simulation", &[]),
        ("dewy-dialogues", &["dewy-test-kit"]),
        (
            "dewy-torture",
            &[
                "dewy-connectors",
                "dewy-domain",
                "dewy-saga",
                "dewy-store",
                "dewy-test-kit",
            ],
        ),
        (
            "dewy-bench",
            &[
                "dewy-connectors",
                "dewy-domain",
                "dewy-saga",
                "dewy-store",
                "dewy-test-kit",
            ],
        ),
    ]);
    let mut seen = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let ours: Vec<&str> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|d| d["kind"].is_null())
            .filter_map(|d| d["name"].as_str())
            .filter(|d| *d == "dewy" || d.starts_with("dewy-"))
            .collect();
        if let Some(allowed) = allowed.get(name) {
            seen += 1;
            for dependency in &ours {
                assert!(
                    allowed.contains(dependency),
                    "{name} must not depend on {dependency}"
                );
            }
        }
        // Whoever else linked them would wait for them
        let links = |wanted: &str| {
            package["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .any(|dependency| dependency["name"] == wanted)
        };
        assert!(
            name == "dewy" || !links("dewy-app"),
            "{name} must not link pages"
        );
        assert!(!links("dewy"), "{name} must start the hotel as a process");
        if name == "dewy-app" {
            for heavy in ["sqlx", "reqwest"] {
                let linked = package["dependencies"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|d| d["name"] == heavy && d["kind"].is_null());
                assert!(!linked, "pages must not link {heavy}");
            }
        }
    }
    assert_eq!(seen, allowed.len());
}
