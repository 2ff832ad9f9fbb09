//! Filters and saved views of the staff's lists.

use super::check_out::check_out;
use crate::prelude::*;

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
        &format!(
            "href=\"{}\"",
            done.replace("/guest/execution/", "/staff/executions/")
        ),
        "value=\"302\"",
        "Filter: 2 set",
    ]);
    page.lacks(&[&other.replace("/guest/execution/", "/staff/executions/")]);
    let page = desk.open("/staff/executions?from=lately").await;
    page.has(&["That could not be looked up", "href=\"#from\""]);

    desk.misses("/staff/executions", &["Save this view"]).await;
    let page = desk.open("/staff/executions?state=retrying").await;
    page.has(&["Save this view", "value=\"state=retrying\""]);
    let fields = "page=%2Fstaff%2Fexecutions&query=state%3Dretrying&view_name=";
    let sent = desk.post("save_view", fields).await;
    assert_eq!(sent.to(), "/staff/executions?state=retrying");
    desk.open(&sent.to()).await.has(&["Write a name"]);
    desk.post("save_view", &format!("{fields}Slow+ones")).await;
    let page = desk.open("/staff/executions").await;
    page.has(&["Saved views", "Slow ones"]);
    // Views are per list
    desk.open("/staff/payments").await.lacks(&["Slow ones"]);
    let fields = "page=%2Fstaff%2Fexecutions&name=Slow+ones&back=%2Fstaff%2Fexecutions";
    let page = desk.submit("delete_view", fields).await;
    page.lacks(&["Slow ones"]);
    let fields = "page=https%3A%2F%2Fevil.example&query=&view_name=x";
    assert_eq!(desk.post("save_view", fields).await.to(), "/staff");
}
