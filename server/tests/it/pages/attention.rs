//! Open items for staff: on every staff page until handled, never on a guest page.

use super::check_out::{check_out, refuse_writes};
use crate::test_hotel::TestHotel;

/// Position of the last message that the page's strip shows.
fn seen(page: &str) -> String {
    let (_, seen) = page.split_once("name=\"seen\" value=\"").unwrap();
    seen.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn every_staff_page_counts_open_items_and_today_lists_them() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let page = desk.open("/staff").await;
    page.lacks(&["Emergency", "class=\"strip\"", "charged and not refunded"]);
    refuse_writes(&hotel);
    let nora = hotel.browser().guest("nora.o'brien@example.com").await;
    let stuck = check_out(&nora, "pm_card_createDispute").await;
    nora.until(&stuck, "Our front desk is looking into it")
        .await;
    hotel.heal().await;
    let marcus = hotel.browser().guest("marcus.reed@example.com").await;
    let fields = "text=I+want+to+speak+to+a+person&idempotency_token=t1";
    marcus.post("concierge_say", fields).await;
    // Danger in the request form is no request, whatever else is wrong with the form
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let cases = hotel.sandbox().records("Case").len();
    let fields = "description=There+is+a+fire+%3Cb%3Ehere%3C%2Fb%3E&idempotency_token=t2";
    let panel = "You have reported an emergency";
    beth.open("/guest/account").await.lacks(&[panel]);
    let sent = beth.post("ask", fields).await;
    beth.open("/guest/account").await.has(&[panel]);
    let conversation = sent.to();
    assert!(conversation.starts_with("/guest/concierge/cnv_"));
    let conversation = conversation.rsplit('/').next().unwrap();
    let today = desk.until("/staff", "Emergency: ").await;
    today.has(&[
        ") Today",
        "Beth Gibbs, room 302",
        "There is a fire &lt;b&gt;here&lt;/b&gt;",
        &format!("href=\"/staff/concierge/{conversation}\""),
        "Answer now",
        "action=\"/form/concierge_handled\"",
        " of Nora O'Brien, room 104, charged and not refunded",
        &stuck.replace("/guest/execution/", "/staff/executions/"),
        "1 guest is waiting for a reply in the chat",
        "data-alarm=\"1\"",
        "data-sound=\"alarm\"",
    ]);
    // What waits for people comes first; that this browser blocks the sound is told on the page
    let at = |part: &str| today.text.find(part).unwrap();
    assert!(at("class=\"strip\"") < at("<main") && at("<main") < at("data-sound-off"));
    desk.until("/staff", "href=\"tel:").await;
    // Looked up once for all pages of the next half minute
    let queries = || {
        let calls = hotel.sandbox().calls();
        let queries = calls.iter().filter(|call| call.operation == "query");
        queries.count()
    };
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let before = queries();
    for _ in 0..10 {
        desk.open("/staff/account").await.has(&["href=\"tel:"]);
    }
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let more = queries() - before;
    assert!(more < 5, "{more} queries for ten pages");
    // The case that follows is people's, and urgent
    let mut made = 0;
    while made == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        made = hotel.sandbox().records("Case").len() - cases;
    }
    // Elsewhere what cannot wait
    let account = desk.open("/staff/account").await;
    account.has(&[
        "Emergency: ",
        "data-events=\"/staff/attention/events\"",
        "class=\"count\"",
    ]);
    account.lacks(&["charged and not refunded"]);
    // An answer does not end it, and what the guest writes next sounds again
    let answer = format!("conversation={conversation}&text=We+are+coming.&idempotency_token=t3");
    desk.post("concierge_say", &answer).await;
    let page = desk.until("/staff/account", "Open the chat").await;
    page.has(&["Emergency: ", "data-alarm=\"0\"", " ago, answered"]);
    let drawn_before = seen(&page.text);
    // An emergency that the guest wrote in again is read first
    let again = format!("conversation={conversation}&text=She+fell&idempotency_token=t4");
    beth.post("concierge_say", &again).await;
    let page = desk.until("/staff", "then “She fell”, ").await;
    let (_, waiting) = page.text.split_once("then “She fell”, ").unwrap();
    let waiting = waiting.split("</p>").next().unwrap();
    assert!(waiting.contains("waiting for "), "{waiting}");
    let seen = seen(&page.text);
    let thread = format!("/staff/concierge/{conversation}");
    let before = format!("&seen={drawn_before}");
    for unread in [&before, "&seen=0", "&seen=", ""] {
        let handled = format!("conversation={conversation}{unread}");
        let sent = desk.post("concierge_handled", &handled).await;
        assert_eq!(sent.to(), thread, "{unread}");
    }
    desk.sees(&thread, &["The guest has written again"]).await;
    let handled = format!("conversation={conversation}&seen={seen}&back=%2Fstaff");
    let page = desk.submit("concierge_handled", &handled).await;
    page.has(&["The emergency is marked as handled.", "Open the chat"]);
    page.lacks(&["Emergency: "]);
    // The money: one click to where it is tried again, and back to Today
    let record = stuck.replace("/guest/execution/", "/staff/executions/");
    let act = format!("{record}/act/retry_now?back=%2Fstaff");
    page.has(&[&format!("href=\"{act}\""), "Try again now: Nora O'Brien"]);
    let page = desk.open(&act).await;
    page.has(&[
        "name=\"back\" value=\"/staff\"",
        "aria-describedby=\"effect reason-hint\"",
        "autofocus",
    ]);
    let id = record.rsplit('/').next().unwrap();
    let again = format!(
        "execution_id={id}&resolution=retry_now&reason=Again&back=%2Fstaff&idempotency_token=t5"
    );
    assert_eq!(desk.post("resolve", &again).await.to(), "/staff");
}

#[tokio::test]
async fn staff_read_that_a_message_may_be_an_emergency() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    let smell = "description=There%27s+a+weird+chemical+smell&idempotency_token=t1";
    let conversation = beth.post("ask", smell).await.to();
    let conversation = conversation.rsplit('/').next().unwrap();
    let page = beth.open(&format!("/guest/concierge/{conversation}")).await;
    page.has(&["If anyone may be in danger", "href=\"tel:911\""]);
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let page = desk.until("/staff", "Beth Gibbs, room 302").await;
    page.has(&["May be an emergency: ", "data-alarm=\"1\"", "Answer now"]);
    let page = desk.open("/staff/conversations").await;
    page.has(&["May be an emergency"]);
    let thread = format!("/staff/concierge/{conversation}");
    let page = desk.open(&thread).await;
    page.has(&["May be an emergency. Call the guest, or answer here."]);
}

#[tokio::test]
async fn an_outage_is_shown_inside_a_working_page() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let beth = hotel.browser().guest("beth.gibbs@email.com").await;
    desk.open("/staff").await;
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let page = desk.open("/staff/cases").await;
    assert_eq!(page.status, 503);
    page.has(&["href=\"/staff/cases\"", "role=\"search\"", "talk-open"]);
    let page = desk
        .until("/staff/cases", "Salesforce is not responding.")
        .await;
    page.has(&["data-silent="]);
    let page = beth.open("/guest/requests").await;
    page.has(&["Our booking system is not answering"]);
    page.lacks(&["Salesforce"]);
}
