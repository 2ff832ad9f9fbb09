use super::*;

fn placed(entries: Vec<Entry>) -> Vec<NumberedEntry> {
    let at = Timestamp::UNIX_EPOCH;
    entries
        .into_iter()
        .zip(1..)
        .map(|(entry, seq)| NumberedEntry { seq, at, entry })
        .collect()
}

fn said(text: &str) -> Entry {
    Entry::Said {
        danger: None,
        text: text.to_owned(),
    }
}

#[test]
fn opaque_parts_are_sent_back_in_their_own_turn_only() {
    let asked = |opaque: &str| Entry::Asked {
        text: "I look.".to_owned(),
        calls: Vec::new(),
        opaque: json!(opaque),
    };
    let entries = placed(vec![said("Hi"), asked("long"), said("And?"), asked("new")]);
    let messages = messages(&entries, &[], Timestamp::UNIX_EPOCH);
    let opaque = messages.iter().filter_map(|message| match message {
        ModelMessage::Assistant { opaque, .. } => Some(opaque.clone()),
        _ => None,
    });
    assert_eq!(opaque.collect::<Vec<_>>(), [Value::Null, json!("new")]);
}

#[test]
fn every_call_is_followed_by_its_result() {
    let call = |id: &str| RequestedCall {
        id: id.to_owned(),
        tool: "get_folio".to_owned(),
        arguments: json!({}),
    };
    let returned = |id: &str| Entry::Returned {
        call_id: id.to_owned(),
        tool: "get_folio".to_owned(),
        state: dewy_domain::concierge::CallState::Done,
        answer: json!({ "success": true }),
        execution_id: None,
    };
    let entries = placed(vec![
        said("What do I owe?"),
        Entry::Asked {
            text: String::new(),
            calls: vec![call("a"), call("b")],
            opaque: Value::Null,
        },
        returned("b"),
        Entry::Trouble {
            text: "The line broke.".into(),
        },
        said("Hello?"),
    ]);
    let messages = messages(&entries, &[], Timestamp::UNIX_EPOCH);
    let kinds: Vec<String> = messages
        .iter()
        .map(|message| match message {
            ModelMessage::ToolResult { call_id, content } if content.contains("INTERRUPTED") => {
                format!("{call_id}: interrupted")
            }
            ModelMessage::ToolResult { call_id, .. } => call_id.clone(),
            ModelMessage::User(text) => text.clone(),
            _ => "own".to_owned(),
        })
        .collect();
    assert_eq!(
        kinds,
        ["What do I owe?", "own", "a: interrupted", "b", "Hello?"]
    );
}

#[test]
fn payment_method_ids_are_hidden_from_the_model() {
    let answer =
        json!({ "data": { "saved_cards": [{ "payment_method_id": "pm_1", "last4": "4242" }] } });
    assert_eq!(
        cut(&answer),
        json!({ "data": { "saved_cards": [{ "last4": "4242" }] } })
    );
}

#[test]
fn long_conversations_are_truncated_before_a_user_message() {
    let mut entries = Vec::new();
    for n in 0..40 {
        entries.push(said(&format!("{n} {}", "x".repeat(900))));
        entries.push(Entry::answered("y".repeat(900)));
    }
    let messages = messages(&placed(entries), &[], Timestamp::UNIX_EPOCH);
    assert!(messages.len() < 40);
    assert!(matches!(messages.first(), Some(ModelMessage::User(_))));
    assert!(matches!(
        messages.last(),
        Some(ModelMessage::Assistant { .. })
    ));
}
