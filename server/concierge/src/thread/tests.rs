use dewy_domain::caller::Interface;
use serde_json::json;

use super::*;

#[test]
fn calls_with_the_same_name_in_two_rounds_are_kept_apart() {
    let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
    let at = Timestamp::UNIX_EPOCH;
    let owner = guest.email.clone();
    let mut list = List {
        owner,
        items: Vec::new(),
        calls: BTreeMap::new(),
    };
    let call = CallAsked {
        id: "call_0".to_owned(),
        tool: "get_folio".to_owned(),
        arguments: json!({}),
    };
    let asked = Entry::Asked {
        text: String::new(),
        calls: vec![call],
    };
    let returned = |n: i32| Entry::Returned {
        call_id: "call_0".to_owned(),
        tool: "get_folio".to_owned(),
        state: CallState::Done,
        answer: json!(n),
        execution_id: None,
    };
    for entry in [&asked, &returned(1), &asked, &returned(2), &asked] {
        list.add(&guest, at, entry);
    }
    list.give_up();
    let answers: Vec<_> = list
        .items
        .iter()
        .map(|item| match item {
            Item::Call { state, answer, .. } => (state.map(CallState::name), answer.clone()),
            _ => (None, Value::Null),
        })
        .collect();
    assert_eq!(
        answers,
        [
            (Some("done"), json!(1)),
            (Some("done"), json!(2)),
            (Some("failed"), Value::Null)
        ]
    );
}

#[test]
fn an_error_is_told_in_the_tables_words() {
    let told = |code: &str, next: &str| {
        outcome(
            &json!({ "success": false, "error_code": code, "error_message": "No.", "next": next }),
        )
    };
    assert_eq!(
        told("BALANCE_NEEDS_DESK", "Settle it at the front desk."),
        "No. Settle it at the front desk."
    );
    assert_eq!(told("ROOM_NOT_FOUND", "Check room_number."), "No.");
    assert_eq!(
        told("PAYMENT_FAILED", "Send it again."),
        "No. Ask again to try another card."
    );
    assert_eq!(outcome(&json!({ "success": true, "data": {} })), "");
}
