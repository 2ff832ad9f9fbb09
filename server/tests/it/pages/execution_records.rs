//! What needs attention, and the record of an execution.

use dewy_domain::{ports::ExecutionFeed, vocabulary::ExecutionState};
use dewy_orchestrators::CHECK_OUT;
use dewy_saga::Saga;
use dewy_server::startup::overrides::Overrides;

use super::check_out::{check_out, refuse_writes};
use crate::prelude::*;

/// The same execution, as staff see it.
fn record(guests: &str) -> String {
    guests.replace("/guest/execution/", "/staff/executions/")
}

#[tokio::test]
async fn attention_items_show_reason_amount_and_action() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/attention").await;
    page.has(&["Nothing needs attention."]);
    page.lacks(&["Check-outs are paused", "could not be sent"]);
    let page = manager.open("/staff/executions?state=retrying").await;
    page.has(&["No executions match these filters"]);

    refuse_writes(&hotel);
    let beth = hotel.browser().guest(BETH).await;
    let refunded = record(&check_out(&beth, "pm_card_visa").await);
    manager.until(&refunded, "Undone").await;
    // Stripe gives nothing back for a payment that is disputed
    let nora = hotel.browser().guest(NORA).await;
    let stuck = check_out(&nora, "pm_card_createDispute").await;
    nora.until(&stuck, "Our front desk is looking into it")
        .await;
    let stuck = record(&stuck);
    let id = stuck.rsplit('/').next().unwrap();
    let act = format!("{stuck}/act/retry_now");
    let page = manager
        .until("/staff/attention", "2 items need attention, oldest first.")
        .await;
    page.has(&[
        "The card's owner disputes a payment",
        "Stripe refused the refund",
        "at stake",
        &act,
    ]);
    let page = manager
        .sees("/staff/executions?state=needs_attention", &[id])
        .await;
    page.lacks(&[&refunded]);

    // Staff see the record, and guests do not
    let stranger = hotel.browser();
    let door = nora.open(&stuck).await.to();
    assert!(door.starts_with("/staff/sign-in?next=%2Fstaff%2Fexecutions%2Fexe_"));
    let fields = "email=manager%40dewy.example&password=no&next=";
    let page = stranger.submit("enter_password", fields).await;
    page.has(&["do not match"]);
    let next = door.split_once("next=").unwrap().1;
    let fields = format!("email=manager%40dewy.example&password=dewy-demo&next={next}");
    assert_eq!(stranger.post("enter_password", &fields).await.to(), stuck);
    let page = stranger.open(&stuck).await;
    page.has(&["REFUND_REFUSED", "pi_", ":pay<", "Timeline, ", NORA]);

    // The money is checked against Stripe without a script
    let page = manager.open(&refunded).await;
    page.has(&[
        "Stripe says the same",
        "re_",
        "/staff/stays/BK-0042/check-out",
    ]);
    let payment = hotel.sandbox().stripe_state()["payment_intents"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["amount"] == 55_800)
        .unwrap()["id"]
        .clone();
    let page = manager.open(&format!("{refunded}?live=1")).await;
    // The island only learns whether it is outdated
    page.has(&["data-late"]);
    page.lacks(&["Stripe says"]);
    let none = manager.open("/staff/executions/exe_none").await;
    assert_eq!(none.status, 404);

    // A third failure after a payment pauses the check-outs
    let priya = hotel.browser().guest(PRIYA).await;
    let third = record(&check_out(&priya, "pm_card_visa").await);
    manager.until(&third, "Undone").await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    for (browser, lifts) in [(&desk, false), (&manager, true)] {
        let page = browser.open("/staff/attention").await;
        page.has(&["Check-outs are paused", "Salesforce says: “", &third]);
        assert_eq!(page.shows("Let check-outs through"), lifts);
        let page = browser.submit("lift_checkout_pause", "").await;
        assert_eq!(page.shows("<h2 id=\"pause\">"), !lifts);
    }
    hotel.heal().await;

    // An act says beforehand what it does, and wants a reason
    let page = manager.open(&act).await;
    page.has(&["What this does", "$558.00 kept"]);
    let fields = format!("execution_id={id}&resolution=retry_now&idempotency_token=t1&reason=");
    let page = manager.submit("resolve", &format!("{fields}+")).await;
    page.has(&["Say why, in a few words", "value=\"t1\""]);
    let sent = manager
        .post("resolve", &format!("{fields}Stripe+is+back"))
        .await;
    // Back where the work is, with what became of it
    assert_eq!(sent.to(), "/staff/attention");
    let page = manager.open(&sent.to()).await;
    page.has(&[
        "still needs attention.",
        &format!("href=\"{stuck}\">Details"),
    ]);
    manager.until(&stuck, "manager@dewy.example (staff)").await;
    let page = manager.open(&format!("{refunded}/act/retry_now")).await;
    page.has(&["not possible any more"]);

    // Compensations show the sweep and who asked
    let page = manager.open("/staff/compensations").await;
    page.has(&[
        "Not finished: ",
        "the check-out",
        "/staff/refund",
        payment.as_str().unwrap(),
    ]);
    let page = manager
        .open("/staff/compensations?status=needs_attention")
        .await;
    page.has(&[payment.as_str().unwrap()]);
    page.lacks(&[&refunded]);
    // Once the guest has left, nobody is asked to check them out again
    let left = json!({ "Status__c": "Checked Out" });
    hotel.edit("Booking__c", "Name", "BK-0042", &left);
    let page = manager.until_gone(&refunded, "Check out again").await;
    page.has(&["Nothing is left to do."]);
}

fn with_next_check_out(mut sagas: Vec<Saga>) -> Vec<Saga> {
    let this = sagas
        .iter()
        .find(|saga| saga.definition().name == CHECK_OUT);
    let next = this
        .cloned()
        .map(|saga| saga.redefined(|definition| definition.version = 3));
    sagas.extend(next);
    sagas
}

#[tokio::test]
async fn executions_of_another_release_are_listed_with_the_reason() {
    let next = Overrides {
        sagas: with_next_check_out,
        ..Overrides::default()
    };
    let hotel = TestHotel::changed(next).await;
    refuse_writes(&hotel);
    let beth = hotel.browser().guest(BETH).await;
    let path = check_out(&beth, "pm_card_visa").await;
    let staff = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let id = path.rsplit('/').next().unwrap();
    loop {
        let feed: &dyn ExecutionFeed = &*hotel.server.hotel;
        let view = feed.execution(&staff, id).await.unwrap();
        assert!(!view.at_rest, "{view:?}");
        if view.state == ExecutionState::Retrying {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let hotel = TestHotel::reopen(hotel.close_and_keep().await, &[]).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager
        .until("/staff/attention", "Waiting for another release")
        .await;
    page.has(&[&record(&path), "does not know version 3"]);
}
