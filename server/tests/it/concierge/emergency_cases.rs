//! The case that an emergency owes: opened and closed whatever happens meanwhile.

use std::time::Duration;

use dewy_domain::{
    caller::{Caller, Interface},
    concierge::Entry,
    ports::Concierge,
};
use dewy_saga::{Journal, journal::ExecutionFilter};
use dewy_store::HandleResult;
use serde_json::Value;

use super::{
    emergencies::{handle, settings},
    scripted_hotel::{ScriptedHotel, beth, front_desk},
};
use crate::test_hotel::TestHotel;

/// Number of the case that the conversation gets.
pub(super) async fn case_of(scripted: &ScriptedHotel, id: &str) -> String {
    for _ in 0..100 {
        let thread = scripted
            .concierge
            .conversation(&front_desk(), Some(id))
            .await
            .unwrap();
        if let Some(case) = thread.case_number {
            return case;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no case was opened");
}

pub(super) fn record(scripted: &ScriptedHotel, case: &str) -> Value {
    let state = scripted.hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let found = cases.iter().find(|one| one["CaseNumber"] == case);
    found.unwrap().clone()
}

pub(super) async fn until_closed(scripted: &ScriptedHotel, case: &str) {
    for _ in 0..100 {
        if record(scripted, case)["Status"] == "Closed" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the case stays {}", record(scripted, case)["Status"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emergency_case_is_closed_despite_concurrent_events() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let id = scripted
        .concierge
        .post_message(&beth(), None, "t1", "Hello")
        .await
        .unwrap();
    scripted.quiet(&beth(), &id).await;
    scripted
        .concierge
        .hand_over(&beth(), &id, "The guest asked for a person.")
        .await
        .unwrap();
    let asked = case_of(&scripted, &id).await;
    // The process dies right after both: whoever tidies up opens the case, and closes it
    let fire = Entry::Said {
        danger: None,
        text: "There's a fire in my room!".to_owned(),
    };
    let answer = Entry::Answered {
        text: "Call 911 first.".to_owned(),
        stopped: false,
        opaque: serde_json::Value::Null,
    };
    let (store, now) = (&scripted.hotel.server.store, jiff::Timestamp::now());
    let raised = store.raise_emergency(&id, now, "Fire", "t2", &fire, &answer);
    assert_eq!(raised.await, Ok(true));
    let by = front_desk().key();
    assert_eq!(
        store.end_emergency(&id, 99, &by).await,
        Ok(HandleResult::Handled)
    );
    // And Salesforce is away for a while
    let fault = scripted
        .hotel
        .fault("salesforce", "composite", "request_limit", 1, 0);
    fault.await;
    scripted.concierge.clean_up().await.unwrap();
    let mut case = asked.clone();
    for _ in 0..100 {
        scripted.concierge.clean_up().await.unwrap();
        case = case_of(&scripted, &id).await;
        if case != asked {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_ne!(case, asked, "a case of its own");
    scripted.concierge.clean_up().await.unwrap();
    until_closed(&scripted, &case).await;
    assert_eq!(record(&scripted, &asked)["Status"], "New", "another matter");
    let back = scripted.concierge.hand_back(&front_desk(), &id).await;
    assert_eq!(back, Ok(()));
    until_closed(&scripted, &asked).await;
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_of_a_guest_with_two_rooms_names_both() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let guest = Caller::guest("wei.chen@example.com", Interface::Form);
    let id = scripted
        .concierge
        .post_message(&guest, None, "t1", "There's a fire in my room!")
        .await
        .unwrap();
    let case = case_of(&scripted, &id).await;
    let description = record(&scripted, &case)["Description"].clone();
    assert_eq!(
        description.as_str().unwrap(),
        "EMERGENCY in the chat: There's a fire in my room!\nRooms: 102, 103"
    );
    let staff = scripted.hotel.browser().staff("manager@dewy.example").await;
    staff.until("/staff", "Wei Chen, rooms 102 and 103").await;
    scripted.hotel.close().await;
}

/// Salesforce fails for longer than an execution tries: the case is opened once it answers again.
#[tokio::test(flavor = "multi_thread")]
async fn a_case_that_could_not_be_opened_is_opened_later() {
    let hotel = TestHotel::with(&[("FORWARD_BUDGET_SECONDS", "1")]).await;
    let scripted = ScriptedHotel::inside(hotel, vec![], settings());
    let hotel = &scripted.hotel;
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let id = scripted
        .concierge
        .post_message(&beth(), None, "t1", "There's a fire in my room!")
        .await
        .unwrap();
    let filter = ExecutionFilter {
        limit: 9,
        ..ExecutionFilter::default()
    };
    loop {
        let executions = hotel.server.store.list(&filter).await.unwrap();
        if executions.iter().any(|one| one.state.has_ended()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The guest is told whom to call all the same, where no stay can be shown either
    for path in ["/guest", "/guest/requests", "/guest/account"] {
        let page = guest.until(path, "You have reported an emergency").await;
        page.has(&["Open the chat"]);
    }
    hotel.heal().await;
    let mut case = None;
    for _ in 0..100 {
        scripted.concierge.clean_up().await.unwrap();
        let thread = scripted.concierge.conversation(&beth(), Some(&id)).await;
        case = thread.unwrap().case_number;
        if case.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(record(&scripted, &case.unwrap())["Status"], "New");
    scripted.hotel.close().await;
}

/// The conversation has got another case since: that one is left alone.
#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_closes_its_own_case() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let report = async |token: &str| {
        scripted
            .concierge
            .post_message(&beth(), None, token, "There's a fire in my room!")
            .await
            .unwrap()
    };
    let id = report("t1").await;
    let first = case_of(&scripted, &id).await;
    handle(&scripted, &id).await;
    until_closed(&scripted, &first).await;
    assert_eq!(report("t2").await, id);
    let mut second = first.clone();
    while second == first {
        tokio::time::sleep(Duration::from_millis(50)).await;
        second = case_of(&scripted, &id).await;
    }
    let (store, by) = (&scripted.hotel.server.store, front_desk().key());
    assert_eq!(
        store.end_emergency(&id, 99, &by).await,
        Ok(HandleResult::Handled)
    );
    store.set_conversation_case(&id, &first).await.unwrap();
    scripted.concierge.clean_up().await.unwrap();
    until_closed(&scripted, &second).await;
    scripted.hotel.close().await;
}
