//! Staff who open cases, comment on them and change their status, and who set the status of rooms.

use std::sync::Arc;

use dewy_test_kit::{CallerAnswer, Subject};
use fastrand::Rng;
use serde_json::json;

use crate::{
    caller_state::CallerState,
    retrying_client::{ToolRequest, call_concurrently, call_with_retries, sleep_randomly},
    seed_stays,
    test_server::TestServer,
};

/// Guest of the sandbox's seed who is checked in.
const GUEST: &str = "beth.gibbs@email.com";

/// Works until the front desk closes, on its own cases and room.
pub async fn worker(server: Arc<TestServer>, desk: Arc<CallerState>, mut rng: Rng, room: String) {
    while !desk.closing() {
        if rng.u64(..100) < 60 {
            case(&server, &desk, &mut rng, &room).await;
        } else {
            set_status(&server, &desk, &mut rng, &room).await;
        }
        sleep_randomly(&mut rng, 100, 700).await;
    }
}

/// Creates the rooms of these workers.
pub async fn rooms(server: &TestServer, rooms: &[String]) -> anyhow::Result<()> {
    seed_stays::empty_rooms(server, rooms).await
}

/// A case from its creation, by one of three tools, to its end.
async fn case(server: &TestServer, desk: &CallerState, rng: &mut Rng, room: &str) -> Option<()> {
    let bearer = rng.choice(&server.tokens)?;
    let words = format!("Something drips, {}", rng.u64(..));
    let (tool, arguments) = match rng.u64(1..=3) {
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
    let opening = ToolRequest::new(tool, bearer, arguments);
    // Some click twice: that is one case.
    let [opened, _] = if rng.u64(..100) < 25 {
        call_concurrently(server, desk, rng, &opening, &opening)
            .await
            .into()
    } else {
        [call_with_retries(server, desk, rng, &opening).await, None]
    };
    let number = opened.filter(|a| a.code.is_none())?.body["data"]["case_number"]
        .as_str()?
        .to_owned();
    expect_case(desk, &number, "New");
    for status in ["In Progress", "Closed", "In Progress"] {
        if rng.u64(..100) < 30 {
            break;
        }
        let mut arguments = json!({ "case_number": number, "status": status });
        let comment = format!("Seen to, {}", rng.u64(..));
        if rng.u64(..100) < 50 {
            arguments["comment"] = json!(comment);
        }
        let moved = call_with_retries(
            server,
            desk,
            rng,
            &ToolRequest::new("manage_cases", bearer, arguments.clone()),
        )
        .await;
        if !succeeded(desk, Subject::Case, &number, moved.as_ref()) {
            return None;
        }
        expect_case(desk, &number, status);
        if !arguments["comment"].is_null() {
            desk.expect(Subject::Comment, &comment, json!({}));
        }
    }
    Some(())
}

fn expect_case(desk: &CallerState, number: &str, status: &str) {
    desk.expect(Subject::Case, number, json!({ "Status": status }));
}

async fn set_status(server: &TestServer, desk: &CallerState, rng: &mut Rng, room: &str) {
    let Some(bearer) = rng.choice(&server.tokens) else {
        return;
    };
    let away = *rng
        .choice(&["Cleaning", "Maintenance", "Out of Service"])
        .unwrap_or(&"Cleaning");
    for status in [away, "Vacant"] {
        let asked = ToolRequest::new(
            "set_room_status",
            bearer,
            json!({ "room_number": room, "status": status }),
        );
        let set = call_with_retries(server, desk, rng, &asked).await;
        if !succeeded(desk, Subject::Room, room, set.as_ref()) {
            return;
        }
        desk.expect(Subject::Room, room, json!({ "Status__c": status }));
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
