//! Commands of the real binary.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Output, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use dewy_connectors::RealClock;
use dewy_domain::deployment_mode::DeploymentMode;
use dewy_saga::{Journal, State};
use dewy_server::{
    auth::{DEMO_PASSWORD, DEMO_STAFF},
    startup::open_store,
};
use dewy_store::Store;
use serde_json::{Value, json};

use crate::{
    concierge::model_stand_in::StandIn,
    mcp::{Era, Mcp},
    test_hotel::{TestHotel, dewy},
};

fn run(environment: &[(String, String)], arguments: &[&str]) -> Output {
    dewy(environment.to_vec(), arguments).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_created_while_the_server_runs() {
    let hotel = TestHotel::open().await;
    let environment = hotel.environment();
    for (flag, email, persona) in [
        ("--guest", "beth.gibbs@email.com", "guest"),
        ("--staff", "manager@dewy.example", "staff"),
    ] {
        let out = run(&environment, &["token", "create", flag, email]);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        assert_eq!(
            text.lines().count(),
            1,
            "the token and nothing else: {text:?}"
        );
        assert_eq!(text.split_whitespace().count(), 1);
        let (status, list) = Mcp::new(&hotel.server.public_url, persona, text.trim())
            .send(Era::Modern, "tools/list", serde_json::json!({}))
            .await;
        assert_eq!(status, 200);
        let tools = list["result"]["tools"].as_array().unwrap();
        assert!(
            tools
                .iter()
                .any(|tool| tool["name"] == "process_guest_checkout"),
            "{list}"
        );
    }
    let unknown = run(
        &environment,
        &["token", "create", "--staff", "nobody@dewy.example"],
    );
    assert!(!unknown.status.success() && unknown.stdout.is_empty());
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("dewy staff add"));
    hotel.close().await;
}

#[test]
fn accounts_are_created_and_disabled() {
    let folder = tempfile::tempdir().unwrap();
    let environment = vec![(
        "DATABASE_URL".to_owned(),
        format!("sqlite://{}/x/dewy.db", folder.path().display()),
    )];
    assert!(run(&environment, &["migrate"]).status.success());
    let made = run(
        &environment,
        &["staff", "add", "Eve@hotel.example", "--role", "front_desk"],
    );
    assert!(
        String::from_utf8_lossy(&made.stdout).contains("Password"),
        "{made:?}"
    );
    assert!(
        run(
            &environment,
            &["token", "create", "--staff", "eve@hotel.example"]
        )
        .status
        .success()
    );
    assert!(
        run(&environment, &["staff", "disable", "eve@hotel.example"])
            .status
            .success()
    );
    assert!(
        !run(
            &environment,
            &["token", "create", "--staff", "eve@hotel.example"]
        )
        .status
        .success()
    );
    let wrong = run(
        &environment,
        &["staff", "add", "eve@hotel.example", "--role", "king"],
    );
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("housekeeping"));
    let check = run(&environment, &["check"]);
    assert!(check.status.success(), "{check:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_tries_the_model_with_a_tool_and_the_round_after_it() {
    let delta = |delta: Value, finish: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
    let says = |text: &str| json!([delta(json!({ "content": text }), json!("stop"))]);
    let function = json!({ "name": "read_code", "arguments": "{}" });
    let call = json!({ "tool_calls": [{ "index": 0, "id": "c", "type": "function", "function": function }] });
    let call = json!([delta(call, json!("tool_calls"))]);
    let refused = json!({ "when": { "after_a_tool": true }, "status": 400, "body": { "detail": "no such role: tool" } });
    let key = json!({ "when": {}, "status": 401, "body": { "error": { "message": "wrong key" } } });
    for (probe, probed, refuses, told) in [
        (
            &call,
            "The code is 7493.",
            json!([]),
            "ok      the model: m answers, calls tools, and reads their results",
        ),
        (
            &call,
            "I can't tell.",
            json!([]),
            "FAILED  the model: the round after a tool call: the answer does not tell",
        ),
        (
            &says("I will call it."),
            "",
            json!([]),
            "FAILED  the model: m answers, but calls no tool",
        ),
        (
            &call,
            "",
            json!([refused]),
            "FAILED  the model: the round after a tool call: the model refused the request (400): no such role: tool",
        ),
        (
            &call,
            "",
            json!([key]),
            "FAILED  the model: text: the model refused the request (401): wrong key",
        ),
    ] {
        let answers = json!({ "long": says("ready"), "probe": probe, "probed": says(probed) });
        let server = StandIn::start(&json!({ "refuses": refuses, "answers": answers })).await;
        let folder = tempfile::tempdir().unwrap();
        let environment: Vec<(String, String)> = [
            (
                "DATABASE_URL",
                format!("sqlite://{}/dewy.db", folder.path().display()),
            ),
            ("DEWY_MODE", "trial".to_owned()),
            ("OPENAI_API_KEY", "key".to_owned()),
            ("OPENAI_BASE_URL", server.base()),
            ("OPENAI_MODEL", "m".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let out = tokio::task::spawn_blocking(move || {
            assert!(run(&environment, &["migrate"]).status.success());
            run(&environment, &["check"])
        });
        let out = String::from_utf8(out.await.unwrap().stdout).unwrap();
        assert!(out.contains(told), "{told}: {out}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installation_is_adopted_only_by_its_id() {
    let hotel = TestHotel::open().await;
    let environment = hotel.environment();
    let said = |out: Output| {
        format!(
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        )
    };
    for nonsense in ["", "beth", "exe_00000000000070008000000000000001", "ins_1"] {
        let out = run(&environment, &["adopt", nonsense]);
        assert!(!out.status.success(), "{nonsense}");
        let words = said(out);
        assert!(
            words.contains("ID: ") && words.contains("dewy sweep"),
            "{words}"
        );
    }
    let own = hotel
        .server
        .store
        .known_installation()
        .await
        .unwrap()
        .unwrap()
        .to_string();
    let out = run(&environment, &["adopt", &own]);
    assert!(!out.status.success() && said(out).contains("this installation itself"));
    let other = "ins_000000000000000000000000000000ff";
    for words in ["is adopted", "was already adopted"] {
        let out = run(&environment, &["adopt", other]);
        assert!(out.status.success(), "{out:?}");
        assert!(said(out).contains(words));
    }
    hotel.close().await;
}

/// Has the manager retry whatever needs a person, until nothing is open.
async fn finish_open_executions(hotel: &TestHotel, manager: &Mcp) {
    let mut open = Vec::new();
    for attempt in 0..600 {
        open = hotel.server.store.open_counts().await.unwrap();
        open.retain(|(_, number)| *number > 0);
        if open.is_empty() {
            return;
        }
        if open
            .iter()
            .any(|(state, _)| *state == State::NeedsAttention)
        {
            let stuck = manager
                .call(
                    Era::Modern,
                    "search_executions",
                    serde_json::json!({ "state": "needs_attention" }),
                )
                .await;
            let rows = stuck["structuredContent"]["data"]["executions"].as_array();
            for row in rows.unwrap_or_else(|| panic!("{stuck}")) {
                let order = serde_json::json!({
                    "execution_id": row["execution_id"], "resolution": "retry_now",
                    "reason": "The key may refund again.",
                    "idempotency_token": format!("retry-{attempt}-{}", row["execution_id"]),
                });
                manager.call(Era::Modern, "resolve_execution", order).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("still open: {open:?}");
}

/// A key of another Stripe account is reported, isn't used, and can be adopted only when nothing is
/// open on the previous account.
#[tokio::test(flavor = "multi_thread")]
async fn a_stripe_account_change_must_be_adopted() {
    const OTHER: &str = "acct_1Other";
    let hotel = TestHotel::with(&[
        ("FORWARD_BUDGET_SECONDS", "1"),
        ("REQUEST_WAIT_SECONDS", "1"),
    ])
    .await;
    let sandbox = || hotel.server.sandbox.as_ref().unwrap().sandbox.clone();
    let mut environment = hotel.environment();
    environment.push((
        "SANDBOX_URL".to_owned(),
        hotel.server.sandbox_url.clone().unwrap(),
    ));
    let said = |out: &Output| {
        format!(
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        )
    };
    // A refund that Stripe refuses leaves work on the account.
    hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 0, 0)
        .await;
    let refused = dewy_sandbox::KeySettings {
        lacks: vec!["refund_create".to_owned()],
        ..Default::default()
    };
    sandbox().set_stripe_key("sk_test_sandbox", &refused);
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let order = |token: &str| serde_json::json!({ "amount": 25000, "idempotency_token": token });
    guest
        .call(Era::Modern, "process_guest_checkout", order("a"))
        .await;
    let check = run(&environment, &["check"]);
    assert!(
        check.status.success() && said(&check).contains("signed in to acct_1DewySandbox"),
        "{}",
        said(&check)
    );
    let added = "Case.Status: Escalated, Working";
    assert!(said(&check).contains(added), "{}", said(&check));
    let elsewhere = dewy_sandbox::KeySettings {
        account: Some(OTHER.to_owned()),
        ..Default::default()
    };
    sandbox().set_stripe_key("sk_test_sandbox", &elsewhere);
    let check = run(&environment, &["check"]);
    let words = said(&check);
    assert!(
        !check.status.success() && words.contains(&format!("dewy adopt {OTHER}")),
        "{words}"
    );
    assert!(!words.contains(&format!("signed in to {OTHER}")), "{words}");
    for nonsense in ["acct_", "acct_a b", "acct_../x"] {
        let out = run(&environment, &["adopt", nonsense]);
        assert!(
            !out.status.success() && said(&out).contains("not a Stripe account"),
            "{out:?}"
        );
    }
    let out = run(&environment, &["adopt", OTHER]);
    assert!(
        !out.status.success() && said(&out).contains("unfinished work"),
        "{}",
        said(&out)
    );
    // With its own key again it is finished, and then the hotel may move.
    sandbox().set_stripe_key("sk_test_sandbox", &Default::default());
    hotel
        .server
        .sandbox
        .as_ref()
        .unwrap()
        .sandbox
        .clear_faults();
    let manager = hotel.staff_mcp("manager@dewy.example").await;
    finish_open_executions(&hotel, &manager).await;
    assert_eq!(
        hotel.state()["stripe"]["refunds"].as_array().unwrap().len(),
        1
    );
    let folder = hotel.close_and_keep().await;

    // A process that starts with that key opens, takes no payment, and says so to staff and to
    // machines.
    let data = dewy_sandbox::KeySettings {
        account: Some(OTHER.to_owned()),
        ..Default::default()
    };
    let hotel = TestHotel::reopen(folder, &[]).await;
    hotel
        .server
        .sandbox
        .as_ref()
        .unwrap()
        .sandbox
        .set_stripe_key("sk_test_sandbox", &data);
    let folder = hotel.close_and_keep().await;
    let hotel = TestHotel::reopen(folder, &[]).await;
    // On a busy machine the comparison at the start gives up before Stripe has answered
    let alarm = r#"dewy_access_refused{system="stripe",code="stripe_other_account"} 1"#;
    let mut metrics = String::new();
    for _ in 0..1_200 {
        metrics = hotel.get("/metrics").await.text().await.unwrap();
        if metrics.contains(alarm) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(metrics.contains(alarm), "{metrics}");
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let answer = guest
        .call(Era::Modern, "process_guest_checkout", order("b"))
        .await;
    assert_eq!(
        answer["structuredContent"]["error_code"], "UPSTREAM_UNAVAILABLE",
        "{answer}"
    );
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/systems").await;
    assert!(
        page.text.contains("opens another Stripe account"),
        "{}",
        page.text
    );
    // Adopted on purpose, also while it serves.
    let out = run(&hotel.environment(), &["adopt", OTHER]);
    assert!(
        out.status.success() && said(&out).contains("within ten seconds"),
        "{}",
        said(&out)
    );
    let again = run(&hotel.environment(), &["adopt", OTHER]);
    assert!(
        again.status.success() && said(&again).contains("already"),
        "{}",
        said(&again)
    );
    let mut order = order("c");
    order["payment_method_id"] = serde_json::json!("pm_card_visa");
    let answer = guest
        .call(Era::Modern, "process_guest_checkout", order)
        .await;
    assert_eq!(answer["structuredContent"]["success"], true, "{answer}");
    hotel.close().await;
}

/// Most orgs store amounts without a currency, so the org's currency is checked before any payment.
#[tokio::test(flavor = "multi_thread")]
async fn currencies_of_hotel_org_and_account_are_compared() {
    let hotel = TestHotel::open().await;
    let sandbox = hotel.server.sandbox.as_ref().unwrap().sandbox.clone();
    let folder = tempfile::tempdir().unwrap();
    let environment = |currency: &str| {
        let own = |name: &str, value: String| (name.to_owned(), value);
        vec![
            own(
                "DATABASE_URL",
                format!("sqlite://{}/dewy.db", folder.path().display()),
            ),
            own("SANDBOX_URL", hotel.server.sandbox_url.clone().unwrap()),
            own("LEPTOS_SITE_ADDR", "127.0.0.1:0".to_owned()),
            own("HOTEL_CURRENCY", currency.to_owned()),
        ]
    };
    let said = |out: Output| {
        (
            out.status.success(),
            format!(
                "{}{}",
                String::from_utf8_lossy(&out.stdout),
                String::from_utf8_lossy(&out.stderr)
            ),
        )
    };
    assert!(run(&environment("usd"), &["migrate"]).status.success());
    let (good, words) = said(run(&environment("usd"), &["check"]));
    assert!(
        good && words.contains("amounts are in usd") && !words.contains("converts"),
        "{words}"
    );
    let (good, words) = said(run(&environment("eur"), &["check"]));
    assert!(
        !good && words.contains("HOTEL_CURRENCY is eur") && words.contains("USD"),
        "{words}"
    );
    assert!(words.contains("Stripe converts charges in eur"), "{words}");
    let (good, words) = said(run(&environment("eur"), &["serve"]));
    assert!(
        !good && words.contains("HOTEL_CURRENCY is eur") && !words.contains("is open at"),
        "{words}"
    );
    // Several currencies: what counts is the one of each record.
    let mut org = sandbox.org_settings();
    org.multi_currency = true;
    sandbox.set_org_settings(org);
    let (good, words) = said(run(&environment("usd"), &["check"]));
    assert!(good && words.contains("amounts are in usd"), "{words}");
    let rooms = sandbox.state()["salesforce"]["Hotel_Room__c"]
        .as_array()
        .unwrap()
        .clone();
    let euro = serde_json::json!({ "CurrencyIsoCode": "EUR" });
    let room = rooms
        .iter()
        .find(|room| room["Room_Number__c"] == "302")
        .unwrap();
    sandbox
        .edit(
            "Hotel_Room__c",
            room["Id"].as_str().unwrap(),
            euro.as_object().unwrap(),
        )
        .unwrap();
    let (good, words) = said(run(&environment("usd"), &["check"]));
    assert!(
        !good && words.contains("another currency") && words.contains("room 302"),
        "{words}"
    );
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_can_be_erased() {
    const BETH: &str = "beth.gibbs@email.com";
    let hotel = TestHotel::open().await;
    let (beth, wei) = (
        hotel.browser().guest(BETH).await,
        hotel.browser().guest("wei.chen@example.com").await,
    );
    let said = [("text", "My secret"), ("idempotency_token", "one")];
    for browser in [&beth, &wei] {
        browser.send("/form/concierge_say", &said).await;
    }
    let token = hotel.guest_mcp(BETH).await;
    let store = &hotel.server.store;
    store
        .add_stay_note(
            "BK-0042",
            "frontdesk@dewy.example",
            "n",
            crate::test_hotel::now(),
            "Snores",
        )
        .await
        .unwrap();

    let wrong = run(&hotel.environment(), &["guest", "erase", "beth"]);
    assert!(
        !wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("email"),
        "{wrong:?}"
    );
    let erase = [
        "guest",
        "erase",
        "Beth.Gibbs@Email.com",
        "--booking",
        "bk-0042",
    ];
    let erased = run(&hotel.environment(), &erase);
    let words = String::from_utf8_lossy(&erased.stdout).into_owned();
    assert!(erased.status.success(), "{erased:?}");
    assert!(
        words.contains("1 conversations and 1 notes") && words.contains("1 sessions and 1 tokens"),
        "{words}"
    );

    assert_eq!(
        store
            .conversations_of(&format!("guest:{BETH}"))
            .await
            .unwrap(),
        Vec::new()
    );
    assert_eq!(
        store
            .conversations_of("guest:wei.chen@example.com")
            .await
            .unwrap()
            .len(),
        1,
        "nobody else"
    );
    assert_eq!(store.stay_notes("BK-0042").await.unwrap(), Vec::new());
    assert!(
        beth.open("/guest")
            .await
            .location()
            .contains("/guest/sign-in"),
        "signed out"
    );
    let refused = token
        .message(Era::Modern, "tools/list", serde_json::json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), 401);
    assert!(
        run(&hotel.environment(), &erase).status.success(),
        "again does no harm"
    );
    hotel.close().await;
}

#[test]
fn all_configuration_errors_are_explained_at_once() {
    let environment = vec![
        ("WORKERS".to_owned(), "0".to_owned()),
        ("STRIPE_SECRET_KEY".to_owned(), "sk_test_hush".to_owned()),
    ];
    let out = run(&environment, &["serve"]);
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success());
    for name in ["WORKERS", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] {
        assert!(words.contains(name), "{name} in {words}");
    }
    assert!(!words.contains("hush"));
}

#[test]
fn serve_prints_its_url_and_stops_on_sigterm() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let environment = vec![
        ("LEPTOS_SITE_ADDR".to_owned(), "127.0.0.1:0".to_owned()),
        (
            "SANDBOX_ADDR".to_owned(),
            taken.local_addr().unwrap().to_string(),
        ),
        (
            "DATABASE_URL".to_owned(),
            format!("sqlite://{}", file("dewy.db")),
        ),
        ("SANDBOX_DATA".to_owned(), file("sandbox.db")),
    ];
    let mut child = dewy(environment.clone(), &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let opened = lines.next().unwrap().unwrap();
    assert!(opened.contains("http://127.0.0.1:"), "{opened}");
    let sandbox = lines
        .find_map(|l| l.ok().filter(|l| l.contains("sandbox")))
        .unwrap();
    assert!(
        !sandbox.contains(&format!("{}  ", taken.local_addr().unwrap())),
        "the next free port: {sandbox}"
    );
    // A second one on the same file is refused and says why.
    let second = run(&environment, &["serve"]);
    assert!(!second.status.success());
    assert!(
        String::from_utf8_lossy(&second.stderr).contains("only one"),
        "{second:?}"
    );

    let began = Instant::now();
    assert!(
        Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let status = child.wait().unwrap();
    let mut log = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    assert!(status.success(), "{status} {log}");
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(!log.contains("panicked"), "{log}");
}

fn environment(variables: &[(&str, &str)]) -> Vec<(String, String)> {
    variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// Serves in this folder until it is open, and stops it.
fn serve_once(folder: &Path, environment: &[(String, String)], further: &[&str]) {
    let mut child = dewy(environment.to_vec(), &[])
        .current_dir(folder)
        .arg("serve")
        .args(further)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let opened = said.by_ref().lines().next();
    let killed = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    let (status, mut log) = (child.wait().unwrap(), String::new());
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    assert!(
        opened.is_some() && killed.success() && status.success(),
        "{status} {log}"
    );
}

/// Runs it in this folder to its end; one that serves instead is ended, and fails.
fn run_in(folder: &Path, environment: &[(String, String)], arguments: &[&str]) -> Output {
    let mut command = dewy(environment.to_vec(), arguments);
    command
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// Every file in the folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap());
    files
        .map(|file| {
            (
                file.file_name().into_string().unwrap(),
                std::fs::read(file.path()).unwrap_or_default(),
            )
        })
        .collect()
}

/// Whom the store knows as staff: address, and whether the account is disabled.
async fn staff(folder: &Path) -> Vec<(String, bool)> {
    let url = format!("sqlite://{}", folder.join("dewy.db").display());
    let store = Store::open_existing(&url, Arc::new(RealClock))
        .await
        .unwrap();
    let mut found = Vec::new();
    for (email, _) in DEMO_STAFF {
        found.extend(
            store
                .staff_by_email(&email.into())
                .await
                .unwrap()
                .map(|account| (account.email.into(), account.disabled)),
        );
    }
    store.close().await;
    found
}

/// Real systems under reserved names that resolve to nothing.
const LIVE: [(&str, &str); 10] = [
    ("DEWY_MODE", "live"),
    ("DATABASE_URL", "sqlite://dewy.db"),
    ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
    ("SALESFORCE_LOGIN_URL", "https://salesforce.invalid"),
    ("SALESFORCE_CLIENT_ID", "id"),
    ("SALESFORCE_CLIENT_SECRET", "secret"),
    ("STRIPE_SECRET_KEY", "sk_live_nobody"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_live_nobody"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_nobody"),
    ("STRIPE_API_BASE", "https://stripe.invalid"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_command_never_opens_a_live_store() {
    const BARE: [(&str, &str); 1] = [("DATABASE_URL", "sqlite://dewy.db")];
    let folder = tempfile::tempdir().unwrap();
    let (folder, live, bare) = (folder.path(), environment(&LIVE), environment(&BARE));
    serve_once(folder, &live, &["--migrate"]);
    assert!(!folder.join("data").exists(), "no sandbox");
    assert_eq!(staff(folder).await, []);
    // The mode alone is enough for what needs the store alone
    let mode_alone = environment(&[&BARE[..], &LIVE[..1]].concat());
    assert!(
        run_in(
            folder,
            &mode_alone,
            &["staff", "add", "eve@hotel.example", "--role", "manager"]
        )
        .status
        .success()
    );
    let token = run_in(
        folder,
        &mode_alone,
        &["token", "create", "--staff", "eve@hotel.example"],
    );
    assert!(token.status.success(), "{token:?}");

    let before = files(folder);
    for arguments in [&["token", "list"][..], &["audit", "verify"]] {
        let out = run_in(folder, &bare, arguments);
        assert!(out.status.success(), "{arguments:?} {out:?}");
        assert!(files(folder) == before, "{arguments:?}");
    }
    for arguments in [
        &[][..],
        &["serve"],
        &["migrate"],
        &["sweep"],
        &["check"],
        &["token", "create", "--guest", "beth.gibbs@email.com"],
        &["token", "revoke", "tok_0000000000000000"],
        &["staff", "add", "manager@dewy.example", "--role", "manager"],
        &["staff", "disable", "eve@hotel.example"],
        &["guest", "erase", "beth.gibbs@email.com"],
    ] {
        let out = run_in(folder, &bare, arguments);
        let words = [out.stdout, out.stderr]
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .concat();
        assert!(!out.status.success(), "{arguments:?} {words}");
        for part in ["mode live", "DEWY_MODE is demo", "Set DEWY_MODE=live"] {
            assert!(words.contains(part), "{arguments:?}: {part} in {words}");
        }
        assert!(files(folder) == before, "{arguments:?}");
    }
    // With keys in test mode it is no better
    let trial = environment(&[&BARE[..], &[("DEWY_MODE", "trial")]].concat());
    let out = run_in(folder, &trial, &["serve"]);
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("DEWY_MODE is trial"),
        "{out:?}"
    );
    assert!(files(folder) == before);
    serve_once(folder, &live, &[]);
}

/// A rolling deploy: live `serve` migrates only when told so, and the release before starts on a
/// store that is one step newer.
#[tokio::test(flavor = "multi_thread")]
async fn a_live_hotel_migrates_on_request_and_rolls_back_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, live) = (folder.path(), environment(&LIVE));
    let refused = |words: &[&str]| {
        let before = files(folder);
        let out = run_in(folder, &live, &["serve"]);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success(), "{said}");
        for word in words {
            assert!(said.contains(word), "{word} in {said}");
        }
        assert!(files(folder) == before, "nothing is written: {said}");
    };
    refused(&["there is no store", "dewy migrate", "dewy serve --migrate"]);
    assert!(run_in(folder, &live, &["migrate"]).status.success());
    serve_once(folder, &live, &[]);

    // The next release expands the schema, and is rolled back
    let url = format!("sqlite://{}", folder.join("dewy.db").display());
    dewy_test_kit::testing::apply_later_migration(
        &url,
        "next release",
        "alter table execution add column next integer",
    )
    .await;
    serve_once(folder, &live, &[]);
    serve_once(folder, &live, &["--migrate"]);
    let migrated = run_in(folder, &live, &["migrate"]);
    let said = String::from_utf8_lossy(&migrated.stdout).into_owned();
    assert!(
        migrated.status.success()
            && said.contains("one step newer than this release: next release"),
        "{migrated:?}"
    );

    // Two steps are too many
    dewy_test_kit::testing::apply_later_migration(
        &url,
        "the one after",
        "alter table execution add column after_next integer",
    )
    .await;
    refused(&[
        "2 migrations newer than this release",
        "install a newer release",
    ]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_creates_a_demo_account() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, bare) = (
        folder.path(),
        environment(&[("DATABASE_URL", "sqlite://dewy.db")]),
    );
    for arguments in [
        &["token", "list"][..],
        &["audit", "verify"],
        &["check"],
        &["sweep"],
        &["guest", "erase", "a@b"],
    ] {
        let out = run_in(folder, &bare, arguments);
        let words = [out.stdout, out.stderr]
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .concat();
        assert!(
            !out.status.success() && words.contains("there is no store"),
            "{arguments:?} {words}"
        );
        assert!(files(folder).is_empty(), "{arguments:?}");
    }
    assert!(run_in(folder, &bare, &["migrate"]).status.success());
    for arguments in [
        &["token", "list"][..],
        &["audit", "verify"],
        &["check"],
        &["guest", "erase", "a@b"],
    ] {
        assert!(
            run_in(folder, &bare, arguments).status.success(),
            "{arguments:?}"
        );
    }
    assert_eq!(staff(folder).await, []);
    let served = [
        ("DATABASE_URL", "sqlite://dewy.db"),
        ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
        ("SANDBOX_ADDR", "127.0.0.1:0"),
    ];
    serve_once(folder, &environment(&served), &[]);
    assert_eq!(staff(folder).await.len(), 4, "serve in demo does");
    assert!(
        run_in(folder, &environment(&[("DEWY_MODE", "live")]), &["sandbox"])
            .stdout
            .is_empty()
    );
}

/// Leaving demo mode revokes all demo access, and can't be undone.
#[tokio::test(flavor = "multi_thread")]
async fn turning_a_demo_into_a_trial_ends_all_access() {
    const MANAGER: &str = "manager@dewy.example";
    let hotel = TestHotel::open().await;
    let (token, guest) = (
        hotel.staff_mcp(MANAGER).await,
        hotel.browser().guest("beth.gibbs@email.com").await,
    );
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let (cookies, environment) = (
        [guest.cookie().unwrap(), desk.cookie().unwrap()],
        hotel.environment(),
    );
    assert_eq!(
        token
            .send(Era::Modern, "tools/list", serde_json::json!({}))
            .await
            .0,
        200
    );
    assert!(
        hotel
            .get("/readyz")
            .await
            .text()
            .await
            .unwrap()
            .contains("mode demo")
    );
    let folder = hotel.close_and_keep().await;

    let hotel = TestHotel::reopen(folder, &[("DEWY_MODE", "trial")]).await;
    assert!(
        hotel
            .get("/readyz")
            .await
            .text()
            .await
            .unwrap()
            .contains("mode trial")
    );
    let token = Mcp::new(&hotel.server.public_url, "staff", &token.token);
    let refused = token
        .message(Era::Modern, "tools/list", serde_json::json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), 401, "the token is revoked");
    for (cookie, page) in cookies.iter().zip(["/guest", "/staff"]) {
        let browser = hotel.browser();
        browser.plant(cookie);
        assert!(
            browser.open(page).await.location().contains("/sign-in"),
            "{page}: the session has ended"
        );
    }
    let browser = hotel.browser();
    let page = browser.open("/staff/sign-in").await;
    assert!(!page.text.contains(DEMO_PASSWORD) && !page.text.contains(MANAGER));
    browser
        .send(
            "/form/enter_password",
            &[
                ("email", MANAGER),
                ("password", DEMO_PASSWORD),
                ("next", ""),
            ],
        )
        .await;
    assert!(
        browser.open("/staff").await.location().contains("/sign-in"),
        "the account is disabled"
    );
    assert_eq!(
        hotel.browser().code_for("beth.gibbs@email.com").await,
        None,
        "no code is shown"
    );
    let folder = hotel.close_and_keep().await;
    assert_eq!(
        staff(folder.path())
            .await
            .iter()
            .filter(|(_, disabled)| *disabled)
            .count(),
        4
    );
    let back = run_in(folder.path(), &environment, &["serve"]);
    assert!(
        String::from_utf8_lossy(&back.stderr).contains("used in mode trial"),
        "{back:?}"
    );
}

/// Work started with the sandbox is never completed on real accounts.
#[tokio::test(flavor = "multi_thread")]
async fn a_mode_is_not_raised_over_unfinished_work() {
    let quick = [
        ("REQUEST_WAIT_SECONDS", "1"),
        ("FORWARD_BUDGET_SECONDS", "600"),
    ];
    let hotel = TestHotel::with(&quick).await;
    hotel
        .fault("salesforce", "composite", "request_limit", 0, 0)
        .await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let order = serde_json::json!({ "amount": 25000, "idempotency_token": "b" });
    guest
        .call(Era::Modern, "process_guest_checkout", order)
        .await;
    let mut environment = hotel.environment();
    let folder = hotel.close_and_keep().await;
    environment.push(("DEWY_MODE".to_owned(), "trial".to_owned()));
    environment.push(("LEPTOS_SITE_ADDR".to_owned(), "127.0.0.1:0".to_owned()));
    let refused = run_in(folder.path(), &environment, &["serve"]);
    assert!(!refused.status.success());
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("unfinished executions: 1"),
        "{refused:?}"
    );
    // It still is the demo it was
    let hotel = TestHotel::reopen(folder, &quick).await;
    let (mode, _) = hotel.server.store.highest_mode().await.unwrap().unwrap();
    assert_eq!(mode, DeploymentMode::Demo);
    hotel.close().await;
}

/// Several instances: the one that was served first in the lesser mode is not ready any more.
#[tokio::test]
async fn a_mode_raised_by_another_process_is_noticed() {
    let hotel = TestHotel::open().await;
    hotel
        .server
        .store
        .raise_mode(DeploymentMode::Trial)
        .await
        .unwrap();
    let ready = hotel.get("/readyz").await;
    assert_eq!(ready.status(), 503);
    assert!(ready.text().await.unwrap().contains("raised the mode"));
    hotel.close().await;
}

/// A store of a release that kept no mode, on which demo accounts were withdrawn because a system
/// was real.
#[tokio::test]
async fn a_real_store_without_a_recorded_mode_is_no_demo() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("dewy.db").display());
    let store = Store::open(&url, Arc::new(RealClock)).await.unwrap();
    store.migrate().await.unwrap();
    store
        .put_setting("demo_accounts", "withdrawn")
        .await
        .unwrap();
    let refused = open_store::prepare_to_serve(&store, DeploymentMode::Demo, true, &RealClock)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("real accounts"), "{refused}");
    assert_eq!(
        store.staff_by_email(&DEMO_STAFF[0].0.into()).await.unwrap(),
        None
    );
    open_store::prepare_to_serve(&store, DeploymentMode::Live, false, &RealClock)
        .await
        .unwrap();
    assert_eq!(
        store.highest_mode().await.unwrap().map(|(mode, _)| mode),
        Some(DeploymentMode::Live)
    );
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_leaves_is_no_failure() {
    let hotel = TestHotel::open().await;
    let mut child = dewy(hotel.environment(), &["token", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!said.contains("panicked"), "{said}");
    assert!(out.status.success(), "{said}");
    hotel.close().await;
}
