//! The example sentences match the tool catalog: the caller may make every expected call, and its
//! arguments are valid. (Whether a model finds them has to be tested with a model; `data/README.md`
//! explains how.)

#![allow(
    clippy::unwrap_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

use std::collections::{BTreeMap, BTreeSet};

use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    tool::Tool,
    tool_catalog,
};
use serde_json::{Value, json};

fn sentences() -> Vec<Value> {
    let mut all: Vec<Value> = serde_json::from_str(include_str!("data/sentences.json")).unwrap();
    all.extend(
        serde_json::from_str::<Vec<Value>>(include_str!("data/sentences-held-out.json")).unwrap(),
    );
    all
}

fn caller(entry: &Value) -> Caller {
    match entry["role"].as_str() {
        Some(role) => Caller::staff(
            "who@dewy.example",
            Role::from_name(role).unwrap(),
            Interface::Chat,
        ),
        None => Caller::guest("beth.gibbs@email.com", Interface::Chat),
    }
}

/// Calls of every acceptable answer.
fn calls(entry: &Value) -> Vec<Value> {
    let lists = entry["expect"].as_array().into_iter().chain(
        entry["or"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_array),
    );
    lists.flatten().cloned().collect()
}

/// Problems of these arguments, ignoring required fields that are not expected.
fn faults(tool: &Tool, persona: Persona, arguments: &Value) -> Vec<String> {
    let mut schema = tool.input_schema(persona);
    schema["required"] = json!([]);
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    validator
        .iter_errors(arguments)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

#[test]
fn every_expected_call_is_permitted() {
    let mut wrong = Vec::new();
    for entry in sentences() {
        let caller = caller(&entry);
        for call in calls(&entry) {
            let name = call["tool"].as_str().unwrap();
            match tool_catalog::find(&caller, name) {
                None => wrong.push(format!(
                    "{}: {name} does not exist for {}",
                    entry["id"],
                    caller.key()
                )),
                Some(tool) => {
                    let faults = faults(tool, caller.persona, &call["arguments"]);
                    wrong.extend(
                        faults
                            .into_iter()
                            .map(|fault| format!("{}: {name}: {fault}", entry["id"])),
                    );
                }
            }
        }
        for never in entry["never"].as_array().into_iter().flatten() {
            let known = tool_catalog::all()
                .iter()
                .any(|tool| tool.name == never.as_str().unwrap());
            if !known {
                wrong.push(format!("{}: there is no {never}", entry["id"]));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_tool_has_several_example_sentences() {
    let entries = sentences();
    let ids: BTreeSet<_> = entries
        .iter()
        .map(|entry| entry["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), entries.len(), "ids are unique");
    assert!(entries.len() >= 161, "{}", entries.len());
    let mut asked: BTreeMap<(Persona, String), usize> = BTreeMap::new();
    for entry in &entries {
        for call in calls(entry) {
            *asked
                .entry((
                    caller(entry).persona,
                    call["tool"].as_str().unwrap().to_owned(),
                ))
                .or_default() += 1;
        }
    }
    for tool in tool_catalog::all().iter().filter(|tool| !tool.needs_card()) {
        for persona in tool.personas {
            let times = asked
                .get(&(*persona, tool.name.to_owned()))
                .copied()
                .unwrap_or_default();
            assert!(
                times >= 4,
                "{persona:?} asks for {} {times} times",
                tool.name
            );
        }
    }
    assert!(
        entries
            .iter()
            .filter(|entry| entry["expect"] == json!([]))
            .count()
            >= 10,
        "some ask for nothing we do"
    );
}
