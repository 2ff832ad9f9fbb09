//! Staff who open cases, say something about them and move them on; and who set the status of rooms.

use std::sync::Arc;

use serde_json::json;

use crate::{
    ask::{Asked, ask, both, pause},
    desk::{Answer, Desk, Subject},
    dice::Dice,
    house::House,
    stays,
};

/// A guest of the sandbox's seed who is in house.
const GUEST: &str = "beth.gibbs@email.com";

/// Works until the desk closes, on cases and a room of its own.
pub async fn worker(house: Arc<House>, desk: Arc<Desk>, mut dice: Dice, room: String) {
    while !desk.closing() {
        if dice.percent(60) {
            case(&house, &desk, &mut dice, &room).await;
        } else {
            set_status(&house, &desk, &mut dice, &room).await;
        }
        pause(&mut dice, 100, 700).await;
    }
}

/// Makes the rooms of these workers.
pub async fn rooms(house: &House, rooms: &[String]) -> anyhow::Result<()> {
    stays::empty_rooms(house, rooms).await
}

/// From its opening, by one of three tools, on to its end.
async fn case(house: &House, desk: &Desk, dice: &mut Dice, room: &str) -> Option<()> {
    let bearer = dice.pick(&house.tokens)?;
    let words = format!("Something drips, {}", dice.between(0, u64::MAX - 1));
    let (tool, arguments) = match dice.between(1, 3) {
        1 => (
            "submit_guest_service_request",
            json!({ "guest_email": GUEST, "type": "Housekeeping", "description": words }),
        ),
        2 => ("submit_maintenance_request", json!({ "room_number": room, "description": words })),
        _ => ("manage_cases", json!({ "type": "Maintenance", "subject": words, "room_number": room })),
    };
    let opening = Asked::new(tool, bearer, arguments);
    // Some press twice: that is one case.
    let [opened, _] = if dice.percent(25) {
        both(house, desk, dice, &opening, &opening).await.into()
    } else {
        [ask(house, desk, dice, &opening).await, None]
    };
    let number = opened.filter(|a| a.code.is_none())?.body["data"]["case_number"].as_str()?.to_owned();
    expect_case(desk, &number, "New");
    for status in ["In Progress", "Closed", "In Progress"] {
        if dice.percent(30) {
            break;
        }
        let mut arguments = json!({ "case_number": number, "status": status });
        let comment = format!("Seen to, {}", dice.between(0, u64::MAX - 1));
        if dice.percent(50) {
            arguments["comment"] = json!(comment);
        }
        let moved = ask(house, desk, dice, &Asked::new("manage_cases", bearer, arguments.clone())).await;
        if !kept(desk, Subject::Case, &number, moved.as_ref()) {
            return None;
        }
        expect_case(desk, &number, status);
        if !arguments["comment"].is_null() {
            desk.expect(Subject::Comment, &comment, json!({}));
        }
    }
    Some(())
}

fn expect_case(desk: &Desk, number: &str, status: &str) {
    desk.expect(Subject::Case, number, json!({ "Status": status }));
}

async fn set_status(house: &House, desk: &Desk, dice: &mut Dice, room: &str) {
    let Some(bearer) = dice.pick(&house.tokens) else { return };
    let away = *dice.pick(&["Cleaning", "Maintenance", "Out of Service"]).unwrap_or(&"Cleaning");
    for status in [away, "Vacant"] {
        let asked = Asked::new("set_room_status", bearer, json!({ "room_number": room, "status": status }));
        let set = ask(house, desk, dice, &asked).await;
        if !kept(desk, Subject::Room, room, set.as_ref()) {
            return;
        }
        desk.expect(Subject::Room, room, json!({ "Status__c": status }));
    }
}

/// True after a success. An error leaves things as they were; where nobody knows, nothing is expected any more.
fn kept(desk: &Desk, subject: Subject, name: &str, answer: Option<&Answer>) -> bool {
    match answer.map(|answer| answer.code.as_deref()) {
        Some(None) => return true,
        Some(Some("NEEDS_ATTENTION")) | None => desk.doubt(subject, name),
        Some(Some(_)) => {}
    }
    false
}
