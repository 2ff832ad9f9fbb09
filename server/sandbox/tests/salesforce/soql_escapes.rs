//! Any written text can be found by equality, with the escapes that Salesforce documents and no
//! others.

use crate::org_client::{OrgClient, id, id_of};
use serde_json::json;

fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("\\'"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[test]
fn round_trip() {
    let mut desk = OrgClient::open();
    let pieces = [
        "a",
        "'",
        "\\",
        "\"",
        "%",
        "_",
        "\n",
        "\t",
        "\r",
        "é",
        "王",
        "🦀",
        " ",
        "+",
        "&",
        "\u{8}",
        "\u{c}",
        "--",
        ")",
        "' OR Name != '",
    ];
    for (i, first) in pieces.iter().enumerate() {
        for second in pieces {
            let name = format!("x{first}{second}{first}{i}y");
            let (status, made) = desk.call("POST", "/sobjects/Contact", &json!({"LastName": name}));
            assert_eq!(status, 201, "{made}");
            let found = desk.records(&format!(
                "SELECT Id, LastName FROM Contact WHERE LastName = {}",
                quote(&name)
            ));
            assert!(
                found
                    .iter()
                    .any(|r| id(r) == id_of(&made) && r["LastName"] == json!(name)),
                "{name:?}"
            );
            assert!(
                found
                    .iter()
                    .all(|r| r["LastName"].as_str().unwrap().to_lowercase() == name.to_lowercase()),
                "{name:?}"
            );
        }
    }
}
