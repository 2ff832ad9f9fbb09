//! The catalog's examples are valid by their own schemas and rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict"
)]

use dewy_domain::tool_catalog;
use serde_json::json;

#[test]
fn every_example_follows_schema_and_rules() {
    for tool in tool_catalog::all() {
        for persona in tool.personas {
            let mut schema = tool.input_schema(*persona);
            let rules: Vec<_> = tool.rules_for(*persona).collect();
            if !rules.is_empty() {
                schema["allOf"] = json!(rules);
            }
            let mut example = tool.example_for(*persona);
            if tool.writes {
                example["idempotency_token"] = json!("t");
            }
            let validator = jsonschema::options()
                .should_validate_formats(true)
                .build(&schema)
                .unwrap();
            let faults: Vec<String> = validator
                .iter_errors(&example)
                .map(|fault| fault.to_string())
                .collect();
            assert_eq!(
                faults,
                [""; 0],
                "{} of {}: {example}",
                tool.name,
                persona.name()
            );
        }
    }
}

#[test]
fn rules_name_existing_fields() {
    for tool in tool_catalog::all() {
        let words = json!(tool.rules).to_string();
        for name in [
            "room_number",
            "booking_number",
            "guest_email",
            "execution_id",
            "case_number",
            "void",
            "action",
        ] {
            let required = words.contains(&format!("\"{name}\""));
            assert!(
                !required || tool.input.iter().any(|field| field.name == name),
                "{}: {name}",
                tool.name
            );
        }
    }
}
