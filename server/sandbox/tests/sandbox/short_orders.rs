//! Short orders, as people typed them who did not know the model's rules.

use serde_json::json;

use crate::chat_history::{answer, beth, desk, one, user};

#[tokio::test(start_paused = true)]
async fn short_orders_of_staff_name_status_item_and_guest() {
    for (says, tool, arguments) in [
        (
            "set 101 to clean",
            "set_room_status",
            json!({"room_number": "101", "status": "Vacant"}),
        ),
        (
            "put 24.50 for minibar on 203",
            "post_charge",
            json!({"room_number": "203", "amount": 2450, "description": "minibar"}),
        ),
        (
            "rooms not ready",
            "search_rooms_on_behalf_of_staff",
            json!({"status_filter": "Cleaning"}),
        ),
        (
            "liam walsh is here, check him in",
            "search_guests",
            json!({"query": "liam walsh"}),
        ),
        (
            "beth gibbs wants to check out",
            "search_guests",
            json!({"query": "beth gibbs"}),
        ),
        (
            "need to extend priya raman by 1 nite",
            "search_guests",
            json!({"query": "priya raman"}),
        ),
    ] {
        let reply = answer(&desk(), Some("front_desk"), &[user(says)]).await;
        assert_eq!(one(&reply), (tool, &arguments), "{says}");
    }
    let reply = answer(
        &desk(),
        Some("front_desk"),
        &[user("who still owes us money today")],
    )
    .await;
    assert!(reply.text.contains("lists today's departures"), "{reply:?}");
    let reply = answer(&desk(), Some("front_desk"), &[user("check the guest out")]).await;
    assert!(reply.text.contains("A name, a room or"), "{reply:?}");
}

#[tokio::test(start_paused = true)]
async fn a_room_that_is_asked_after_is_not_checked_in() {
    for says in ["Is my room ready?", "is our room ready yet?"] {
        let reply = answer(&beth("Reserved"), None, &[user(says)]).await;
        assert!(
            reply.calls.is_empty() && reply.text.contains("3 PM"),
            "{says}: {reply:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn whole_stays_move_by_days() {
    for (says, arguments) in [
        (
            "move it one day later",
            json!({"booking_number": "BK-0042", "check_in_date": "2026-03-09", "check_out_date": "2026-03-13"}),
        ),
        (
            "ok want 2 leave a day earlyer",
            json!({"booking_number": "BK-0042", "check_out_date": "2026-03-11"}),
        ),
        (
            "can we leave two days later?",
            json!({"booking_number": "BK-0042", "check_out_date": "2026-03-14"}),
        ),
    ] {
        let reply = answer(&beth("Reserved"), None, &[user(says)]).await;
        assert_eq!(one(&reply), ("manage_bookings", &arguments), "{says}");
    }
}

#[tokio::test(start_paused = true)]
async fn vague_defects_are_passed_on_in_the_guests_words() {
    let says = "the thing in the bathroom isn't doing what it should";
    let reply = answer(&beth("Checked In"), None, &[user(says)]).await;
    let (tool, arguments) = one(&reply);
    assert_eq!(
        (tool, &arguments["type"]),
        ("submit_guest_service_request", &json!("Maintenance"))
    );
}

#[tokio::test(start_paused = true)]
async fn both_parts_of_a_question_in_spanish_are_answered() {
    let facts = beth("Checked In");
    let says = "¿A qué hora es el desayuno y cuál es la clave del wifi?";
    let reply = answer(&facts, None, &[user(says)]).await;
    assert!(reply.calls.is_empty(), "{reply:?}");
    assert!(
        reply.text.contains("7 to 10 AM") && reply.text.contains("dew"),
        "{reply:?}"
    );
    // What is not known goes to a person
    let says = "¿A qué hora es el desayuno y me pueden traer dos toallas?";
    let reply = answer(&facts, None, &[user(says)]).await;
    assert_eq!(one(&reply).0, "hand_over_to_staff");
    assert!(
        reply.text.contains("7 to 10 AM") && reply.text.contains("Lo siento"),
        "{reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_greeting_in_another_language_calls_nobody() {
    for (says, words) in [
        ("Hola, buenas tardes", "desayuno"),
        ("Guten Tag", "Rezeption"),
        ("Merci beaucoup", "anglais"),
    ] {
        let reply = answer(&beth("Checked In"), None, &[user(says)]).await;
        assert!(
            reply.calls.is_empty() && reply.text.contains(words),
            "{says}: {reply:?}"
        );
    }
    let reply = answer(
        &beth("Checked In"),
        None,
        &[user("Hola, ¿me pueden traer dos toallas?")],
    )
    .await;
    assert_eq!(one(&reply).0, "hand_over_to_staff");
}

#[tokio::test(start_paused = true)]
async fn what_a_guest_says_is_passed_on_without_says() {
    let mut facts = desk();
    facts["guest_email"] = json!("beth.gibbs@email.com");
    facts["room_number"] = json!("302");
    facts["folio_balance"] = json!(25_000);
    let says = "Beth Gibbs is checking out and says the toilet in the room is broken";
    let reply = answer(&facts, Some("front_desk"), &[user(says)]).await;
    let descriptions = reply.calls.iter().map(|call| &call.2["description"]);
    let descriptions: Vec<_> = descriptions.filter(|text| !text.is_null()).collect();
    assert_eq!(
        descriptions,
        ["The toilet in the room is broken"],
        "{reply:?}"
    );
}
