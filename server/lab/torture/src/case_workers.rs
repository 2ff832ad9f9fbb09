//! Staff who open cases, comment on them and change their status, and who set the status of rooms.

use dewy_test_kit::{CallerAnswer, Subject};
use serde_json::json;

use crate::{caller_state::CallerState, tool_caller::ToolCaller};

/// Guest of the sandbox's seed who is checked in.
const GUEST: &str = "beth.gibbs@email.com";

/// Works until the front desk closes, on its own cases and room.
pub async fn work(mut caller: ToolCaller, room: String) {
    while !caller.desk.closing() {
        if caller.chance(60) {
            case(&mut caller, &room).await;
        } else {
            set_status(&mut caller, &room).await;
        }
        caller.pause(100, 700).await;
    }
}

/// A case from its creation, by one of three tools, to its end.
async fn case(caller: &mut ToolCaller, room: &str) -> Option<()> {
    let words = format!("Something drips, {}", caller.rng.u64(..));
    let (tool, arguments) = match caller.rng.u64(1..=3) {
        1 => (
            "submit_guest_service_request",
            json!({ "guest_email": GUEST, "type": "Housekeeping", "description": words }),
        ),
        2 => (
            "submit_maintenance_request",
            json!({ "room_number": room, "description": words }),
        ),
        _ => (
            "manage_cases",
            json!({ "type": "Maintenance", "subject": words, "room_number": room }),
        ),
    };
    let opening = caller.request(tool, arguments);
    // Some click twice: that is one case.
    let [opened, _] = if caller.chance(25) {
        caller.call_both(&opening, &opening).await
    } else {
        [caller.call(&opening).await, None]
    };
    let opened = opened.filter(|answer| answer.code.is_none())?;
    let number = opened.body["data"]["case_number"].as_str()?.to_owned();
    expect_case(&caller.desk, &number, "New");
    for status in ["In Progress", "Closed", "In Progress"] {
        if caller.chance(30) {
            break;
        }
        let mut arguments = json!({ "case_number": number, "status": status });
        let comment = format!("Seen to, {}", caller.rng.u64(..));
        let comments = caller.chance(50);
        if comments {
            arguments["comment"] = json!(comment);
        }
        let moved = caller.ask("manage_cases", arguments).await;
        if !succeeded(&caller.desk, Subject::Case, &number, moved.as_ref()) {
            return None;
        }
        expect_case(&caller.desk, &number, status);
        if comments {
            caller.desk.expect(Subject::Comment, &comment, json!({}));
        }
    }
    Some(())
}

fn expect_case(desk: &CallerState, number: &str, status: &str) {
    desk.expect(Subject::Case, number, json!({ "Status": status }));
}

async fn set_status(caller: &mut ToolCaller, room: &str) {
    let away = ["Cleaning", "Maintenance", "Out of Service"];
    let away = away[caller.rng.usize(..3)];
    for status in [away, "Vacant"] {
        let arguments = json!({ "room_number": room, "status": status });
        let set = caller.ask("set_room_status", arguments).await;
        if !succeeded(&caller.desk, Subject::Room, room, set.as_ref()) {
            return;
        }
        let fields = json!({ "Status__c": status });
        caller.desk.expect(Subject::Room, room, fields);
    }
}

/// True after a success. An error leaves the state unchanged; after an unknown outcome nothing is
/// expected any more.
fn succeeded(
    desk: &CallerState,
    subject: Subject,
    name: &str,
    answer: Option<&CallerAnswer>,
) -> bool {
    match answer.map(|answer| answer.code.as_deref()) {
        Some(None) => return true,
        Some(Some("NEEDS_ATTENTION")) | None => desk.drop_expectation(subject, name),
        Some(Some(_)) => {}
    }
    false
}
