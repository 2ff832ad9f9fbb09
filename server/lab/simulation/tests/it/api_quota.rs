//! The org's daily call quota: how much one guest can use, and what is reserved for others.

use dewy_domain::{
    nights::Nights,
    ports::{Confirmation, ConfirmationPrompts, PublicInventory},
    tool_catalog,
};
use dewy_orchestrators::PublicInventoryService;
use jiff::ToSpan;

use crate::prelude::*;

const DAY: Duration = Duration::from_secs(24 * 3600);

fn calls(hotel: &SimulatedHotel) -> usize {
    let calls = hotel.sandbox.calls();
    let data = calls
        .iter()
        .filter(|call| call.system == System::Salesforce && call.operation != "token");
    data.count()
}

/// An org with this quota, of which so many calls are used.
async fn used(hotel: &SimulatedHotel, used: usize, allowed: u64) {
    let mut org = hotel.sandbox.org_settings();
    org.daily_calls = allowed;
    hotel.sandbox.set_org_settings(org);
    for n in calls(hotel)..used {
        let bookings = json!({ "limit": 1 + n % 20 });
        let answer = hotel.staff("search_bookings", None, bookings);
        assert_eq!(answer.await.status(), 200);
    }
}

fn guest() -> Caller {
    Caller::guest(BETH, Interface::Mcp)
}

fn details(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Guest)["details"].clone()
}

/// Pages, agents and chats are one caller: whatever they ask for in a loop, the org keeps nearly
/// all of its calls.
#[tokio::test(start_paused = true)]
async fn a_guest_in_a_loop_for_a_day_costs_at_most_their_budget() {
    let hotel = with(vec![]);
    let before = calls(&hotel);
    let (mut answered, mut refused) = (0, 0);
    // The dearest read: a stay that is not there is looked for twice.
    let inputs = [
        ("get_folio", json!({ "booking_number": "BK-9999" })),
        ("search_rooms_on_behalf_of_guest", json!({})),
        ("search_bookings", json!({})),
    ];
    for n in 0..24 * 360 {
        let (tool, input) = &inputs[n % inputs.len()];
        let answer = hotel.beth(tool, None, input.clone()).await;
        match answer.error() {
            Some(ErrorCode::RateLimited) => {
                let wait = details(&answer)["retry_after_seconds"].as_u64().unwrap();
                assert!((1..=120).contains(&wait), "{wait}");
                refused += 1;
            }
            _ => answered += 1,
        }
        hotel.clock.sleep(DAY / (24 * 360)).await;
    }
    let spent = calls(&hotel) - before;
    println!("{answered} answered, {refused} refused, {spent} calls");
    assert!(
        (1000..=2000).contains(&spent) && refused > 5000,
        "{spent}, {refused}"
    );
    // Refused is not locked out, and nobody else notices.
    let wait = Duration::from_secs(120);
    hotel.clock.sleep(wait).await;
    assert_eq!(hotel.beth("get_folio", None, json!({})).await.status(), 200);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
}

/// The home page is what guests open most: one call a view, from the same budget as everything else.
#[tokio::test(start_paused = true)]
async fn a_home_page_costs_one_call_of_the_budget() {
    let hotel = with(vec![]);
    let beth = guest();
    let home = || hotel.processes[0].stay_overview(&beth);
    let before = calls(&hotel);
    let overview = home().await.unwrap();
    assert_eq!(overview.balances[0].balance, Cents(25000));
    assert!(!overview.stays.is_empty() && calls(&hotel) == before + 1);

    used(&hotel, 85, 100).await;
    assert!(home().await.is_ok(), "the reserved calls are for stays");
    used(&hotel, 0, 100_000).await;
    let mut views = 2;
    let refused = loop {
        match home().await {
            Ok(_) => views += 1,
            Err(error) => break error,
        }
    };
    // A quarter of a day's budget at once, of which a fifth is for what guests do
    assert!((300..=500).contains(&views), "{views}");
    assert_eq!(refused.code, ErrorCode::RateLimited);

    let staff = Caller::staff("m@dewy.example", Role::Manager, Interface::Form);
    let refused = hotel.processes[0].stay_overview(&staff).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownTool);
}

/// No tool makes more calls than its budget allows.
#[tokio::test(start_paused = true)]
async fn no_tool_exceeds_its_call_budget() {
    let most = |tool: &str| match tool {
        "get_execution" => 0,
        "get_folio" => 2,
        read if read.starts_with("search") => 1,
        _ => 8,
    };
    for tool in tool_catalog::all() {
        if !tool.personas.contains(&Persona::Guest) {
            continue;
        }
        let hotel = with(vec![]);
        let soon = hotel.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date() + 20.days();
        let (from, to) = (soon.to_string(), (soon + 2.days()).to_string());
        let input = match tool.name {
            "create_booking" => json!({
                "check_in_date": from, "check_out_date": to, "number_of_guests": 1,
                "guest_first_name": "Beth", "guest_last_name": "Gibbs", "room_type": "Deluxe",
            }),
            "search_available_rooms" => json!({ "check_in_date": from, "check_out_date": to }),
            "manage_bookings" => json!({ "booking_number": "BK-0042", "check_out_date": from }),
            _ => tool.example_for(Persona::Guest),
        };
        let before = calls(&hotel);
        let token = tool.writes.then_some("t1");
        let answer = hotel.beth(tool.name, token, input).await;
        hotel.run_until_idle(Duration::from_secs(3600)).await;
        let spent = calls(&hotel) - before;
        println!("{}: {spent} calls, {:?}", tool.name, answer.error());
        assert!(spent <= most(tool.name), "{}: {spent}", tool.name);
    }
}

#[tokio::test(start_paused = true)]
async fn repeated_tokens_are_answered_after_the_budget_is_spent() {
    let hotel = set_up(|s| s.calls_per_guest = 40);
    let done = hotel.check_out("t1").await;
    assert_eq!(done.status(), 200, "{done:?}");
    let cancel = json!({ "action": "cancel", "booking_number": "BK-9999" });
    let mut refused = 0;
    for n in 0..5 {
        let answer = hotel
            .beth("manage_bookings", &*format!("m{n}"), cancel.clone())
            .await;
        refused += usize::from(answer.error() == Some(ErrorCode::RateLimited));
    }
    assert!(refused > 0, "the budget is spent");
    let before = calls(&hotel);
    let again = hotel.check_out("t1").await;
    assert_eq!(again.status(), 200, "{again:?}");
    assert_eq!(calls(&hotel), before);
    hotel.clock.sleep(DAY).await;
    // A replay costs nothing: it is not charged either.
    for _ in 0..50 {
        assert_eq!(hotel.check_out("t1").await.status(), 200);
    }
    assert_eq!(
        hotel
            .beth("search_bookings", None, json!({}))
            .await
            .status(),
        200
    );
}

#[tokio::test(start_paused = true)]
async fn the_reserved_quota_is_for_stays_money_and_staff() {
    let hotel = with(vec![]);
    let inventory = PublicInventoryService::new(Arc::clone(&hotel.processes[0]));
    let rooms = inventory.rooms().await.unwrap();
    used(&hotel, 85, 100).await;
    let soon = hotel.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date() + 5.days();
    let nights = json!({ "check_in_date": soon.to_string(), "check_out_date": (soon + 2.days()).to_string() });
    let before = calls(&hotel);
    for (tool, input) in [
        ("search_available_rooms", &nights),
        ("search_bookings", &json!({})),
        ("search_cases_on_behalf_of_guest", &json!({})),
    ] {
        let answer = hotel.beth(tool, None, input.clone()).await;
        assert_refused(&answer, ErrorCode::QuotaReserved);
        assert_eq!(
            (answer.status(), details(&answer)),
            (503, json!({ "retry_after_seconds": 900 }))
        );
    }
    let visit = Nights {
        from: soon,
        to: soon + 1.days(),
    };
    assert_eq!(inventory.free(visit).await, Err(ErrorCode::QuotaReserved));
    hotel.clock.sleep(Duration::from_secs(301)).await;
    assert_eq!(inventory.rooms().await.unwrap(), rooms, "the last ones");
    assert_eq!(calls(&hotel), before, "none of this costs a call");
    for tool in ["get_folio", "search_rooms_on_behalf_of_guest"] {
        let answer = hotel.beth(tool, None, json!({})).await;
        assert_eq!(answer.status(), 200, "{tool}: {answer:?}");
    }
    let call = ToolCall {
        tool: "process_guest_checkout".to_owned(),
        input: json!({ "amount": 25000 }),
        idempotency_token: Some("t1".to_owned()),
        wait: None,
    };
    let quote = hotel.processes[0]
        .confirmation_for(&guest(), &call)
        .await
        .unwrap();
    let Confirmation::Ask(quote) = quote else {
        panic!("{quote:?}");
    };
    assert!(quote.question.contains("$250.00"));
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    let rooms = hotel.staff("search_rooms_on_behalf_of_staff", None, json!({}));
    assert_eq!(rooms.await.status(), 200);
}

/// After a quiet day, the first request must see that yesterday's calls no longer count.
#[tokio::test(start_paused = true)]
async fn guests_may_search_again_after_the_stated_delay() {
    let hotel = with(vec![]);
    used(&hotel, 90, 100).await;
    let search = || hotel.beth("search_bookings", None, json!({}));
    assert_refused(&search().await, ErrorCode::QuotaReserved);
    hotel.clock.sleep(Duration::from_secs(900)).await;
    assert_eq!(search().await.status(), 200, "one asks");
    assert_eq!(
        search().await.error(),
        Some(ErrorCode::QuotaReserved),
        "and learns"
    );
    hotel.clock.sleep(DAY + Duration::from_secs(3600)).await;
    for _ in 0..3 {
        assert_eq!(search().await.status(), 200);
    }
}
