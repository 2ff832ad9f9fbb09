//! Commands of the real binary.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Output, Stdio},
};

use dewy_domain::deployment_mode::DeploymentMode;
use dewy_saga::State;
use dewy_sandbox::KeySettings;
use dewy_server::{
    auth::{DEMO_PASSWORD, DEMO_STAFF},
    startup::open_store,
};
use dewy_store::Store;
use dewy_test_kit::testing::apply_later_migration;

use crate::{concierge::model_stand_in::StandIn, prelude::*};

type Environment = Vec<(String, String)>;

/// What a command said, and whether it succeeded.
#[derive(Debug)]
struct Said {
    succeeded: bool,
    out: String,
    /// Both streams.
    all: String,
}

impl Said {
    fn of(output: Output) -> Self {
        let out = String::from_utf8(output.stdout).unwrap();
        Self {
            succeeded: output.status.success(),
            all: format!("{out}{}", String::from_utf8_lossy(&output.stderr)),
            out,
        }
    }

    /// Fails unless it did or did not succeed, and said all of this.
    fn check(&self, succeeded: bool, parts: &[&str]) {
        assert_eq!(self.succeeded, succeeded, "{}", self.all);
        for part in parts {
            assert!(self.all.contains(part), "{part} in {}", self.all);
        }
    }

    fn succeeds(&self, parts: &[&str]) {
        self.check(true, parts);
    }

    fn fails(&self, parts: &[&str]) {
        self.check(false, parts);
    }

    fn lacks(&self, part: &str) {
        assert!(!self.all.contains(part), "{part} in {}", self.all);
    }
}

/// Runs a command to its end, its words separated by blanks.
fn run(environment: &Environment, arguments: &str) -> Said {
    let arguments: Vec<_> = arguments.split_terminator(' ').collect();
    Said::of(dewy(environment.clone(), &arguments).output().unwrap())
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    variables.iter().map(owned).collect()
}

fn database(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("dewy.db").display())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_created_while_the_server_runs() {
    let hotel = TestHotel::open().await;
    let environment = hotel.environment();
    for (flag, email, persona) in [
        ("--guest", "beth.gibbs@email.com", "guest"),
        ("--staff", "manager@dewy.example", "staff"),
    ] {
        let made = run(&environment, &format!("token create {flag} {email}"));
        made.succeeds(&[]);
        let token = made.out.trim();
        assert_eq!(
            token.split_whitespace().count(),
            1,
            "nothing else: {token:?}"
        );
        let (status, list) = Mcp::new(&hotel.server.public_url, persona, token)
            .send(Era::Modern, "tools/list", json!({}))
            .await;
        assert_eq!(status, 200);
        let mut tools = list["result"]["tools"].as_array().unwrap().iter();
        assert!(
            tools.any(|tool| tool["name"] == "process_guest_checkout"),
            "{list}"
        );
    }
    let unknown = run(&environment, "token create --staff nobody@dewy.example");
    unknown.fails(&["dewy staff add"]);
    assert!(unknown.out.is_empty());
}

#[test]
fn accounts_are_created_and_disabled() {
    let folder = tempfile::tempdir().unwrap();
    let store = database(&folder.path().join("x"));
    let environment = environment(&[("DATABASE_URL", &store)]);
    let token = "token create --staff eve@hotel.example";
    for (command, succeeds, told) in [
        ("migrate", true, ""),
        (
            "staff add Eve@hotel.example --role front_desk",
            true,
            "Password",
        ),
        (token, true, ""),
        ("staff disable eve@hotel.example", true, ""),
        (token, false, ""),
        (
            "staff add eve@hotel.example --role king",
            false,
            "housekeeping",
        ),
        ("check", true, ""),
    ] {
        run(&environment, command).check(succeeds, &[told]);
    }
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
        let environment = environment(&[
            ("DATABASE_URL", &database(folder.path())),
            ("DEWY_MODE", "trial"),
            ("OPENAI_API_KEY", "key"),
            ("OPENAI_BASE_URL", &server.base()),
            ("OPENAI_MODEL", "m"),
        ]);
        let out = tokio::task::spawn_blocking(move || {
            run(&environment, "migrate").succeeds(&[]);
            run(&environment, "check").out
        });
        let out = out.await.unwrap();
        assert!(out.contains(told), "{told}: {out}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installation_is_adopted_only_by_its_id() {
    let hotel = TestHotel::open().await;
    let environment = hotel.environment();
    for nonsense in [" ", "beth", "exe_00000000000070008000000000000001", "ins_1"] {
        let adopted = run(&environment, &format!("adopt {nonsense}"));
        adopted.fails(&["ID: ", "dewy sweep"]);
    }
    let own = hotel.server.store.known_installation().await.unwrap();
    let own = run(&environment, &format!("adopt {}", own.unwrap()));
    own.fails(&["this installation itself"]);
    for words in ["is adopted", "was already adopted"] {
        let other = "adopt ins_000000000000000000000000000000ff";
        run(&environment, other).succeeds(&[words]);
    }
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
                    json!({ "state": "needs_attention" }),
                )
                .await;
            let rows = stuck["structuredContent"]["data"]["executions"].as_array();
            for row in rows.unwrap_or_else(|| panic!("{stuck}")) {
                let order = json!({
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
    let quick = [
        ("FORWARD_BUDGET_SECONDS", "1"),
        ("REQUEST_WAIT_SECONDS", "1"),
    ];
    let hotel = TestHotel::with(&quick).await;
    let mut environment = hotel.environment();
    let sandbox_url = hotel.server.sandbox_url.clone().unwrap();
    environment.push(("SANDBOX_URL".to_owned(), sandbox_url));
    let set_key = |hotel: &TestHotel, settings: &KeySettings| {
        hotel.sandbox().set_stripe_key("sk_test_sandbox", settings);
    };
    let elsewhere = KeySettings {
        account: Some("acct_1Other".to_owned()),
        ..KeySettings::default()
    };
    // A refund that Stripe refuses leaves work on the account.
    hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 0, 0)
        .await;
    let refused = KeySettings {
        lacks: vec!["refund_create".to_owned()],
        ..KeySettings::default()
    };
    set_key(&hotel, &refused);
    let order = |token: &str| json!({ "amount": 25000, "idempotency_token": token, "payment_method_id": "pm_card_visa" });
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest
        .call(Era::Modern, "process_guest_checkout", order("a"))
        .await;
    let added = "Case.Status: Escalated, Working";
    let check = run(&environment, "check");
    check.succeeds(&["signed in to acct_1DewySandbox", added]);
    set_key(&hotel, &elsewhere);
    let check = run(&environment, "check");
    check.fails(&["dewy adopt acct_1Other"]);
    check.lacks("signed in to acct_1Other");
    for nonsense in ["acct_", "acct_a\u{a0}b", "acct_../x"] {
        let out = run(&environment, &format!("adopt {nonsense}"));
        out.fails(&["not a Stripe account"]);
    }
    run(&environment, "adopt acct_1Other").fails(&["unfinished work"]);
    // With its own key again it is finished, and then the hotel may move.
    set_key(&hotel, &KeySettings::default());
    hotel.heal().await;
    let manager = hotel.staff_mcp("manager@dewy.example").await;
    finish_open_executions(&hotel, &manager).await;
    let refunds = hotel.state()["stripe"]["refunds"].clone();
    assert_eq!(refunds.as_array().unwrap().len(), 1);

    // A process that starts with that key opens, takes no payment, and says so to staff and to
    // machines.
    let hotel = TestHotel::reopen(hotel.close_and_keep().await, &[]).await;
    set_key(&hotel, &elsewhere);
    let hotel = TestHotel::reopen(hotel.close_and_keep().await, &[]).await;
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
    let code = &answer["structuredContent"]["error_code"];
    assert_eq!(code, "ACCESS_REFUSED", "{answer}");
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = manager.open("/staff/systems").await;
    page.has(&["opens another Stripe account"]);
    // Adopted on purpose, also while it serves.
    for words in ["within ten seconds", "already"] {
        run(&hotel.environment(), "adopt acct_1Other").succeeds(&[words]);
    }
    let answer = guest
        .call(Era::Modern, "process_guest_checkout", order("c"))
        .await;
    assert_eq!(answer["structuredContent"]["success"], true, "{answer}");
}

/// Most orgs store amounts without a currency, so the org's currency is checked before any payment.
#[tokio::test(flavor = "multi_thread")]
async fn currencies_of_hotel_org_and_account_are_compared() {
    let hotel = TestHotel::open().await;
    let folder = tempfile::tempdir().unwrap();
    let (store, sandbox) = (database(folder.path()), hotel.server.sandbox_url.clone());
    let run = |currency: &str, command: &str| {
        let variables = [
            ("DATABASE_URL", store.as_str()),
            ("SANDBOX_URL", sandbox.as_deref().unwrap()),
            ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
            ("HOTEL_CURRENCY", currency),
        ];
        run(&environment(&variables), command)
    };
    run("usd", "migrate").succeeds(&[]);
    let check = run("usd", "check");
    check.succeeds(&["amounts are in usd"]);
    check.lacks("converts");
    let other = "HOTEL_CURRENCY is eur";
    run("eur", "check").fails(&[other, "USD", "Stripe converts charges in eur"]);
    let served = run("eur", "serve");
    served.fails(&[other]);
    served.lacks("is open at");
    // Several currencies: what counts is the one of each record.
    let mut org = hotel.sandbox().org_settings();
    org.multi_currency = true;
    hotel.sandbox().set_org_settings(org);
    run("usd", "check").succeeds(&["amounts are in usd"]);
    let euro = json!({ "CurrencyIsoCode": "EUR" });
    hotel.edit("Hotel_Room__c", "Room_Number__c", "302", &euro);
    run("usd", "check").fails(&["another currency", "room 302"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_can_be_erased() {
    let hotel = TestHotel::open().await;
    let (beth, wei) = ("beth.gibbs@email.com", "wei.chen@example.com");
    let browser = hotel.browser().guest(beth).await;
    for browser in [&browser, &hotel.browser().guest(wei).await] {
        let said = "text=My+secret&idempotency_token=one";
        browser.post("concierge_say", said).await;
    }
    let token = hotel.guest_mcp(beth).await;
    let store = &hotel.server.store;
    let by = "frontdesk@dewy.example";
    let noted = store.add_stay_note("BK-0042", by, "n", now(), "Snores");
    noted.await.unwrap();

    run(&hotel.environment(), "guest erase beth").fails(&["email"]);
    let erase = "guest erase Beth.Gibbs@Email.com --booking bk-0042";
    let erased = run(&hotel.environment(), erase);
    erased.succeeds(&["1 conversations and 1 notes", "1 sessions and 1 tokens"]);
    for (guest, kept) in [(beth, 0), (wei, 1)] {
        let conversations = store.conversations_of(&format!("guest:{guest}")).await;
        assert_eq!(conversations.unwrap().len(), kept, "{guest}");
    }
    assert_eq!(store.stay_notes("BK-0042").await.unwrap(), Vec::new());
    let page = browser.open("/guest").await;
    assert!(page.location().contains("/guest/sign-in"), "signed out");
    let refused = token.message(Era::Modern, "tools/list", json!({})).send();
    assert_eq!(refused.await.unwrap().status(), 401);
    // Again does no harm
    run(&hotel.environment(), erase).succeeds(&[]);
}

#[test]
fn all_configuration_errors_are_explained_at_once() {
    let wrong = [("WORKERS", "0"), ("STRIPE_SECRET_KEY", "sk_test_hush")];
    let served = run(&environment(&wrong), "serve");
    served.fails(&["WORKERS", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]);
    served.lacks("hush");
}

#[test]
fn serve_prints_its_url_and_stops_on_sigterm() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let environment = environment(&[
        ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
        ("SANDBOX_ADDR", &taken),
        ("DATABASE_URL", &database(folder.path())),
        (
            "SANDBOX_DATA",
            &folder.path().join("sandbox.db").display().to_string(),
        ),
    ]);
    serve_until(folder.path(), &environment, &[], |mut lines| {
        let opened = lines.next().unwrap().unwrap();
        assert!(opened.contains("http://127.0.0.1:"), "{opened}");
        let sandbox = lines.find_map(|l| l.ok().filter(|l| l.contains("sandbox")));
        let sandbox = sandbox.unwrap();
        let next_port = !sandbox.contains(&format!("{taken}  "));
        assert!(next_port, "the next free port: {sandbox}");
        // A second one on the same file is refused and says why.
        run(&environment, "serve").fails(&["only one"]);
    });
}

type Lines = std::io::Lines<BufReader<std::process::ChildStdout>>;

/// Serves in this folder until this has been done, and stops it.
fn serve_until(
    folder: &Path,
    environment: &Environment,
    arguments: &[&str],
    done: impl FnOnce(Lines),
) {
    let mut child = dewy(environment.clone(), arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    done(BufReader::new(child.stdout.take().unwrap()).lines());
    let began = Instant::now();
    let mut kill = Command::new("kill");
    let killed = kill.args(["-TERM", &child.id().to_string()]).status();
    let (status, mut log) = (child.wait().unwrap(), String::new());
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut log).unwrap();
    assert!(
        killed.unwrap().success() && status.success(),
        "{status} {log}"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(!log.contains("panicked"), "{log}");
}

/// Serves in this folder until it is open, and stops it.
fn serve_once(folder: &Path, environment: &Environment, further: &[&str]) {
    let arguments = [&["serve"], further].concat();
    serve_until(folder, environment, &arguments, |mut lines| {
        assert!(lines.next().is_some());
    });
}

/// Runs it in this folder to its end; one that serves instead is ended, and fails.
fn run_in(folder: &Path, environment: &Environment, arguments: &str) -> Said {
    let arguments: Vec<_> = arguments.split_terminator(' ').collect();
    let mut child = dewy(environment.clone(), &arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Said::of(child.wait_with_output().unwrap())
}

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
    let store = Store::open_existing(&database(folder), Arc::new(RealClock)).await;
    let store = store.unwrap();
    let mut found = Vec::new();
    for (email, _) in DEMO_STAFF {
        let account = store.staff_by_email(&email.into()).await.unwrap();
        found.extend(account.map(|account| (account.email.into(), account.disabled)));
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

const BARE: [(&str, &str); 1] = [("DATABASE_URL", "sqlite://dewy.db")];

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_command_never_opens_a_live_store() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, live, bare) = (folder.path(), environment(&LIVE), environment(&BARE));
    serve_once(folder, &live, &["--migrate"]);
    assert!(!folder.join("data").exists(), "no sandbox");
    assert_eq!(staff(folder).await, []);
    // The mode alone is enough for what needs the store alone
    let mode_alone = environment(&[&BARE[..], &LIVE[..1]].concat());
    for command in [
        "staff add eve@hotel.example --role manager",
        "token create --staff eve@hotel.example",
    ] {
        run_in(folder, &mode_alone, command).succeeds(&[]);
    }

    let before = files(folder);
    for (command, succeeds) in [
        ("token list", true),
        ("audit verify", true),
        ("", false),
        ("serve", false),
        ("migrate", false),
        ("sweep", false),
        ("check", false),
        ("token create --guest beth.gibbs@email.com", false),
        ("token revoke tok_0000000000000000", false),
        ("staff add manager@dewy.example --role manager", false),
        ("staff disable eve@hotel.example", false),
        ("guest erase beth.gibbs@email.com", false),
    ] {
        let said = run_in(folder, &bare, command);
        let refusal = ["mode live", "DEWY_MODE is demo", "Set DEWY_MODE=live"];
        said.check(succeeds, if succeeds { &[] } else { &refusal });
        assert!(files(folder) == before, "{command}");
    }
    // With keys in test mode it is no better
    let trial = environment(&[&BARE[..], &[("DEWY_MODE", "trial")]].concat());
    run_in(folder, &trial, "serve").fails(&["DEWY_MODE is trial"]);
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
        run_in(folder, &live, "serve").fails(words);
        assert!(files(folder) == before, "nothing is written");
    };
    refused(&["there is no store", "dewy migrate", "dewy serve --migrate"]);
    run_in(folder, &live, "migrate").succeeds(&[]);
    serve_once(folder, &live, &[]);

    // The next release expands the schema, and is rolled back
    let url = database(folder);
    let expand = "alter table execution add column next integer";
    apply_later_migration(&url, "next release", expand).await;
    serve_once(folder, &live, &[]);
    serve_once(folder, &live, &["--migrate"]);
    let newer = "one step newer than this release: next release";
    run_in(folder, &live, "migrate").succeeds(&[newer]);

    // Two steps are too many
    let expand = "alter table execution add column after_next integer";
    apply_later_migration(&url, "the one after", expand).await;
    let newer = "2 migrations newer than this release";
    refused(&[newer, "install a newer release"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_creates_a_demo_account() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, bare) = (folder.path(), environment(&BARE));
    let commands = [
        "token list",
        "audit verify",
        "check",
        "guest erase a@b.example",
    ];
    for command in commands.iter().chain(&["sweep"]) {
        run_in(folder, &bare, command).fails(&["there is no store"]);
        assert!(files(folder).is_empty(), "{command}");
    }
    run_in(folder, &bare, "migrate").succeeds(&[]);
    for command in commands {
        run_in(folder, &bare, command).succeeds(&[]);
    }
    assert_eq!(staff(folder).await, []);
    let served = [
        ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
        ("SANDBOX_ADDR", "127.0.0.1:0"),
    ];
    serve_once(folder, &environment(&[&BARE[..], &served].concat()), &[]);
    assert_eq!(staff(folder).await.len(), 4, "serve in demo does");
    let live = environment(&LIVE[..1]);
    assert!(run_in(folder, &live, "sandbox").out.is_empty());
}

/// Leaving demo mode revokes all demo access, and can't be undone.
#[tokio::test(flavor = "multi_thread")]
async fn turning_a_demo_into_a_trial_ends_all_access() {
    const MANAGER: &str = "manager@dewy.example";
    let hotel = TestHotel::open().await;
    let token = hotel.staff_mcp(MANAGER).await;
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let cookies = [guest.cookie().unwrap(), desk.cookie().unwrap()];
    let environment = hotel.environment();
    let (status, _) = token.send(Era::Modern, "tools/list", json!({})).await;
    assert_eq!(status, 200);
    let mode = async |hotel: &TestHotel, mode: &str| {
        let ready = hotel.get("/readyz").await.text().await.unwrap();
        assert!(ready.contains(&format!("mode {mode}")), "{ready}");
    };
    mode(&hotel, "demo").await;

    let folder = hotel.close_and_keep().await;
    let hotel = TestHotel::reopen(folder, &[("DEWY_MODE", "trial")]).await;
    mode(&hotel, "trial").await;
    let token = Mcp::new(&hotel.server.public_url, "staff", &token.token);
    let refused = token.message(Era::Modern, "tools/list", json!({})).send();
    let refused = refused.await.unwrap();
    assert_eq!(refused.status(), 401, "the token is revoked");
    for (cookie, page) in cookies.iter().zip(["/guest", "/staff"]) {
        let browser = hotel.browser();
        browser.plant(cookie);
        let shown = browser.open(page).await;
        assert!(
            shown.location().contains("/sign-in"),
            "{page}: the session has ended"
        );
    }
    let browser = hotel.browser();
    let page = browser.open("/staff/sign-in").await;
    page.lacks(&[DEMO_PASSWORD, MANAGER]);
    browser.open("/").await.lacks(&["enter_demo"]);
    for account in [MANAGER, BETH] {
        let fields = [("email", account), ("scene", "")];
        let sent = browser.send("/form/enter_demo", &fields).await;
        assert_eq!(path_of(sent.location()), "/");
    }
    let fields = [
        ("email", MANAGER),
        ("password", DEMO_PASSWORD),
        ("next", ""),
    ];
    browser.send("/form/enter_password", &fields).await;
    let page = browser.open("/staff").await;
    assert!(
        page.location().contains("/sign-in"),
        "the account is disabled"
    );
    let code = hotel.browser().code_for("beth.gibbs@email.com").await;
    assert_eq!(code, None, "no code is shown");
    let folder = hotel.close_and_keep().await;
    let disabled = staff(folder.path()).await;
    assert_eq!(disabled.iter().filter(|(_, disabled)| *disabled).count(), 4);
    let back = run_in(folder.path(), &environment, "serve");
    back.fails(&["used in mode trial"]);
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
    let order = json!({ "amount": 25000, "idempotency_token": "b" });
    guest
        .call(Era::Modern, "process_guest_checkout", order)
        .await;
    let mut variables = hotel.environment();
    let folder = hotel.close_and_keep().await;
    let trial = [("DEWY_MODE", "trial"), ("LEPTOS_SITE_ADDR", "127.0.0.1:0")];
    variables.extend(environment(&trial));
    let refused = run_in(folder.path(), &variables, "serve");
    refused.fails(&["unfinished executions: 1"]);
    // It still is the demo it was
    let hotel = TestHotel::reopen(folder, &quick).await;
    let (mode, _) = hotel.server.store.highest_mode().await.unwrap().unwrap();
    assert_eq!(mode, DeploymentMode::Demo);
}

/// Several instances: the one that was served first in the lesser mode is not ready any more.
#[tokio::test]
async fn a_mode_raised_by_another_process_is_noticed() {
    let hotel = TestHotel::open().await;
    let raised = hotel.server.store.raise_mode(DeploymentMode::Trial);
    raised.await.unwrap();
    let ready = hotel.get("/readyz").await;
    assert_eq!(ready.status(), 503);
    assert!(ready.text().await.unwrap().contains("raised the mode"));
}

/// A store of a release that kept no mode, on which demo accounts were withdrawn because a system
/// was real.
#[tokio::test]
async fn a_real_store_without_a_recorded_mode_is_no_demo() {
    let folder = tempfile::tempdir().unwrap();
    let url = database(folder.path());
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
}
