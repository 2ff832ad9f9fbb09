//! Staff pages of executions: attention, records, refunds, charges.

use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::ExecutionFeed,
};
use dewy_orchestrators::CHECK_OUT;
use dewy_saga::Saga;
use dewy_server::server::Changes;
use serde_json::json;

use super::check_out::{check_out, refuse_writes};
use crate::test_hotel::{TestHotel, day};

const BETH: &str = "beth.gibbs@email.com";
const NORA: &str = "nora.o'brien@example.com";
const PRIYA: &str = "priya.raman@example.com";

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
        .open("/staff/executions?state=needs_attention")
        .await;
    page.has(&[id]);
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
    page.has(&["REFUND_REFUSED", "pi_", ":pay<", "Journal, ", NORA]);

    // The money is checked against Stripe without a script
    let page = manager.open(&refunded).await;
    page.has(&["Stripe says the same", "re_"]);
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
        "Orphans found",
        "the check-out",
        "/staff/refund",
        payment.as_str().unwrap(),
    ]);
    let page = manager
        .open("/staff/compensations?status=needs_attention")
        .await;
    page.has(&[payment.as_str().unwrap()]);
    page.lacks(&[&refunded]);
    hotel.close().await;
}

fn with_next_check_out(mut sagas: Vec<Saga>) -> Vec<Saga> {
    let this = sagas
        .iter()
        .find(|saga| saga.definition().name == CHECK_OUT);
    let next = this
        .cloned()
        .map(|saga| saga.redefined(|definition| definition.version = 2));
    sagas.extend(next);
    sagas
}

#[tokio::test]
async fn executions_of_another_release_are_listed_with_the_reason() {
    let next = Changes {
        sagas: with_next_check_out,
        ..Changes::default()
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
        if view.state == "retrying" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let hotel = TestHotel::again(hotel.close_and_keep().await, &[]).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager
        .until("/staff/attention", "Waiting for another release")
        .await;
    page.has(&[&record(&path), "does not know version 2"]);
    hotel.close().await;
}

#[tokio::test]
async fn filters_are_in_the_url_and_can_be_saved() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let beth = hotel.browser().guest(BETH).await;
    let done = check_out(&beth, "pm_card_visa").await;
    beth.until(&done, "You are checked out").await;
    let priya = hotel.browser().guest(PRIYA).await;
    let other = check_out(&priya, "pm_card_chargeDeclined").await;
    priya.until(&other, "Nothing was charged").await;
    let today = day(0);
    let wanted = format!("state=completed&tool=&guest_email=&room_number=302&from={today}");
    let page = desk.open(&format!("/staff/executions?{wanted}")).await;
    page.has(&[
        &format!("href=\"{}\"", record(&done)),
        "value=\"302\"",
        "Filter: 2 set",
    ]);
    page.lacks(&[&record(&other)]);
    let page = desk.open("/staff/executions?from=lately").await;
    page.has(&["That could not be looked up", "href=\"#from\""]);

    let page = desk.open("/staff/executions").await;
    page.lacks(&["Save this view"]);
    let page = desk.open("/staff/executions?state=retrying").await;
    page.has(&["Save this view", "value=\"state=retrying\""]);
    let fields = "page=%2Fstaff%2Fexecutions&query=state%3Dretrying&view_name=";
    let sent = desk.post("save_view", fields).await;
    assert_eq!(sent.to(), "/staff/executions?state=retrying");
    desk.open(&sent.to()).await.has(&["Write a name"]);
    desk.post("save_view", &format!("{fields}Slow+ones")).await;
    let page = desk.open("/staff/executions").await;
    page.has(&["Saved views", "Slow ones"]);
    // Of its own list
    desk.open("/staff/payments").await.lacks(&["Slow ones"]);
    let fields = "page=%2Fstaff%2Fexecutions&name=Slow+ones&back=%2Fstaff%2Fexecutions";
    let page = desk.submit("delete_view", fields).await;
    page.lacks(&["Slow ones"]);
    let fields = "page=https%3A%2F%2Fevil.example&query=&view_name=x";
    assert_eq!(desk.post("save_view", fields).await.to(), "/staff");

    // A refund is read back before it is sent
    let page = desk
        .submit(
            "refund_check",
            "payment_intent_id=ch_1&guest_email=Beth&reason=",
        )
        .await;
    page.has(&[
        "it begins with pi_",
        "#guest_email",
        "#reason",
        "value=\"ch_1\"",
    ]);
    let charges = hotel.sandbox().stripe_state()["payment_intents"].clone();
    let paid = charges
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["status"] == "succeeded")
        .unwrap();
    let paid = paid["id"].as_str().unwrap();
    let fields =
        format!("payment_intent_id={paid}&guest_email=Beth.Gibbs%40email.com&reason=Twice");
    let sent = desk.post("refund_check", &fields).await;
    assert_eq!(sent.to(), "/staff/refund?step=confirm");
    let page = desk.open(&sent.to()).await;
    page.has(&["Refund this payment?", BETH]);
    let door = hotel.browser().post("refund", &fields).await;
    assert_eq!(door.to(), "/staff/sign-in?next=%2Fstaff%2Frefund");
    let sent = desk
        .post("refund", &format!("{fields}&idempotency_token=t"))
        .await;
    let page = desk.until(&sent.to(), "was completed").await;
    page.has(&[paid]);
    let refunds = hotel.sandbox().stripe_state()["refunds"].clone();
    assert_eq!(refunds, json!([]));
    // What somebody gives back in Stripe's dashboard is told beside our own sum
    desk.open(&record(&done))
        .await
        .has(&["Stripe says the same"]);
    hotel.sandbox().refund_elsewhere(paid, None).unwrap();
    desk.open(&record(&done))
        .await
        .has(&["Stripe says otherwise"]);
    hotel.close().await;
}

#[tokio::test]
async fn a_charge_is_confirmed_and_can_be_voided() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let fields = "room=&booking=&amount=12,50&description=";
    desk.submit("charge_check", fields).await.has(&[
        "Enter a room or a booking",
        "Enter an amount such as 12.50",
        "Say what it is for",
    ]);
    let fields = "room=302&booking=&amount=12.5&description=Minibar";
    let page = desk.submit("charge_check", fields).await;
    page.has(&["Post $12.50 to Beth Gibbs"]);
    // The guest who was read out, whoever moves in meanwhile
    let sent = desk.post("post_charge", "idempotency_token=t1").await;
    let page = desk.until(&sent.to(), "Done").await;
    page.has(&["href=\"/staff/stays/BK-0042\">See the folio"]);
    let lines = hotel.sandbox().records("Payment_Transaction__c");
    let line = lines.last().unwrap();
    assert_eq!(line["Amount__c"], 12.5, "{line}");
    let number = line["Name"].as_str().unwrap();
    let folio = "/staff/charges?guest_email=beth.gibbs%40email.com&booking_number=BK-0042";
    let page = desk.open(folio).await;
    page.has(&[&format!("Void {number}")]);
    let fields = format!("booking=BK-0042&charge_number={number}");
    let page = desk.submit("charge_check", &fields).await;
    page.has(&["Void this charge?"]);
    let sent = desk.post("post_charge", "idempotency_token=t2").await;
    desk.until(&sent.to(), "Done").await;
    let line = hotel.record("Payment_Transaction__c", "Name", number);
    assert_eq!(line["Status__c"], "Cancelled");
    let page = desk.open(folio).await;
    page.has(&["cancelled"]);
    page.lacks(&[&format!("Void {number}")]);
    let sent = desk.post("post_charge", "idempotency_token=t3").await;
    assert_eq!(sent.to(), "/staff/charges");
    hotel.close().await;
}
