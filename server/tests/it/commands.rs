//! The real binary.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use crate::{
    hotel::TestHotel,
    mcp::{Era, Mcp},
};

fn dewy(environment: &[(String, String)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dewy"));
    command.env_clear().envs(environment.iter().cloned()).stdin(Stdio::null());
    command
}

fn run(environment: &[(String, String)], arguments: &[&str]) -> Output {
    dewy(environment).args(arguments).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_made_while_the_hotel_is_open() {
    let hotel = TestHotel::open().await;
    let environment = hotel.environment();
    for (flag, email, persona) in
        [("--guest", "beth.gibbs@email.com", "guest"), ("--staff", "manager@dewy.example", "staff")]
    {
        let out = run(&environment, &["token", "create", flag, email]);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(text.lines().count(), 1, "the token and nothing else: {text:?}");
        assert_eq!(text.split_whitespace().count(), 1);
        let (status, list) = Mcp::new(&hotel.server.public_url, persona, text.trim())
            .send(Era::Modern, "tools/list", serde_json::json!({}))
            .await;
        assert_eq!(status, 200);
        let tools = list["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().any(|tool| tool["name"] == "process_guest_checkout"), "{list}");
    }
    let unknown = run(&environment, &["token", "create", "--staff", "nobody@dewy.example"]);
    assert!(!unknown.status.success() && unknown.stdout.is_empty());
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("dewy staff add"));
    hotel.close().await;
}

#[test]
fn accounts_are_made_and_shut() {
    let folder = tempfile::tempdir().unwrap();
    let environment = vec![("DATABASE_URL".to_owned(), format!("sqlite://{}/x/dewy.db", folder.path().display()))];
    assert!(run(&environment, &["migrate"]).status.success());
    let made = run(&environment, &["staff", "add", "Eve@hotel.example", "--role", "front_desk"]);
    assert!(String::from_utf8_lossy(&made.stdout).contains("Password"), "{made:?}");
    assert!(run(&environment, &["token", "create", "--staff", "eve@hotel.example"]).status.success());
    assert!(run(&environment, &["staff", "disable", "eve@hotel.example"]).status.success());
    assert!(!run(&environment, &["token", "create", "--staff", "eve@hotel.example"]).status.success());
    let wrong = run(&environment, &["staff", "add", "eve@hotel.example", "--role", "king"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("housekeeping"));
    let check = run(&environment, &["check"]);
    assert!(check.status.success(), "{check:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_wants_to_be_forgotten_is() {
    const BETH: &str = "beth.gibbs@email.com";
    let hotel = TestHotel::open().await;
    let (beth, wei) = (hotel.browser().guest(BETH).await, hotel.browser().guest("wei.chen@example.com").await);
    let said = [("text", "My secret"), ("idempotency_token", "one")];
    for browser in [&beth, &wei] {
        browser.send("/form/concierge_say", &said).await;
    }
    let token = hotel.guest_mcp(BETH).await;
    let store = &hotel.server.store;
    store.add_stay_note("BK-0042", "frontdesk@dewy.example", "n", crate::hotel::now(), "Snores").await.unwrap();

    let wrong = run(&hotel.environment(), &["guest", "erase", "beth"]);
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("email"), "{wrong:?}");
    let erase = ["guest", "erase", "Beth.Gibbs@Email.com", "--booking", "bk-0042"];
    let erased = run(&hotel.environment(), &erase);
    let words = String::from_utf8_lossy(&erased.stdout).into_owned();
    assert!(erased.status.success(), "{erased:?}");
    assert!(
        words.contains("1 conversations and 1 notes") && words.contains("1 sessions and 1 tokens are gone"),
        "{words}"
    );

    assert_eq!(store.conversations_of(&format!("guest:{BETH}")).await.unwrap(), Vec::new());
    assert_eq!(store.conversations_of("guest:wei.chen@example.com").await.unwrap().len(), 1, "nobody else");
    assert_eq!(store.stay_notes("BK-0042").await.unwrap(), Vec::new());
    assert!(beth.open("/guest").await.location().contains("/guest/sign-in"), "signed out");
    let refused = token.message(Era::Modern, "tools/list", serde_json::json!({})).send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert!(run(&hotel.environment(), &erase).status.success(), "again does no harm");
    hotel.close().await;
}

#[test]
fn a_wrong_configuration_is_explained_at_once() {
    let environment =
        vec![("WORKERS".to_owned(), "0".to_owned()), ("STRIPE_SECRET_KEY".to_owned(), "sk_test_hush".to_owned())];
    let out = run(&environment, &["serve"]);
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success());
    for name in ["WORKERS", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] {
        assert!(words.contains(name), "{name} in {words}");
    }
    assert!(!words.contains("hush"));
}

#[test]
fn serve_says_where_it_is_and_stops_on_sigterm() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let environment = vec![
        ("LEPTOS_SITE_ADDR".to_owned(), "127.0.0.1:0".to_owned()),
        ("SANDBOX_ADDR".to_owned(), taken.local_addr().unwrap().to_string()),
        ("DATABASE_URL".to_owned(), format!("sqlite://{}", file("dewy.db"))),
        ("SANDBOX_DATA".to_owned(), file("sandbox.db")),
    ];
    let mut child = dewy(&environment).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let opened = lines.next().unwrap().unwrap();
    assert!(opened.contains("http://127.0.0.1:"), "{opened}");
    let sandbox = lines.find_map(|l| l.ok().filter(|l| l.contains("sandbox"))).unwrap();
    assert!(!sandbox.contains(&format!("{}  ", taken.local_addr().unwrap())), "the next free port: {sandbox}");
    // A second one on the same file is refused and says why.
    let second = run(&environment, &["serve"]);
    assert!(!second.status.success());
    assert!(String::from_utf8_lossy(&second.stderr).contains("only one"), "{second:?}");

    let began = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(status.success(), "{status} {log}");
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(!log.contains("panicked"), "{log}");
}
