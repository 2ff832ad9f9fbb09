//! Public room list: its cost in Salesforce calls, and what it shows while Salesforce is down.

use dewy_domain::{nights::Nights, ports::PublicInventory};
use dewy_orchestrators::PublicInventoryService;
use jiff::ToSpan;

use crate::prelude::*;

fn open() -> (SimulatedHotel, PublicInventoryService) {
    let hotel = with(vec![]);
    let inventory = PublicInventoryService::new(Arc::clone(&hotel.processes[0]));
    (hotel, inventory)
}

fn calls(hotel: &SimulatedHotel) -> usize {
    hotel.count_calls(|call| call.system == System::Salesforce && call.operation != "token")
}

/// Two nights, this many days from now.
fn nights(hotel: &SimulatedHotel, days: i64) -> Nights {
    let from = hotel.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date() + days.days();
    Nights {
        from,
        to: from + 2.days(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_views_of_the_rooms_are_one_call() {
    let (hotel, inventory) = open();
    let rooms = inventory.rooms().await.unwrap();
    assert!(rooms.rooms.len() > 40, "{}", rooms.rooms.len());
    let once = calls(&hotel);
    for _ in 0..1000 {
        assert_eq!(inventory.rooms().await.unwrap(), rooms);
    }
    assert_eq!(calls(&hotel), once);
    hotel.clock.sleep(Duration::from_secs(301)).await;
    inventory.rooms().await.unwrap();
    assert_eq!(calls(&hotel), once + 1, "then they are read again");
}

#[tokio::test(start_paused = true)]
async fn free_rooms_are_those_a_guest_could_book() {
    let (hotel, inventory) = open();
    let all = inventory.rooms().await.unwrap();
    let soon = inventory.free(nights(&hotel, 0)).await.unwrap();
    assert!(!soon.rooms.is_empty() && soon.rooms.len() < all.rooms.len());
    let once = calls(&hotel);
    inventory.free(nights(&hotel, 0)).await.unwrap();
    assert_eq!(calls(&hotel), once, "the same dates are shared");
    let past = inventory.free(nights(&hotel, -3)).await;
    assert_eq!(past, Err(ErrorCode::DatesInvalid));
    assert_eq!(calls(&hotel), once, "and the past is not asked for");
}

#[tokio::test(start_paused = true)]
async fn anonymous_searches_cost_at_most_300_calls_an_hour() {
    let (hotel, inventory) = open();
    inventory.free(nights(&hotel, 1)).await.unwrap();
    let first = calls(&hotel);
    let mut limited = 0;
    for minute in 0..60 {
        for n in 0..30 {
            let answer = inventory.free(nights(&hotel, 1 + minute * 10 + n)).await;
            limited += usize::from(answer == Err(ErrorCode::RateLimited));
        }
        hotel.clock.sleep(Duration::from_secs(60)).await;
    }
    let made = calls(&hotel) - first;
    assert!((200..=300).contains(&made), "{made}");
    assert!(limited > 1000, "{limited}");
    hotel.clock.sleep(Duration::from_secs(3600)).await;
    inventory.free(nights(&hotel, 1)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn cached_rooms_are_shown_during_an_outage() {
    let (hotel, inventory) = open();
    let rooms = inventory.rooms().await.unwrap();
    let known = nights(&hotel, 5);
    hotel.clock.sleep(Duration::from_secs(600)).await;
    let down = salesforce("query", FaultKind::Status);
    hotel.fault(down.status(503).count(0));
    assert_eq!(inventory.rooms().await.unwrap(), rooms);
    assert_eq!(
        inventory.free(known).await,
        Err(ErrorCode::UpstreamUnavailable)
    );
    let before = calls(&hotel);
    for _ in 0..100 {
        assert_eq!(inventory.rooms().await.unwrap(), rooms);
        assert!(inventory.free(known).await.is_err());
    }
    assert_eq!(calls(&hotel), before, "not by every visitor in turn");
    hotel.clock.sleep(Duration::from_secs(25 * 3600)).await;
    assert_eq!(
        inventory.rooms().await,
        Err(ErrorCode::UpstreamUnavailable),
        "prices of yesterday are not shown"
    );
}
