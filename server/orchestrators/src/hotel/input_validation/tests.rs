//! Tests of input validation.

use dewy_domain::caller::{Interface, Role};

use super::*;

fn check_out(input: Value, token: Option<&str>) -> Result<Value, ToolError> {
    let caller = Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
    let tool = tool_catalog::find(&caller, "process_guest_checkout").unwrap();
    check(Schemas::of_catalog(), tool, &caller, &input, token)
}

#[test]
fn all_invalid_fields_are_reported_by_name() {
    let error = check_out(
        json!({ "amount": "250", "color": "red", "booking_number": "?42" }),
        None,
    )
    .unwrap_err();
    let fields: Vec<_> = error.details["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["field"].as_str().unwrap())
        .collect();
    for field in ["amount", "color", "booking_number", "idempotency_token"] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
    }
}

#[test]
fn texts_are_as_long_as_salesforce_counts_them() {
    let caller = Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
    let tool = tool_catalog::find(&caller, "create_contact_if_not_found").unwrap();
    let problems = |first_name: &str| {
        let input = json!({ "email": "a@b.example", "first_name": first_name, "last_name": "B" });
        let checked = check(Schemas::of_catalog(), tool, &caller, &input, Some("t"));
        checked.map_or_else(|error| error.details["problems"].clone(), |_| json!([]))
    };
    for name in ["é".repeat(40), "王".repeat(40), "😀".repeat(20)] {
        assert_eq!(problems(&name), json!([]), "{name}");
    }
    for name in ["é".repeat(41), "😀".repeat(21), "😀".repeat(40)] {
        let problems = problems(&name);
        assert_eq!(problems.as_array().unwrap().len(), 1, "{problems}");
        assert_eq!(problems[0]["field"], "first_name", "{problems}");
    }
}

#[test]
fn a_refused_value_names_all_the_allowed_ones() {
    let caller = Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
    let tool = tool_catalog::find(&caller, "set_room_status").unwrap();
    let input = json!({ "room_number": "302", "status": "Occupied" });
    let error = check(Schemas::of_catalog(), tool, &caller, &input, Some("t")).unwrap_err();
    assert_eq!(
        error.details["problems"][0]["message"],
        "status must be one of: Vacant, Cleaning, Maintenance, Out of Service."
    );
}

#[test]
fn a_guest_is_bound_to_their_own_email() {
    let caller = Caller::guest("Beth.Gibbs@email.com", Interface::Mcp);
    let tool = tool_catalog::find(&caller, "get_folio").unwrap();
    let schemas = Schemas::of_catalog();
    let mine = check(schemas, tool, &caller, &json!({}), None).unwrap();
    assert_eq!(mine["guest_email"], "beth.gibbs@email.com");
    let same = check(
        schemas,
        tool,
        &caller,
        &json!({ "guest_email": "BETH.gibbs@EMAIL.com" }),
        None,
    )
    .unwrap();
    assert_eq!(same["guest_email"], "beth.gibbs@email.com");
    let other = check(
        schemas,
        tool,
        &caller,
        &json!({ "guest_email": "wei.chen@example.com" }),
        None,
    )
    .unwrap_err();
    assert_eq!(other.code, ErrorCode::NotYourStay);
}

#[test]
fn text_of_invisible_characters_is_empty() {
    let caller = Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
    let tool = tool_catalog::find(&caller, "submit_maintenance_request").unwrap();
    for nothing in [" ", "\u{200b}\u{feff}", "\u{3164}", "\u{2800}"] {
        let input = json!({ "room_number": "302", "description": nothing });
        let error = check(Schemas::of_catalog(), tool, &caller, &input, Some("t")).unwrap_err();
        let problems = error.details["problems"].as_array().unwrap();
        assert_eq!(
            (problems.len(), &problems[0]["field"]),
            (1, &json!("description")),
            "{nothing:?} {error}"
        );
    }
    assert!(
        check_out(
            json!({ "guest_email": "a@b.example", "amount": 1 }),
            Some("\u{200b}")
        )
        .is_err()
    );
}

#[test]
fn integers_are_accepted_in_any_notation() {
    for (text, read) in [
        ("25000", true),
        ("25000.0", true),
        ("2.5e4", true),
        ("25000.5", false),
        ("1e300", false),
    ] {
        let input = serde_json::from_str(&format!(
            r#"{{"guest_email":"a@b.example","amount":{text}}}"#
        ))
        .unwrap();
        let checked = check_out(input, Some("t"));
        match checked {
            Ok(input) => assert!(read && input["amount"] == 25000, "{text} {input}"),
            Err(error) => assert!(
                !read && error.details["problems"][0]["field"] == "amount",
                "{text} {error}"
            ),
        }
    }
}

#[test]
fn every_schema_compiles() {
    let schemas = Schemas::of_catalog();
    let expected: usize = tool_catalog::all().iter().map(|t| t.personas.len()).sum();
    assert_eq!(schemas.0.len(), expected + 1);
}

/// Every text field of every tool but tokens; of lists and objects the texts inside.
#[test]
fn no_field_of_any_tool_takes_a_card_number() {
    let schemas = Schemas::of_catalog();
    let (mut checked, mut texts) = (0, 0);
    for tool in tool_catalog::all() {
        for persona in tool.personas {
            let caller = match persona {
                Persona::Guest => Caller::guest("beth.gibbs@email.com", Interface::Mcp),
                Persona::Staff => {
                    Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp)
                }
            };
            let problems = |input: Value, token: &str| {
                let error = check(schemas, tool, &caller, &input, Some(token)).unwrap_err();
                let shown = error.to_string();
                assert!(!shown.contains("4242"), "{} {shown}", tool.name);
                error.details["problems"].as_array().unwrap().clone()
            };
            let refused = |problems: &[Value], field: &str| {
                let message = format!("{field} {CARD_NUMBER}");
                problems
                    .iter()
                    .any(|problem| problem["field"] == field && problem["message"] == message)
            };
            for field in tool.fields(*persona).filter(|field| field.name != TOKEN) {
                texts += usize::from(field.schema["type"] == "string");
                for (value, path) in [
                    (json!("4242 4242 4242 4242"), field.name.to_owned()),
                    (
                        json!("mine：４２４２４２４２４２４２４２４２"),
                        field.name.to_owned(),
                    ),
                    (
                        json!([{ "a": "4242-4242-4242-4242" }]),
                        format!("{}/0/a", field.name),
                    ),
                ] {
                    let found = problems(json!({ (field.name): value }), "t");
                    assert!(refused(&found, &path), "{} {path} {found:?}", tool.name);
                    checked += 1;
                }
            }
            let name = problems(json!({ "4242424242424242": 1 }), "t");
            assert!(refused(&name, "(card number removed)"), "{name:?}");
            let named = json!({ "4242424242424242": 1, (TOKEN): "4242424242424242" });
            let token = problems(named, "4242424242424242");
            assert!(!refused(&token, TOKEN), "{token:?}");
        }
    }
    assert!(texts > 100 && checked > 300, "{texts} {checked}");
}
