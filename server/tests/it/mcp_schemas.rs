//! Tool descriptions for models, as `tools/list` returns them: reviewed as files, with their size in
//! bytes.
//!
//! A change here changes what every connected model does, so it has to be seen in a diff:
//! `DEWY_REWRITE_SNAPSHOTS=1 cargo test -p dewy --test it mcp_schemas` writes the files anew.

use std::{fs, path::Path};

use crate::{fake_dispatcher::mcp_over_fake, prelude::*};

/// The whole of `tools/list`, in bytes as sent. Every conversation pays for it: at about four bytes
/// per token, the limits are about 4,000 and 8,000 tokens.
const GUEST_BUDGET: usize = 17_600;
const STAFF_BUDGET: usize = 33_000;

async fn list(base: &str, persona: &str, token: &str) -> (Value, usize) {
    let response = Mcp::new(base, persona, token)
        .message(Era::Modern, "tools/list", json!({}))
        .send()
        .await
        .unwrap();
    let bytes = response.bytes().await.unwrap();
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    (body["result"]["tools"].clone(), bytes.len())
}

/// Compares with the reviewed file of that name, or writes it.
fn reviewed(name: &str, now: &Value) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots")
        .join(name);
    let now = serde_json::to_string_pretty(now).unwrap() + "\n";
    if std::env::var_os("DEWY_REWRITE_SNAPSHOTS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, now).unwrap();
        return;
    }
    let then = fs::read_to_string(&file).unwrap_or_default();
    let line = then
        .lines()
        .zip(now.lines())
        .position(|(a, b)| a != b)
        .unwrap_or(0);
    assert!(
        then == now,
        "{} differs from line {} on:\n  reviewed: {}\n  now:      {}\nReview the change, then write it with DEWY_REWRITE_SNAPSHOTS=1.",
        file.display(),
        line + 1,
        then.lines().nth(line).unwrap_or_default(),
        now.lines().nth(line).unwrap_or_default()
    );
}

#[tokio::test]
async fn tool_schemas_match_the_snapshots() {
    let (base, _) = mcp_over_fake().await;
    let (guest, _) = list(&base, "guest", "beth").await;
    reviewed("tools.guest.json", &guest);
    let (staff, _) = list(&base, "staff", "boss").await;
    reviewed("tools.staff.json", &staff);
    // Guests and managers have the tools of those two files
    let mut roles = BTreeMap::new();
    for (role, token) in [
        ("front_desk", "desk"),
        ("housekeeping", "broom"),
        ("maintenance", "fixer"),
    ] {
        let (tools, _) = list(&base, "staff", token).await;
        for tool in tools.as_array().unwrap() {
            assert!(
                staff.as_array().unwrap().contains(tool),
                "{role} sees the same {} as a manager",
                tool["name"]
            );
        }
        let key = match role {
            "front_desk" => "staff: front_desk",
            "housekeeping" => "staff: housekeeping",
            _ => "staff: maintenance",
        };
        roles.insert(key, names(&tools));
    }
    reviewed("tools.roles.json", &json!(roles));
}

fn names(tools: &Value) -> Vec<String> {
    tools
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test]
async fn tool_lists_stay_within_their_size_budget() {
    let (base, _) = mcp_over_fake().await;
    for (persona, token, budget) in [
        ("guest", "beth", GUEST_BUDGET),
        ("staff", "boss", STAFF_BUDGET),
    ] {
        let (tools, bytes) = list(&base, persona, token).await;
        println!(
            "{persona}: {} tools, {bytes} bytes of at most {budget}",
            tools.as_array().unwrap().len()
        );
        assert!(
            bytes <= budget,
            "{persona}: tools/list has {bytes} bytes, more than {budget}; shorten descriptions or schemas"
        );
    }
}
