//! `dewy check` validates `SALESFORCE_GUEST_ACCOUNT`.

use std::process::Output;

use crate::test_hotel::{TestHotel, dewy};

fn run(environment: &[(&str, &str)], command: &str) -> Output {
    let environment = environment.iter().copied();
    dewy(environment, &[command]).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn check_reports_a_missing_guest_account() {
    let hotel = TestHotel::open().await;
    let sandbox = hotel.server.sandbox_url.clone().unwrap();
    let state = hotel.state();
    let account = state["salesforce"]["Account"][0]["Id"].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite://{}/dewy.db", folder.path().display());
    let with = |account: &str| {
        // Salesforce is somebody's own here: only then the variable counts.
        let environment = [
            ("DEWY_MODE", "trial"),
            ("DATABASE_URL", store.as_str()),
            ("LEPTOS_SITE_ADDR", "127.0.0.1:0"),
            ("SANDBOX_URL", sandbox.as_str()),
            ("SALESFORCE_LOGIN_URL", sandbox.as_str()),
            ("SALESFORCE_CLIENT_ID", "client"),
            ("SALESFORCE_CLIENT_SECRET", "secret"),
            ("SALESFORCE_GUEST_ACCOUNT", account),
        ];
        let migrated = run(&environment, "migrate").status.success();
        let out = run(&environment, "check");
        let said = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
        (migrated, out.status.success(), said.concat())
    };
    let (migrated, good, words) = with(account);
    assert!(
        migrated && good && words.contains("ok      Salesforce"),
        "{words}"
    );
    assert!(!words.contains("SALESFORCE_GUEST_ACCOUNT"), "{words}");

    // Nobody's, and one that Salesforce does not even take for an id.
    for account in ["001000000000009", "001000000000009ZZZ"] {
        let (migrated, good, words) = with(account);
        assert!(migrated && !good, "{words}");
        let lack = format!(
            "there is no account {account} (SALESFORCE_GUEST_ACCOUNT), or our user can't see it"
        );
        assert!(
            words.contains("FAILED  Salesforce") && words.contains(&lack),
            "{words}"
        );
    }

    // Another record's id: refused before anything is asked.
    let (migrated, good, words) = with("003000000000001AAA");
    let way_out = "must be the record ID of an account, such as 001000000000001AAA";
    assert!(!migrated && !good && words.contains(way_out), "{words}");
}
