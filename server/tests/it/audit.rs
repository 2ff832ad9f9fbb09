//! Audit log of calls: its contents, who may read it, and how tampering is detected.

use dewy_store::{CallFilter, FoundCall};

use crate::{prelude::*, rest::RestAnswer};

/// Waits for this many recorded calls; newest first.
pub async fn recorded(hotel: &TestHotel, number: usize) -> Vec<FoundCall> {
    let filter = CallFilter {
        limit: 1000,
        ..CallFilter::default()
    };
    for _ in 0..600 {
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

async fn pay(beth: &Rest) -> RestAnswer {
    let order = json!({ "amount": 25000 });
    beth.call("process_guest_checkout", Some("k"), &order).await
}

#[tokio::test]
async fn every_call_is_audited_with_its_details() {
    let hotel = TestHotel::open().await;
    let beth = hotel.guest_rest(BETH).await;
    let read = beth.call("get_folio", None, &json!({})).await;
    let other = json!({ "guest_email": "wei.chen@example.com" });
    let refused = beth.call("post_charge", Some("x"), &other).await;
    assert_eq!(refused.status_and_code(), (404, "UNKNOWN_TOOL"));
    assert_eq!(beth.call("open_sesame", None, &json!({})).await.status, 404);
    let unread = beth.post("get_folio");
    let unread = unread
        .header("content-type", "application/json")
        .body("{")
        .send();
    assert_eq!(unread.await.unwrap().status(), 400);
    let paid = pay(&beth).await;
    let execution = paid.body["execution_id"].as_str().unwrap().to_owned();
    assert_eq!(pay(&beth).await.body["replayed"], true);
    let desk = hotel.staff_mcp(FRONT_DESK).await;
    let nora = json!({ "guest_email": "Nora.O'Brien@example.com" });
    desk.tool("get_folio", nora).await;
    let drop = json!({ "name": "drop", "arguments": {} });
    let (_, unknown) = desk.send(Era::Modern, "tools/call", drop).await;
    assert_eq!(unknown["error"]["code"], -32602);
    let browser = hotel.browser().guest("wei.chen@example.com").await;
    assert_eq!(browser.open("/guest/folio").await.status, 200);

    let calls = recorded(&hotel, 9).await;
    let line = |found: &FoundCall| {
        let call = &found.call;
        format!(
            "{} {} {} {}",
            call.interface, call.tool, call.status, call.outcome
        )
    };
    assert_eq!(
        calls.iter().rev().map(line).collect::<Vec<_>>(),
        [
            "rest get_folio 200 OK",
            "rest post_charge 404 UNKNOWN_TOOL",
            "rest unknown 404 UNKNOWN_TOOL",
            "rest get_folio 400 VALIDATION_FAILED",
            "rest process_guest_checkout 200 OK",
            "rest process_guest_checkout 200 OK",
            "mcp get_folio 200 OK",
            "mcp unknown 404 UNKNOWN_TOOL",
            "form get_folio 400 MULTIPLE_BOOKINGS",
        ]
    );
    let by_place = |place: usize| &calls[calls.len() - 1 - place];
    let request = by_place(0).call.request.as_deref();
    assert_eq!(request, Some(read.header("x-request-id")));
    let mut tokens = hotel.server.store.tokens().await.unwrap().into_iter();
    let token = tokens.find(|token| token.token.persona == "guest").unwrap();
    let credential = format!("token:{}", token.id());
    assert_eq!(by_place(0).call.credential.as_ref(), Some(&credential));
    assert_eq!(by_place(0).caller_email.as_deref(), Some(BETH));
    for (place, guest) in [(1, "wei.chen@example.com"), (6, "nora.o'brien@example.com")] {
        assert_eq!(by_place(place).guest_email.as_deref(), Some(guest));
    }
    for place in [4, 5] {
        let of = by_place(place).call.execution.map(|id| id.to_string());
        assert_eq!(of.as_ref(), Some(&execution));
    }
    assert_eq!(by_place(6).call.caller, "staff:frontdesk@dewy.example");
    let session = by_place(8).call.credential.as_deref().unwrap();
    assert!(session.starts_with("session:"));
    // The call of a saga is with the execution as well.
    let record = hotel.execution(execution.parse().unwrap()).await;
    assert_eq!(record.input["_by"]["credential"], credential);
    assert_eq!(record.input["_by"]["request"], paid.header("x-request-id"));
}

#[tokio::test]
async fn concierge_reads_are_audited_as_the_callers() {
    let hotel = TestHotel::open().await;
    let beth = hotel.browser().guest(BETH).await;
    beth.post(
        "concierge_say",
        "text=What+do+I+owe%3F&idempotency_token=one",
    )
    .await;
    // The guest's stays were read before it, for the facts that the model receives.
    let calls = recorded(&hotel, 3).await;
    let read = calls
        .iter()
        .find(|found| found.call.tool == "get_folio" && found.call.interface == "chat")
        .unwrap();
    assert_eq!((read.call.status, read.call.outcome.as_str()), (200, "OK"));
    assert_eq!(read.caller_email.as_deref(), Some(BETH));
}

#[tokio::test]
async fn a_disconnected_caller_is_audited() {
    let hotel = TestHotel::open().await;
    let beth = hotel.guest_rest(BETH).await;
    // A token in use: whose it is need not be looked up
    beth.call("get_execution", None, &json!({ "execution_id": "exe_0" }))
        .await;
    hotel.fault("salesforce", "query", "slow", 1, 1500).await;
    let request = beth.post("get_folio");
    let request = request
        .header("content-type", "application/json")
        .body("{}");
    let left = request.timeout(Duration::from_millis(300)).send().await;
    assert!(left.is_err());
    let calls = recorded(&hotel, 2).await;
    assert_eq!(
        (calls[0].call.tool.as_str(), calls[0].call.outcome.as_str()),
        ("get_folio", "GONE")
    );
}

/// Pending audit rows are written at shutdown, and the next process continues the hash chain.
#[tokio::test]
async fn no_calls_are_lost_at_shutdown() {
    let hotel = TestHotel::open().await;
    let beth = hotel.guest_rest(BETH).await;
    let input = json!({ "execution_id": "exe_0" });
    let calls = (0..200).map(|_| beth.call("get_execution", None, &input));
    futures::future::join_all(calls).await;
    let hotel = TestHotel::reopen(hotel.close_and_keep().await, &[]).await;
    assert_eq!(recorded(&hotel, 200).await.len(), 200);
    let beth = hotel.guest_rest(BETH).await;
    beth.call("get_folio", None, &json!({})).await;
    recorded(&hotel, 201).await;
    let report = hotel.server.store.verify_all().await.unwrap();
    assert_eq!(
        (report.call_chains, report.calls, report.faults.len()),
        (2, 201, 0)
    );
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/audit?show=all").await;
    page.has(&["More results match. These are the newest 100."]);
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
    let beth = hotel.guest_rest(BETH).await;
    pay(&beth).await;
    beth.call("get_folio", None, &json!({})).await;
    recorded(&hotel, 2).await;
    let written = hotel.server.store.write_audit_checkpoint(now());
    assert!(written.await.unwrap() >= 2);
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

    let tamper = async |sql: &str| {
        hotel.change_store(sql).await;
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
}

#[tokio::test]
async fn managers_filter_and_download_the_audit_log() {
    let hotel = TestHotel::open().await;
    let desk = hotel.staff_mcp(FRONT_DESK).await;
    for guest in [BETH, "nora.o'brien@example.com"] {
        desk.tool("get_folio", json!({ "guest_email": guest }))
            .await;
    }
    let formula = json!({ "guest_email": "=cmd|'/C'!A0@example.com" });
    desk.tool("get_folio", formula).await;
    let nowhere = json!({ "guest_email": BETH, "room_number": "999" });
    assert_eq!(desk.tool("get_folio", nowhere).await["success"], false);
    recorded(&hotel, 4).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    // What was only read is not in the first view
    let page = manager.open("/staff/audit").await;
    page.has(&["Nothing has been done yet.", "/staff/audit?show=money"]);
    let page = manager.open("/staff/audit?tool=get_folio").await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.has(&[
        "aria-current=\"page\" data-go=\"a\">Audit",
        "frontdesk@dewy.example",
        "brien@example.com",
        "BOOKING_NOT_FOUND",
        "tok_",
        "href=\"/staff/audit.csv?tool=get_folio\"",
    ]);
    let filtered = "/staff/audit?who=frontdesk%40dewy.example&tool=post_charge";
    let page = manager.open(filtered).await;
    page.has(&[
        "No calls match these filters",
        "/staff/audit.csv?who=frontdesk%40dewy.example&amp;tool=post_charge",
    ]);
    let page = manager.open("/staff/audit?tool=get_folio").await;
    // Reads in a row are folded into one
    let rows = |text: &str| {
        let counted = |what| text.matches(what).count();
        let shown = (counted("<tr") + counted("<li class=\"read\"")).saturating_sub(1);
        shown - counted("<tr class=\"reads\"")
    };
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
        let filter = format!("show=all&{filter}");
        let page = manager.open(&format!("/staff/audit?{filter}")).await;
        assert_eq!(rows(&page.text), number, "{filter}");
        let file = manager.open(&format!("/staff/audit.csv?{filter}")).await;
        let found = (file.status, file.text.lines().count());
        assert_eq!(found, (200, number + 1), "{filter} {}", file.text);
    }
    let wrong = manager
        .open("/staff/audit?from=lately&execution=nine")
        .await;
    wrong.has(&["#from", "#execution"]);
    let file = manager.open("/staff/audit.csv?show=all").await;
    assert!(file.header("content-type").starts_with("text/csv"));
    assert!(file.header("content-disposition").contains("audit.csv"));
    file.has(&["\"'=cmd|"]);

    for list in ["executions", "compensations"] {
        let file = manager.open(&format!("/staff/{list}.csv")).await;
        assert!(
            file.header("content-type").starts_with("text/csv"),
            "{list}"
        );
        let name = format!("{list}.csv");
        assert!(file.header("content-disposition").contains(&name));
    }
    let file = manager.open("/staff/executions.csv?state=completed").await;
    let mut rows = file.text.lines().skip(1);
    assert!(
        rows.all(|line| line.contains(",completed,")),
        "{}",
        file.text
    );
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    let desk = hotel.browser().staff(FRONT_DESK).await;
    for (browser, path, status) in [
        (&manager, "/staff/audit.csv?from=lately", 400),
        (&manager, "/staff/executions.csv?from=lately", 400),
        (&manager, "/staff/compensations.csv?from=lately", 400),
        // What is not theirs is not there
        (&crew, "/staff/executions.csv", 404),
        (&desk, "/staff/audit", 403),
        (&desk, "/staff/audit.csv", 403),
        (&hotel.browser(), "/staff/audit.csv", 303),
    ] {
        assert_eq!(browser.open(path).await.status, status, "{path}");
    }
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
        let found = (file.status, records(&file.text));
        assert_eq!(found, (200, listed), "{filter} {}", file.text);
        let link = format!("/staff/cases.csv{}", filter.replace('&', "&amp;"));
        assert!(page.text.contains(&link), "{filter}");
    }
    let file = manager.open("/staff/cases.csv").await;
    assert!(records(&file.text) > 3, "the seed has some");
    assert!(file.text.lines().next().unwrap().contains("guest_email"));
    let theirs = crew.open("/staff/cases.csv").await.text;
    let all = crew.open("/staff/cases.csv?queue=all").await;
    let mut rows = theirs.lines().skip(1);
    assert!(rows.all(|line| line.contains(",Housekeeping,")), "{theirs}");
    assert!(records(&all.text) > records(&theirs));
    all.lacks(&["guest", "@example.com"]);

    let file = manager.open("/staff/guests.csv?query=chen").await;
    file.has(&["wei.chen@example.com"]);
    assert!(file.header("content-disposition").contains("guests.csv"));
    let page = manager.open("/staff/guests?query=chen").await;
    page.has(&["/staff/guests.csv?query=chen"]);

    let paid = pay(&hotel.guest_rest(BETH).await).await;
    assert_eq!(paid.status, 200, "{}", paid.body);
    for (filter, number) in [("", 1), ("?only=different", 0), ("?to=2020-01-31", 0)] {
        let file = manager.open(&format!("/staff/payments.csv{filter}")).await;
        let found = (file.status, records(&file.text));
        assert_eq!(found, (200, number), "{filter} {}", file.text);
    }
    let file = manager.open("/staff/payments.csv").await;
    file.has(&["$250.00", ",usd,agree,"]);
    let page = manager.open("/staff/payments").await;
    page.has(&["/staff/payments.csv"]);
    let wrong = manager.open("/staff/payments.csv?from=soon").await;
    assert!(wrong.text.starts_with("from: "), "{}", wrong.text);
    let stranger = hotel.browser();
    for (browser, path, status) in [
        (&manager, "/staff/cases.csv?status=Gone", 400),
        // Nobody was asked for
        (&manager, "/staff/guests.csv", 400),
        (&manager, "/staff/payments.csv?from=soon", 400),
        // What is not theirs is not there
        (&crew, "/staff/guests.csv?query=chen", 404),
        (&crew, "/staff/payments.csv", 404),
        (&stranger, "/staff/cases.csv", 303),
        (&stranger, "/staff/guests.csv", 303),
        (&stranger, "/staff/payments.csv", 303),
    ] {
        assert_eq!(browser.open(path).await.status, status, "{path}");
    }
}
