//! Sessions and the quota.

use crate::org_client::{OrgClient, TODAY, body, id_of};
use dewy_sandbox::salesforce::Org;
use serde_json::{Value, json};

#[test]
fn token_by_form_and_basic() {
    let mut desk = OrgClient::of(Org::seeded(1, TODAY));
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
    let user = id_of(&shown).rsplit('/').next().unwrap().to_owned();
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
    let mut desk = OrgClient::open();
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
    let mut desk = OrgClient::of(desk.org);
    assert_eq!(desk.query("SELECT Id FROM User").0, 200);
}

#[test]
fn the_quota_counts_calls_not_parts() {
    let mut desk = OrgClient::open();
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

#[test]
fn calls_over_the_daily_quota_are_refused() {
    let mut desk = OrgClient::open();
    let mut settings = desk.org.settings().clone();
    settings.daily_calls = 3;
    desk.org.set_settings(settings);
    let query = |desk: &mut OrgClient| {
        desk.raw(
            "GET",
            "/services/data/v62.0/query?q=SELECT+Id+FROM+User",
            &[],
            "",
        )
    };
    for used in ["1/3", "2/3", "3/3"] {
        let answer = query(&mut desk);
        let usage = format!("api-usage={used}");
        assert_eq!(
            (answer.status, answer.header("sforce-limit-info")),
            (200, Some(usage.as_str()))
        );
    }
    let refused = query(&mut desk);
    assert_eq!(
        (refused.status, refused.header("sforce-limit-info")),
        (403, Some("api-usage=3/3"))
    );
    assert_eq!(body(&refused)[0]["errorCode"], "REQUEST_LIMIT_EXCEEDED");
    desk.later(23 * 3600);
    assert_eq!(query(&mut desk).status, 403);
    desk.later(2 * 3600);
    let answer = query(&mut desk);
    assert_eq!(
        (answer.status, answer.header("sforce-limit-info")),
        (200, Some("api-usage=1/3"))
    );
}
