//! Pages for staff.

use axum::http::StatusCode;
use serde_json::json;

use super::Visitor;

#[tokio::test]
async fn staff_see_the_record_and_guests_do_not() {
    let visitor = Visitor::new();
    visitor.house.plant("exe_3", "pm_card_amex");
    visitor.sign_in("beth.gibbs%40email.com").await;
    assert_eq!(
        visitor.get("/staff/executions/exe_3").await.location,
        "/staff/sign-in?next=%2Fstaff%2Fexecutions%2Fexe_3"
    );
    visitor.post("sign_out", "").await;
    assert_eq!(
        visitor
            .post(
                "enter_password",
                "email=manager%40dewy.example&password=no&next="
            )
            .await
            .location,
        "/staff/sign-in"
    );
    assert!(
        visitor
            .get("/staff/sign-in")
            .await
            .text
            .contains("do not match")
    );
    let page = visitor
        .post(
            "enter_password",
            "email=manager%40dewy.example&password=dewy-demo&next=%2Fstaff%2Fexecutions%2Fexe_3",
        )
        .await;
    assert_eq!(page.location, "/staff/executions/exe_3");
    let page = visitor.get(&page.location).await;
    for words in [
        "Why this was not put back",
        "Status__c",
        "FOREIGN_EDIT",
        "refund:pi_1:0",
        "Event 7",
        "re_3Q0000Beth",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(
        visitor
            .get("/staff/executions?state=needs_attention")
            .await
            .text
            .contains("exe_3")
    );
    assert!(
        visitor
            .get("/staff/executions?state=retrying")
            .await
            .text
            .contains("No execution fits these filters")
    );
}

async fn desk() -> Visitor {
    let visitor = Visitor::new();
    for (id, card) in [
        ("exe_1", "pm_card_visa"),
        ("exe_2", "pm_card_amex"),
        ("exe_3", "pm_card_refundFail"),
    ] {
        visitor.house.plant(id, card);
    }
    visitor.sign_in_staff("manager%40dewy.example").await;
    visitor
}

#[tokio::test]
async fn filters_are_in_the_address_and_what_is_wrong_with_them_is_said() {
    let desk = desk().await;
    let page = desk
        .get("/staff/executions?state=completed&tool=&guest_email=&room_number=302&from=2026-11-20")
        .await;
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.tool, "search_executions");
    assert_eq!(
        call.input,
        json!({ "state": "completed", "room_number": "302", "from": "2026-11-20" })
    );
    assert!(
        page.text.contains("href=\"/staff/executions/exe_1\"")
            && !page.text.contains("/staff/executions/exe_2")
    );
    assert!(page.text.contains("value=\"302\"") && page.text.contains("Filter: 2 set"));
    let page = desk.get("/staff/executions?from=lately").await;
    assert!(
        page.text.contains("That could not be looked up") && page.text.contains("href=\"#from\"")
    );
}

#[tokio::test]
async fn what_waits_for_another_release_is_listed_with_the_reason() {
    let desk = desk().await;
    let page = desk.get("/staff/attention").await;
    assert!(!page.text.contains("Waiting for another release"));
    desk.house.leave_alone("exe_1");
    let page = desk.get("/staff/attention").await;
    for words in [
        "Waiting for another release",
        "href=\"/staff/executions/exe_1\"",
        "does not know version 2",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
}

#[tokio::test]
async fn a_pause_of_check_outs_is_explained_and_a_manager_lifts_it() {
    for (email, lifts) in [
        ("frontdesk%40dewy.example", false),
        ("manager%40dewy.example", true),
    ] {
        let desk = Visitor::new();
        desk.sign_in_staff(email).await;
        assert!(
            !desk
                .get("/staff/attention")
                .await
                .text
                .contains("Check-outs are paused")
        );
        desk.house.pause();
        let page = desk.get("/staff/attention").await;
        for words in [
            "Check-outs are paused",
            "Rooms are inspected before check-out.",
            "/staff/executions/exe_1",
        ] {
            assert!(page.text.contains(words), "{words}");
        }
        assert_eq!(
            page.text.contains("Let check-outs through"),
            lifts,
            "{email}"
        );
        desk.post("lift_checkout_pause", "").await;
        assert_eq!(
            desk.get("/staff/attention")
                .await
                .text
                .contains("Check-outs are paused"),
            !lifts,
            "{email}"
        );
    }
}

#[tokio::test]
async fn what_needs_a_person_says_why_how_much_and_what_to_do() {
    let desk = desk().await;
    let page = desk.get("/staff/attention").await;
    for words in [
        "2 items need attention, oldest first.",
        "Stripe refused the refund, so nothing was put back",
        "at stake",
        "/staff/executions/exe_3/act/retry_now",
        "given back, nothing at stake",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(!page.text.contains("could not be sent"));
    desk.house.fail_text("exe_9");
    let page = desk.get("/staff/attention").await;
    for words in [
        "2 items need attention, oldest first.",
        "One text could not be sent",
        "/staff/executions?state=needs_attention&amp;tool=send_text",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let empty = Visitor::new();
    empty.sign_in_staff("manager%40dewy.example").await;
    assert!(
        empty
            .get("/staff/attention")
            .await
            .text
            .contains("Nothing needs attention.")
    );
}

#[tokio::test]
async fn compensations_show_the_sweep_and_who_asked() {
    let desk = desk().await;
    let page = desk
        .get("/staff/compensations?status=needs_attention")
        .await;
    assert_eq!(
        desk.house.calls().pop().unwrap().input,
        json!({ "status": "needs_attention" })
    );
    for words in [
        "Orphans found",
        "the check-out itself",
        "the sweep",
        "Give a day with from and to.",
        "/staff/refund",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
}

#[tokio::test]
async fn an_act_says_beforehand_what_it_does_and_wants_a_reason() {
    let desk = desk().await;
    let record = desk.get("/staff/executions/exe_3").await;
    assert!(
        record
            .text
            .contains("Stripe is asked once more to give $250.00 back")
    );
    assert!(record.text.contains("Not for you: ") && !record.text.contains("act/finish_forward\""));
    let page = desk.get("/staff/executions/exe_3/act/retry_now").await;
    assert!(page.text.contains("Stripe is asked once more") && page.text.contains("$250.00 kept"));
    let fields = "execution_id=exe_3&resolution=retry_now&idempotency_token=token-7&reason=";
    let page = desk.post("resolve", &format!("{fields}+")).await;
    assert_eq!(page.location, "/staff/executions/exe_3/act/retry_now");
    let page = desk.get(&page.location).await;
    assert!(
        page.text.contains("Say why, in a few words") && page.text.contains("value=\"token-7\"")
    );
    let page = desk
        .post("resolve", &format!("{fields}Stripe+is+back"))
        .await;
    assert!(
        page.location.starts_with("/staff/executions/exe_0"),
        "{}",
        page.location
    );
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.tool, "resolve_execution");
    assert_eq!(
        call.input,
        json!({ "execution_id": "exe_3", "resolution": "retry_now", "reason": "Stripe is back" })
    );
    assert!(
        desk.get("/staff/executions/exe_1/act/retry_now")
            .await
            .text
            .contains("not possible any more")
    );
    let barred = desk.get("/staff/executions/exe_3/act/finish_forward").await;
    assert!(
        barred.text.contains("a manager has to do it") && !barred.text.contains("/form/resolve")
    );
}

#[tokio::test]
async fn the_money_is_checked_against_stripe_without_a_script() {
    let desk = desk().await;
    assert!(
        desk.get("/staff/executions/exe_3")
            .await
            .text
            .contains("Stripe says the same")
    );
    assert!(
        desk.get("/staff/executions/exe_2")
            .await
            .text
            .contains("Stripe says otherwise")
    );
    // The island only learns whether it is outdated
    let live = desk.get("/staff/executions/exe_2?live=1").await;
    assert!(live.text.contains("data-late") && !live.text.contains("Stripe says"));
    assert_eq!(
        desk.get("/staff/executions/exe_none").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_refund_is_read_back_before_it_is_sent() {
    let desk = desk().await;
    let page = desk
        .post(
            "refund_check",
            "payment_intent_id=ch_1&guest_email=Beth&reason=",
        )
        .await;
    let page = desk.get(&page.location).await;
    for words in [
        "it begins with pi_",
        "#guest_email",
        "#reason",
        "value=\"ch_1\"",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let fields = "payment_intent_id=pi_1&guest_email=Beth.Gibbs%40email.com&reason=Twice";
    let page = desk.post("refund_check", fields).await;
    assert_eq!(page.location, "/staff/refund?step=confirm");
    let page = desk.get(&page.location).await;
    assert!(
        page.text.contains("Refund this payment?") && page.text.contains("beth.gibbs@email.com")
    );
    assert!(
        desk.house
            .calls()
            .iter()
            .all(|call| call.tool != "compensate_checkout_failure")
    );
    let page = desk
        .post("refund", &format!("{fields}&idempotency_token=token-3"))
        .await;
    assert!(page.location.starts_with("/staff/executions/exe_"));
    let page = desk
        .post(
            "refund",
            "payment_intent_id=pi_done&guest_email=a%40b.c&reason=x&idempotency_token=t",
        )
        .await;
    assert_eq!(page.location, "/staff/refund");
    let page = desk.get("/staff/refund").await;
    assert!(
        page.text.contains("Nothing was refunded")
            && page.text.contains("was completed")
            && page.text.contains("pi_done")
    );
    assert_eq!(
        Visitor::new().post("refund", fields).await.location,
        "/staff/sign-in?next=%2Fstaff%2Frefund"
    );
}

#[tokio::test]
async fn a_charge_is_exact_read_back_and_can_be_voided() {
    let desk = desk().await;
    let page = desk
        .post("charge_check", "room=&booking=&amount=12,50&description=")
        .await;
    let page = desk.get(&page.location).await;
    for words in [
        "Enter a room or a booking",
        "Enter an amount such as 12.50",
        "Say what it is for",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let page = desk
        .post(
            "charge_check",
            "room=302&booking=&amount=12.5&description=Minibar",
        )
        .await;
    let page = desk.get(&page.location).await;
    assert!(page.text.contains("Post $12.50 to Beth Gibbs"));
    let page = desk.post("post_charge", "idempotency_token=token-4").await;
    assert!(page.location.starts_with("/staff/executions/exe_"));
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "room_number": "302", "booking_number": "BK-0042", "amount": 1250, "description": "Minibar" }),
        "the guest who was read out, whoever moves in meanwhile"
    );
    let page = desk.get(&page.location).await;
    assert!(
        page.text.contains(
            "/staff/charges?guest_email=beth.gibbs%40email.com&amp;booking_number=BK-0042"
        )
    );
    let folio = desk
        .get("/staff/charges?guest_email=beth.gibbs%40email.com&booking_number=BK-0042")
        .await;
    assert!(folio.text.contains("Void PT-0008") && !folio.text.contains("Void PT-0007"));
    let page = desk
        .post("charge_check", "booking=BK-0042&charge_number=PT-0008")
        .await;
    assert!(
        desk.get(&page.location)
            .await
            .text
            .contains("Void this charge?")
    );
    desk.post("post_charge", "idempotency_token=token-5").await;
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "booking_number": "BK-0042", "charge_number": "PT-0008", "void": true })
    );
    assert_eq!(
        desk.post("post_charge", "idempotency_token=token-6")
            .await
            .location,
        "/staff/charges"
    );
}

#[tokio::test]
async fn other_roles_do_not_see_the_desks_pages() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("housekeeping%40dewy.example").await;
    for path in [
        "/staff/executions",
        "/staff/attention",
        "/staff/compensations",
        "/staff/refund",
        "/staff/charges",
    ] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}");
        assert!(!page.text.contains("aria-label=\"Desk\""));
    }
    assert_eq!(
        visitor.get("/staff/audit").await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(visitor.get("/staff/account").await.status, StatusCode::OK);
    let page = visitor.get("/staff/tokens").await;
    assert!(page.text.contains("These are yours") && page.text.contains("tok_1"));
    assert!(!page.text.contains("tok_3") && !page.text.contains("name=\"email\""));
}

#[tokio::test]
async fn calls_are_listed_with_filters_in_the_address() {
    let desk = desk().await;
    let page = desk.get("/staff/audit").await;
    for words in [
        "aria-current=\"page\" data-go=\"a\">Audit",
        "beth.gibbs@email.com, the guest",
        "wei.chen@example.com",
        "Unknown tool",
        "/staff/executions/exe_1",
        "tok_0123456789abcdef",
        "href=\"/staff/audit.csv\"",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let page = desk
        .get("/staff/audit?who=beth.gibbs%40email.com&tool=get_folio")
        .await;
    assert!(page.text.contains("There are more than these") && !page.text.contains("exe_1"));
    assert!(
        page.text
            .contains("/staff/audit.csv?who=beth.gibbs%40email.com&amp;tool=get_folio")
    );
    assert!(
        desk.get("/staff/audit?tool=post_charge")
            .await
            .text
            .contains("No call fits these filters")
    );
    let page = desk.get("/staff/audit?from=lately").await;
    assert!(
        page.text.contains("That could not be looked up") && page.text.contains("href=\"#from\"")
    );
}

#[tokio::test]
async fn a_token_is_shown_once_and_can_be_revoked() {
    let desk = desk().await;
    let fields = "name=Robot&persona=guest&email=beth%40email.com&role=&read_only=on";
    let page = desk
        .post("make_token", &format!("{fields}&days=soon"))
        .await;
    assert_eq!(page.location, "/staff/tokens");
    let page = desk.get("/staff/tokens").await;
    assert!(
        page.text.contains("#days")
            && page.text.contains("value=\"Robot\"")
            && page.text.contains("checked")
    );
    desk.post("make_token", &format!("{fields}&days=30")).await;
    assert!(
        desk.get("/staff/tokens")
            .await
            .text
            .contains("dewy_guest_Robot")
    );
    assert!(
        !desk
            .get("/staff/tokens")
            .await
            .text
            .contains("dewy_guest_Robot"),
        "once"
    );
    desk.post("make_token", "name=x&persona=staff&email=&role=king&days=1")
        .await;
    assert!(desk.get("/staff/tokens").await.text.contains("#role"));

    let page = desk.get("/staff/tokens").await;
    for words in [
        "Everybody",
        "Revoke Program tok_1",
        "reading only",
        "Expired",
        "on the command line",
    ] {
        assert!(
            page.text.to_lowercase().contains(&words.to_lowercase()),
            "{words}"
        );
    }
    assert!(
        !page.text.contains("Revoke Program tok_2"),
        "it has expired"
    );
    desk.post("revoke_token", "id=tok_1").await;
    let page = desk.get("/staff/tokens").await;
    assert!(page.text.contains("Revoked") && !page.text.contains("Revoke Program tok_1"));
}
