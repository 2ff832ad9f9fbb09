//! The hours after midnight, and rooms for tonight.

use jiff::{Timestamp, civil::Time};

use super::*;

/// A hotel whose clock is moved to 00:30 of the day after the seed's, and a vacant room of it.
async fn after_midnight(day_changes_at: Time) -> (SimulatedHotel, String) {
    let hotel = set_up(|s| s.day_changes_at = day_changes_at);
    let tonight = json!({ "check_in_date": TODAY, "check_out_date": "2026-03-11" });
    let free = data(
        &hotel
            .front_desk("search_available_rooms", None, tonight)
            .await,
    );
    let room = text_of(&free["rooms"][0]["room_number"]);
    let late = ada(&room, TODAY, "2026-03-11");
    data(&hotel.book("late", late).await);
    let night: Timestamp = "2026-03-11T00:30:00Z".parse().unwrap();
    let wait = night.duration_since(hotel.clock.now());
    tokio::time::sleep(wait.try_into().unwrap()).await;
    (hotel, room)
}

fn walk_in() -> Value {
    json!({ "guest_email": "grace@example.com", "guest_first_name": "Grace", "guest_last_name": "Hopper",
        "room_type": "Standard", "check_in_date": TODAY, "check_out_date": "2026-03-11" })
}

#[tokio::test(start_paused = true)]
async fn the_running_night_lasts_until_the_hotels_day_changes() {
    let (hotel, room) = after_midnight(Time::constant(4, 0, 0, 0)).await;
    let own = json!({ "filter": "upcoming" });
    let own = data(
        &hotel
            .guest(
                "ada@example.com",
                "search_rooms_on_behalf_of_guest",
                None,
                own,
            )
            .await,
    );
    let number = own["stays"][0]["booking_number"].clone();
    assert!(number.is_string(), "{own}");
    let early = json!({ "booking_number": number, "action": "no_show" });
    let early = hotel.change_booking("n", early).await;
    assert_eq!(
        early.error(),
        Some(ErrorCode::InvalidTransition),
        "still expected"
    );
    let arrived = json!({ "guest_email": "ada@example.com" });
    let arrived = data(&hotel.front_desk("check_in_guest", "i", arrived).await);
    assert_eq!(arrived["room_number"], room.as_str());
    let booked = data(&hotel.book("w", walk_in()).await);
    let arrived = json!({ "guest_email": "grace@example.com" });
    let arrived = data(&hotel.front_desk("check_in_guest", "j", arrived).await);
    assert_eq!(
        arrived["room_number"], booked["room_number"],
        "a room that is ready"
    );
    assert!(hotel.run_until_idle(Duration::from_secs(1800)).await);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn where_the_day_changes_at_midnight_late_guests_still_arrive() {
    let (hotel, room) = after_midnight(Time::midnight()).await;
    let arrived = json!({ "guest_email": "ada@example.com" });
    let arrived = data(&hotel.front_desk("check_in_guest", "i", arrived).await);
    assert_eq!(arrived["room_number"], room.as_str());
    let past = hotel.book("w", walk_in()).await;
    assert_refused(&past, ErrorCode::DatesInvalid);
}

#[tokio::test(start_paused = true)]
async fn rooms_for_tonight_are_listed_ready_ones_first() {
    let hotel = with(vec![]);
    let tonight = json!({ "check_in_date": TODAY, "check_out_date": "2026-03-11", "limit": 200 });
    let found = data(
        &hotel
            .front_desk("search_available_rooms", None, tonight.clone())
            .await,
    );
    let ready: Vec<bool> = (items(&found["rooms"]).iter())
        .map(|room| room["ready"].as_bool().unwrap())
        .collect();
    assert!(ready.contains(&true) && ready.contains(&false), "{found}");
    assert!(ready.is_sorted_by(|a, b| a >= b), "{found}");
    let own = hotel
        .guest(BETH, "search_available_rooms", None, tonight)
        .await;
    assert!(data(&own)["rooms"][0].get("room_status").is_none());
}
