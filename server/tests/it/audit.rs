//! Audit log of calls: its contents, who may read it, and how tampering is detected.

use std::time::Duration;

use dewy_domain::caller::Persona;
use dewy_store::{CallFilter, FoundCall};
use serde_json::json;
use sqlx::Connection;

use crate::{
    mcp::{Era, Mcp},
    rest::Rest,
    test_hotel::{TestHotel, dewy},
};

const BETH: &str = "beth.gibbs@email.com";
const FRONT_DESK: &str = "frontdesk@dewy.example";

/// Waits for this many recorded calls; newest first.
pub async fn recorded(hotel: &TestHotel, number: usize) -> Vec<FoundCall> {
    let filter = CallFilter {
        limit: 1000,
        ..CallFilter::default()
    };
    for _ in 0..60 {
        let found = hotel.server.store.calls(&filter).await.unwrap();
        if found.len() >= number {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!(
        "not all calls were recorded: {:?}",
        hotel.server.store.calls(&filter).await.unwrap()
    );
}

#[tokio::test]
async fn every_call_is_audited_with_its_details() {
    let hotel = TestHotel::open().await;
    let token = hotel.token(Persona::Guest, BETH).await;
    let beth = Rest::new(&hotel.server.public_url, "guest", &token);
    let read = beth.call("get_folio", None, &json!({})).await;
    let refused = beth
        .call(
            "post_charge",
            Some("x"),
            &json!({ "guest_email": "wei.chen@example.com" }),
        )
        .await;
    assert_eq!(refused.status_and_code(), (404, "UNKNOWN_TOOL"));
    assert_eq!(beth.call("open_sesame", None, &json!({})).await.status, 404);
    let unread = beth
        .post("get_folio")
        .header("content-type", "application/json")
        .body("{")
        .send()
        .await
        .unwrap();
    assert_eq!(unread.status(), 400);
    let paid = beth
        .call(
            "process_guest_checkout",
            Some("k"),
            &json!({ "amount": 25000 }),
        )
        .await;
    let execution = paid.body["execution_id"].as_str().unwrap().to_owned();
    let replayed = beth
        .call(
            "process_guest_checkout",
            Some("k"),
            &json!({ "amount": 25000 }),
        )
        .await;
    assert_eq!(replayed.body["replayed"], true);
    let desk = hotel.staff_mcp(FRONT_DESK).await;
    desk.call(
        Era::Modern,
        "get_folio",
        json!({ "guest_email": "Nora.O'Brien@example.com" }),
    )
    .await;
    let (_, unknown) = desk
        .send(
            Era::Modern,
            "tools/call",
            json!({ "name": "drop", "arguments": {} }),
        )
        .await;
    assert_eq!(unknown["error"]["code"], -32602);
    let browser = hotel.browser().guest("wei.chen@example.com").await;
    assert_eq!(browser.open("/guest/folio").await.status, 200);

    let calls = recorded(&hotel, 9).await;
    let report: Vec<_> = calls
        .iter()
        .rev()
        .map(|c| {
            (
                c.call.interface.as_str(),
                c.call.tool.as_str(),
                c.call.status,
                c.call.outcome.as_str(),
            )
        })
        .collect();
    assert_eq!(
        report,
        [
            ("rest", "get_folio", 200, "OK"),
            ("rest", "post_charge", 404, "UNKNOWN_TOOL"),
            ("rest", "unknown", 404, "UNKNOWN_TOOL"),
            ("rest", "get_folio", 400, "VALIDATION_FAILED"),
            ("rest", "process_guest_checkout", 200, "OK"),
            ("rest", "process_guest_checkout", 200, "OK"),
            ("mcp", "get_folio", 200, "OK"),
            ("mcp", "unknown", 404, "UNKNOWN_TOOL"),
            ("form", "get_folio", 400, "MULTIPLE_BOOKINGS"),
        ]
    );
    let by_place = |place: usize| &calls[calls.len() - 1 - place];
    let first = by_place(0);
    assert_eq!(
        first.call.request.as_deref(),
        Some(read.header("x-request-id"))
    );
    let id = hotel
        .server
        .store
        .tokens()
        .await
        .unwrap()
        .into_iter()
        .find(|t| t.token.persona == "guest")
        .unwrap()
        .id();
    assert_eq!(first.call.credential, Some(format!("token:{id}")));
    assert_eq!(first.caller_email.as_deref(), Some(BETH));
    assert_eq!(
        by_place(1).guest_email.as_deref(),
        Some("wei.chen@example.com")
    );
    for place in [4, 5] {
        assert_eq!(
            by_place(place)
                .call
                .execution
                .map(|id| id.to_string())
                .as_deref(),
            Some(execution.as_str())
        );
    }
    assert_eq!(by_place(6).call.caller, "staff:frontdesk@dewy.example");
    assert_eq!(
        by_place(6).guest_email.as_deref(),
        Some("nora.o'brien@example.com")
    );
    assert!(
        by_place(8)
            .call
            .credential
            .as_deref()
            .unwrap()
            .starts_with("session:")
    );
    // The call of a saga is with the execution as well.
    let record = dewy_saga::Journal::load(&hotel.server.store, execution.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(record.input["_by"]["credential"], format!("token:{id}"));
    assert_eq!(record.input["_by"]["request"], paid.header("x-request-id"));
    hotel.close().await;
}

#[tokio::test]
async fn concierge_reads_are_audited_as_the_callers() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    beth.send(
        "/form/concierge_say",
        &[("text", "What do I owe?"), ("idempotency_token", "one")],
    )
    .await;
    let calls = recorded(&hotel, 2).await;
    let read = calls
        .iter()
        .find(|found| found.call.tool == "get_folio" && found.call.interface == "chat")
        .unwrap();
    assert_eq!((read.call.status, read.call.outcome.as_str()), (200, "OK"));
    assert_eq!(read.caller_email.as_deref(), Some(BETH));
    hotel.close().await;
}

#[tokio::test]
async fn a_disconnected_caller_is_audited() {
    let hotel = TestHotel::open().await;
    let beth = Rest::new(
        &hotel.server.public_url,
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    // A token in use: whose it is need not be looked up
    beth.call("get_execution", None, &json!({ "execution_id": "exe_0" }))
        .await;
    hotel.fault("salesforce", "query", "slow", 1, 1500).await;
    let request = beth
        .post("get_folio")
        .header("content-type", "application/json")
        .body("{}");
    assert!(
        request
            .timeout(Duration::from_millis(300))
            .send()
            .await
            .is_err()
    );
    let calls = recorded(&hotel, 2).await;
    assert_eq!(
        (calls[0].call.tool.as_str(), calls[0].call.outcome.as_str()),
        ("get_folio", "GONE")
    );
    hotel.close().await;
}

/// Pending audit rows are written at shutdown, and the next process continues the hash chain.
#[tokio::test]
async fn no_calls_are_lost_at_shutdown() {
    let hotel = TestHotel::open().await;
    let beth = Rest::new(
        &hotel.server.public_url,
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    let input = json!({ "execution_id": "exe_0" });
    let calls = (0..200).map(|_| beth.call("get_execution", None, &input));
    futures::future::join_all(calls).await;
    let hotel = TestHotel::reopen(hotel.close_and_keep().await, &[]).await;
    assert_eq!(recorded(&hotel, 200).await.len(), 200);
    let beth = Rest::new(
        &hotel.server.public_url,
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    beth.call("get_folio", None, &json!({})).await;
    recorded(&hotel, 201).await;
    let report = hotel.server.store.verify_all().await.unwrap();
    assert_eq!(
        (report.call_chains, report.calls, report.faults.len()),
        (2, 201, 0)
    );
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/audit").await;
    page.has(&["More results match. These are the newest 100."]);
    hotel.close().await;
}

/// Whether the command succeeds, and what it prints.
fn run(environment: &[(String, String)], arguments: &[&str]) -> (bool, String, String) {
    let out = dewy(environment.to_vec(), arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.success(), text(out.stdout), text(out.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_names_the_first_invalid_row() {
    let hotel = TestHotel::open().await;
    let beth = Rest::new(
        &hotel.server.public_url,
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    beth.call(
        "process_guest_checkout",
        Some("k"),
        &json!({ "amount": 25000 }),
    )
    .await;
    beth.call("get_folio", None, &json!({})).await;
    recorded(&hotel, 2).await;
    assert!(
        hotel
            .server
            .store
            .write_audit_checkpoint(crate::test_hotel::now())
            .await
            .unwrap()
            >= 2
    );
    let environment = hotel.environment();
    let (fine, out, err) = run(&environment, &["audit", "verify"]);
    assert!(fine, "{out}{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(
        lines[0].starts_with("executions") && lines[1].starts_with("calls       2 in"),
        "{out}"
    );
    assert!(
        lines[2].starts_with("checkpoints")
            && lines.iter().all(|line| line.contains("all consistent")),
        "{out}"
    );

    let url = &environment
        .iter()
        .find(|(name, _)| name == "DATABASE_URL")
        .unwrap()
        .1;
    let mut behind = sqlx::SqliteConnection::connect(url).await.unwrap();
    let mut tamper = async |sql: &'static str| {
        assert!(
            sqlx::query(sql)
                .execute(&mut behind)
                .await
                .unwrap()
                .rows_affected()
                > 0,
            "{sql}"
        );
        let (fine, out, err) = run(&environment, &["audit", "verify"]);
        assert!(!fine, "{sql}: {out}");
        format!("{out}{err}")
    };
    let report = tamper("update tool_call set outcome = 'GONE' where tool = 'get_folio'").await;
    assert!(
        report.contains("was changed")
            && report.contains("calls of w_")
            && report.contains("call "),
        "{report}"
    );
    let report = tamper(
        "update journal set event = replace(event, '25000', '1') where event like '%25000%'",
    )
    .await;
    assert!(
        report.contains("the first bad row: exe_") && report.contains("journal row"),
        "{report}"
    );
    hotel.close().await;
}

#[tokio::test]
async fn managers_filter_and_download_the_audit_log() {
    let hotel = TestHotel::open().await;
    let desk = Mcp::new(
        &hotel.server.public_url,
        "staff",
        &hotel.token(Persona::Staff, FRONT_DESK).await,
    );
    for guest in [BETH, "nora.o'brien@example.com"] {
        desk.call(Era::Modern, "get_folio", json!({ "guest_email": guest }))
            .await;
    }
    desk.call(
        Era::Modern,
        "get_folio",
        json!({ "guest_email": "=cmd|'/C'!A0@example.com" }),
    )
    .await;
    let refused = desk
        .call(
            Era::Modern,
            "get_folio",
            json!({ "guest_email": BETH, "room_number": "999" }),
        )
        .await;
    assert_eq!(refused["isError"], true);
    recorded(&hotel, 4).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/audit").await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.has(&[
        "aria-current=\"page\" data-go=\"a\">Audit",
        "frontdesk@dewy.example",
        "brien@example.com",
        "BOOKING_NOT_FOUND",
        "tok_",
        "href=\"/staff/audit.csv\"",
    ]);
    let filtered = "/staff/audit?who=frontdesk%40dewy.example&tool=post_charge";
    let page = manager.open(filtered).await;
    page.has(&[
        "No calls match these filters",
        "/staff/audit.csv?who=frontdesk%40dewy.example&amp;tool=post_charge",
    ]);
    let page = manager.open("/staff/audit").await;
    let rows = |text: &str| text.matches("<tr").count() - 1;
    assert_eq!(rows(&page.text), 4);
    for (filter, number) in [
        ("who=beth.gibbs%40email.com", 2),
        ("who=frontdesk%40dewy.example", 4),
        ("who=nobody%40example.com", 0),
        ("outcome=REFUSED", 2),
        ("outcome=OK&interface=mcp", 2),
        ("interface=rest", 0),
        ("tool=get_folio", 4),
        ("tool=post_charge", 0),
        ("to=2020-01-01", 0),
    ] {
        let page = manager.open(&format!("/staff/audit?{filter}")).await;
        assert_eq!(
            page.text.matches("<tr").count().saturating_sub(1),
            number,
            "{filter}"
        );
        let file = manager.open(&format!("/staff/audit.csv?{filter}")).await;
        assert_eq!(
            (file.status, file.text.lines().count()),
            (200, number + 1),
            "{filter} {}",
            file.text
        );
    }
    let wrong = manager
        .open("/staff/audit?from=lately&execution=nine")
        .await;
    assert!(
        wrong.text.contains("#from") && wrong.text.contains("#execution"),
        "{}",
        wrong.text
    );
    assert_eq!(
        manager.open("/staff/audit.csv?from=lately").await.status,
        400
    );
    let file = manager.open("/staff/audit.csv").await;
    assert!(file.header("content-type").starts_with("text/csv"));
    assert!(file.header("content-disposition").contains("audit.csv"));
    assert!(file.text.contains("\"'=cmd|"), "{}", file.text);

    for list in ["executions", "compensations"] {
        let file = manager.open(&format!("/staff/{list}.csv")).await;
        assert!(
            file.header("content-type").starts_with("text/csv"),
            "{list} {}",
            file.text
        );
        assert!(
            file.header("content-disposition")
                .contains(&format!("{list}.csv"))
        );
        assert_eq!(
            manager
                .open(&format!("/staff/{list}.csv?from=lately"))
                .await
                .status,
            400,
            "{list}"
        );
    }
    let file = manager.open("/staff/executions.csv?state=completed").await;
    assert!(
        file.text
            .lines()
            .skip(1)
            .all(|line| line.contains(",completed,")),
        "{}",
        file.text
    );
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    assert_eq!(
        crew.open("/staff/executions.csv").await.status,
        404,
        "what is not theirs is not there"
    );

    let desk = hotel.browser().staff(FRONT_DESK).await;
    assert_eq!(desk.open("/staff/audit").await.status, 403);
    assert_eq!(desk.open("/staff/audit.csv").await.status, 403);
    assert_eq!(hotel.browser().open("/staff/audit.csv").await.status, 303);
    hotel.close().await;
}

#[tokio::test]
async fn cases_guests_and_payments_download_with_page_filters() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    let records = |text: &str| text.lines().count() - 1;

    for filter in [
        "",
        "?queue=maintenance",
        "?priority=Urgent",
        "?status=All&room=108",
        "?assignee=me",
        "?status=Closed",
    ] {
        let page = manager.open(&format!("/staff/cases{filter}")).await;
        let file = manager.open(&format!("/staff/cases.csv{filter}")).await;
        let listed = page.text.matches("href=\"/staff/cases/0").count();
        assert_eq!(
            (file.status, records(&file.text)),
            (200, listed),
            "{filter} {}",
            file.text
        );
        let link = format!("/staff/cases.csv{}", filter.replace('&', "&amp;"));
        assert!(page.text.contains(&link), "{filter}");
    }
    assert!(
        records(&manager.open("/staff/cases.csv").await.text) > 3,
        "the seed has some"
    );
    assert!(
        manager
            .open("/staff/cases.csv")
            .await
            .text
            .lines()
            .next()
            .unwrap()
            .contains("guest_email")
    );
    assert_eq!(
        manager.open("/staff/cases.csv?status=Gone").await.status,
        400
    );
    let theirs = crew.open("/staff/cases.csv").await;
    let all = crew.open("/staff/cases.csv?queue=all").await;
    assert!(
        theirs
            .text
            .lines()
            .skip(1)
            .all(|line| line.contains(",Housekeeping,")),
        "{}",
        theirs.text
    );
    assert!(records(&all.text) > records(&theirs.text));
    assert!(
        !all.text.contains("guest") && !all.text.contains("@example.com"),
        "{}",
        all.text
    );

    let file = manager.open("/staff/guests.csv?query=chen").await;
    assert!(file.text.contains("wei.chen@example.com"), "{}", file.text);
    assert!(file.header("content-disposition").contains("guests.csv"));
    assert!(
        manager
            .open("/staff/guests?query=chen")
            .await
            .text
            .contains("/staff/guests.csv?query=chen")
    );
    assert_eq!(
        manager.open("/staff/guests.csv").await.status,
        400,
        "nobody was asked for"
    );
    assert_eq!(crew.open("/staff/guests.csv?query=chen").await.status, 404);

    let beth = Rest::new(
        &hotel.server.public_url,
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    let paid = beth
        .call(
            "process_guest_checkout",
            Some("k"),
            &json!({ "amount": 25000 }),
        )
        .await;
    assert_eq!(paid.status_and_code().0, 200, "{}", paid.body);
    let file = manager.open("/staff/payments.csv").await;
    assert_eq!(
        (file.status, records(&file.text)),
        (200, 1),
        "{}",
        file.text
    );
    assert!(
        file.text.contains("$250.00") && file.text.contains(",usd,agree,"),
        "{}",
        file.text
    );
    assert!(
        manager
            .open("/staff/payments")
            .await
            .text
            .contains("/staff/payments.csv")
    );
    assert_eq!(
        records(
            &manager
                .open("/staff/payments.csv?only=different")
                .await
                .text
        ),
        0
    );
    assert_eq!(
        records(&manager.open("/staff/payments.csv?to=2020-01-31").await.text),
        0
    );
    let wrong = manager.open("/staff/payments.csv?from=soon").await;
    assert_eq!(
        (wrong.status, wrong.text.starts_with("from: ")),
        (400, true),
        "{}",
        wrong.text
    );
    assert_eq!(
        crew.open("/staff/payments.csv").await.status,
        404,
        "what is not theirs is not there"
    );
    for list in ["cases", "guests", "payments"] {
        assert_eq!(
            hotel
                .browser()
                .open(&format!("/staff/{list}.csv"))
                .await
                .status,
            303,
            "{list}"
        );
    }
    hotel.close().await;
}
