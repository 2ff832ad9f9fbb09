//! Sessions and the quota.

use crate::org::{Desk, TODAY, body};
use dewy_sandbox::salesforce::Org;
use serde_json::{Value, json};

#[test]
fn token_by_form_and_basic() {
    let mut desk = Desk::of(Org::seeded(1, TODAY));
    let path = "/services/oauth2/token";
    let form = desk.raw(
        "POST",
        path,
        &[],
        "grant_type=client_credentials&client_id=a&client_secret=b",
    );
    let shown = body(&form);
    assert_eq!(form.status, 200);
    assert_eq!(shown["instance_url"], "http://127.0.0.1:4010");
    assert_eq!(shown["token_type"], "Bearer");
    assert!(shown.get("refresh_token").is_none() && shown.get("expires_in").is_none());
    let user = shown["id"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned();
    assert!(user.starts_with("005"));
    // "app:secret"
    let basic = desk.raw(
        "POST",
        path,
        &[
            ("authorization", "Basic YXBwOnNlY3JldA=="),
            ("host", "crm.example"),
        ],
        "grant_type=client_credentials",
    );
    assert_eq!(body(&basic)["instance_url"], "http://crm.example");
    for (form, error) in [
        (
            "grant_type=client_credentials&client_id=a&client_secret=wrong",
            "invalid_client",
        ),
        (
            "grant_type=client_credentials&client_id=wrong&client_secret=b",
            "invalid_client_id",
        ),
        (
            "grant_type=client_credentials&client_id=a",
            "invalid_client",
        ),
        (
            "grant_type=password&client_id=a&client_secret=b",
            "unsupported_grant_type",
        ),
        ("", "invalid_request"),
    ] {
        let refused = desk.raw("POST", path, &[("x", "y")], form);
        assert_eq!(
            (refused.status, body(&refused)["error"].as_str()),
            (400, Some(error)),
            "{form}"
        );
    }
}

#[test]
fn a_session_is_needed_and_expires() {
    let mut desk = Desk::open();
    let refused = desk.raw(
        "GET",
        "/services/data/v62.0/query?q=SELECT+Id+FROM+User",
        &[("authorization", "Bearer nonsense")],
        "",
    );
    assert_eq!(refused.status, 401);
    assert_eq!(
        body(&refused),
        json!([{"message": "Session expired or invalid", "errorCode": "INVALID_SESSION_ID"}])
    );
    assert_eq!(desk.query("SELECT Id FROM User").0, 200);
    desk.org.expire_sessions();
    assert_eq!(desk.query("SELECT Id FROM User").0, 401);
    let mut desk = Desk::of(desk.org);
    assert_eq!(desk.query("SELECT Id FROM User").0, 200);
}

#[test]
fn the_quota_counts_calls_not_parts() {
    let mut desk = Desk::open();
    let parts: Vec<Value> = (0..3)
        .map(|i| json!({"method": "GET", "url": "/services/data/v62.0/query?q=SELECT+Id+FROM+User", "referenceId": format!("q{i}")}))
        .collect();
    let one = desk.raw(
        "POST",
        "/services/data/v62.0/composite",
        &[],
        &json!({"compositeRequest": parts}).to_string(),
    );
    assert_eq!(one.header("sforce-limit-info"), Some("api-usage=1/100000"));
    let two = desk.raw("GET", "/services/data/v62.0/limits", &[], "");
    assert_eq!(two.header("sforce-limit-info"), Some("api-usage=2/100000"));
    assert_eq!(body(&two)["DailyApiRequests"]["Remaining"], 99_998);
}
