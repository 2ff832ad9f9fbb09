//! Bearer tokens: permissions, lifetime, creation and revocation.

use std::time::Duration;

use dewy_domain::caller::Persona;
use dewy_store::StaffAccount;
use serde_json::json;

use crate::{
    browser::{Browser, Page},
    mcp::{Era, Mcp},
    rest::Rest,
    test_hotel::{TestHotel, dewy},
};

const BETH: &str = "beth.gibbs@email.com";
const FRONT_DESK: &str = "frontdesk@dewy.example";
const MANAGER: &str = "manager@dewy.example";

/// Runs the binary beside the open hotel; what it printed, or what it complained.
fn run(hotel: &TestHotel, arguments: &[&str]) -> Result<String, String> {
    let out = dewy(hotel.environment(), arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    if out.status.success() {
        Ok(text(&out.stdout))
    } else {
        Err(text(&out.stderr))
    }
}

/// The names in the caller's list of tools.
async fn tools(mcp: &Mcp) -> Vec<String> {
    let (status, list) = mcp.send(Era::Modern, "tools/list", json!({})).await;
    assert_eq!(status, 200, "{list}");
    let tools = list["result"]["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

fn writing() -> Vec<&'static str> {
    dewy_domain::tool_catalog::all()
        .iter()
        .filter(|tool| tool.writes)
        .map(|tool| tool.name)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_token_has_no_tool_that_writes() {
    let hotel = TestHotel::open().await;
    let url = &hotel.server.public_url;
    for (flag, email, persona) in [("--guest", BETH, "guest"), ("--staff", MANAGER, "staff")] {
        let token = run(
            &hotel,
            &[
                "token",
                "create",
                flag,
                email,
                "--read-only",
                "--name",
                "a dashboard",
            ],
        )
        .unwrap();
        assert_eq!(token.lines().count(), 1, "the token and nothing else");
        let (mcp, rest) = (
            Mcp::new(url, persona, token.trim()),
            Rest::new(url, persona, token.trim()),
        );
        let list = tools(&mcp).await;
        assert!(
            list.contains(&"get_folio".to_owned())
                && list.iter().all(|name| !writing().contains(&name.as_str()))
        );
        let order = json!({ "amount": 25000, "guest_email": BETH });
        assert_eq!(
            rest.call("process_guest_checkout", Some("t"), &order)
                .await
                .status_and_code(),
            (404, "UNKNOWN_TOOL")
        );
        let params = json!({ "name": "process_guest_checkout", "arguments": { "amount": 25000, "idempotency_token": "t" } });
        let (_, answer) = mcp.send(Era::Modern, "tools/call", params).await;
        assert_eq!(
            answer["error"]["message"],
            "unknown tool: process_guest_checkout"
        );
        assert_eq!(
            rest.call("get_folio", None, &json!({ "guest_email": BETH }))
                .await
                .status,
            200
        );
    }
    assert_eq!(
        hotel.state()["stripe"]["payment_intents"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staff_token_never_exceeds_its_owner() {
    let hotel = TestHotel::open().await;
    let url = &hotel.server.public_url;
    let narrow = run(
        &hotel,
        &[
            "token",
            "create",
            "--staff",
            MANAGER,
            "--role",
            "housekeeping",
        ],
    )
    .unwrap();
    let narrow = Mcp::new(url, "staff", narrow.trim());
    assert!(!tools(&narrow).await.contains(&"get_folio".to_owned()));
    let refused = run(
        &hotel,
        &[
            "token", "create", "--staff", FRONT_DESK, "--role", "manager",
        ],
    )
    .unwrap_err();
    assert!(refused.contains("cannot do more than that"), "{refused}");
    assert!(
        run(
            &hotel,
            &["token", "create", "--guest", BETH, "--role", "manager"]
        )
        .is_err()
    );
    assert!(
        run(
            &hotel,
            &["token", "create", "--staff", FRONT_DESK, "--role", "king"]
        )
        .unwrap_err()
        .contains("housekeeping")
    );

    // Who loses a role loses it in their tokens as well, at once; who is shut out has none.
    let wide = run(
        &hotel,
        &[
            "token",
            "create",
            "--staff",
            MANAGER,
            "--role",
            "front_desk",
        ],
    )
    .unwrap();
    let wide = Mcp::new(url, "staff", wide.trim());
    assert!(tools(&wide).await.contains(&"get_folio".to_owned()));
    let account = hotel
        .server
        .store
        .staff_by_email(&MANAGER.into())
        .await
        .unwrap()
        .unwrap();
    let now = |role: &str, disabled| StaffAccount {
        role: role.to_owned(),
        disabled,
        ..account.clone()
    };
    hotel
        .server
        .store
        .upsert_staff(&now("housekeeping", false))
        .await
        .unwrap();
    assert!(!tools(&wide).await.contains(&"get_folio".to_owned()));
    hotel
        .server
        .store
        .upsert_staff(&now("maintenance", false))
        .await
        .unwrap();
    let denied = async |mcp: &Mcp| {
        mcp.message(Era::Modern, "tools/list", json!({}))
            .send()
            .await
            .unwrap()
            .status()
    };
    assert_eq!(denied(&narrow).await, 401, "neither role covers the other");
    hotel
        .server
        .store
        .upsert_staff(&now("manager", true))
        .await
        .unwrap();
    assert_eq!(denied(&wide).await, 401);
    assert_eq!(
        Rest::new(url, "staff", &wide.token)
            .call("get_folio", None, &json!({}))
            .await
            .status,
        401
    );
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_listed_used_revoked_and_expire() {
    let hotel = TestHotel::open().await;
    let url = &hotel.server.public_url;
    let create = |more: &[&str]| {
        let arguments = [&["token", "create", "--guest", BETH][..], more].concat();
        run(&hotel, &arguments).unwrap().trim().to_owned()
    };
    let (robot, other) = (
        create(&["--name", "Robot", "--expires", "30"]),
        create(&["--days", "1", "--read-only"]),
    );
    let list = run(&hotel, &["token", "list"]).unwrap();
    assert!(
        !list.contains(&robot) && !list.contains(&other),
        "only hashes are kept"
    );
    let line = |list: &str, name: &str| {
        list.lines()
            .find(|line| line.ends_with(name))
            .unwrap()
            .to_owned()
    };
    assert!(
        line(&list, "Robot").contains("never") && line(&list, "command line").contains("read only"),
        "{list}"
    );
    let rest = Rest::new(url, "guest", &robot);
    assert_eq!(rest.call("get_folio", None, &json!({})).await.status, 200);
    let list = run(&hotel, &["token", "list"]).unwrap();
    assert!(!line(&list, "Robot").contains("never"), "{list}");
    let stored = hotel.server.store.tokens().await.unwrap();
    let stored = stored
        .into_iter()
        .find(|token| token.token.name == "Robot")
        .unwrap();
    let days = stored
        .token
        .expires_at
        .unwrap()
        .duration_since(stored.token.created_at)
        .as_hours()
        / 24;
    assert_eq!(days, 30);
    // At most one write a minute, however often it is used.
    rest.call("get_folio", None, &json!({})).await;
    let later = hotel
        .server
        .store
        .find_token_by_id(&stored.id())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(later.last_used_at, stored.last_used_at);

    assert!(
        run(&hotel, &["token", "revoke", &stored.id()])
            .unwrap()
            .contains(&stored.id())
    );
    assert_eq!(
        rest.call("get_folio", None, &json!({}))
            .await
            .status_and_code(),
        (401, "NOT_SIGNED_IN")
    );
    assert!(
        run(&hotel, &["token", "revoke", &stored.id()])
            .unwrap_err()
            .contains("already revoked")
    );
    assert!(
        run(&hotel, &["token", "revoke", "tok_none"])
            .unwrap_err()
            .contains("token list")
    );
    assert!(line(&run(&hotel, &["token", "list"]).unwrap(), "Robot").contains("revoked"));
    assert_eq!(
        Rest::new(url, "guest", &other)
            .call("get_folio", None, &json!({}))
            .await
            .status,
        200
    );
    // As managers see them
    hotel.token_for(Persona::Guest, BETH, Duration::ZERO).await;
    let manager = hotel.browser().staff(MANAGER).await;
    let page = manager.open("/staff/tokens").await;
    page.has(&[
        "You see everybody’s.",
        "on the command line",
        "eading only",
        "Expired",
        "Revoked",
    ]);
    let offers = page.text.matches("aria-label=\"Revoke ").count();
    assert_eq!(offers, 1, "one was revoked, and one has expired");
    hotel.close().await;
}

/// The token on the page, if it shows one.
fn shown(page: &Page) -> Option<String> {
    let (_, after) = page.text.split_once("id=\"new-token\">")?;
    after.split('<').next().map(str::to_owned)
}

async fn make(browser: &Browser, fields: &[(&str, &str)]) -> Page {
    let sent = browser.send("/form/make_token", fields).await;
    assert_eq!(
        (sent.status, sent.location().ends_with("/staff/tokens")),
        (303, true),
        "{}",
        sent.text
    );
    browser.open("/staff/tokens").await
}

#[tokio::test]
async fn staff_create_and_revoke_tokens_on_their_page() {
    let hotel = TestHotel::open().await;
    let url = &hotel.server.public_url;
    let (manager, desk) = (
        hotel.browser().staff(MANAGER).await,
        hotel.browser().staff(FRONT_DESK).await,
    );
    let page = make(
        &desk,
        &[
            ("name", "My <b>robot</b>"),
            ("role", ""),
            ("days", "7"),
            ("read_only", "on"),
        ],
    )
    .await;
    let token = shown(&page).expect("it is shown");
    assert!(page.text.contains("My &lt;b&gt;robot") && !page.text.contains("<b>robot"));
    assert_eq!(shown(&desk.open("/staff/tokens").await), None, "once");
    let mcp = Mcp::new(url, "staff", &token);
    assert!(
        tools(&mcp)
            .await
            .iter()
            .all(|name| !writing().contains(&name.as_str()))
    );
    let kept = hotel.server.store.tokens().await.unwrap();
    assert_eq!(
        (kept.len(), kept[0].token.created_by.as_deref()),
        (1, Some("staff:frontdesk@dewy.example"))
    );

    // Nobody makes tokens for others but a manager, whatever the form says; nor for a higher role.
    for fields in [
        [
            ("name", "x"),
            ("days", "7"),
            ("persona", "guest"),
            ("email", BETH),
            ("role", ""),
        ],
        [
            ("name", "x"),
            ("days", "7"),
            ("persona", "staff"),
            ("email", MANAGER),
            ("role", ""),
        ],
        [
            ("name", "x"),
            ("days", "7"),
            ("persona", "staff"),
            ("email", ""),
            ("role", "manager"),
        ],
        [
            ("name", ""),
            ("days", "0"),
            ("persona", "staff"),
            ("email", ""),
            ("role", ""),
        ],
    ] {
        let page = make(&desk, &fields).await;
        assert!(
            shown(&page).is_none() && page.text.contains("No token was created"),
            "{fields:?}"
        );
    }
    // What was entered is shown again, with what is wrong
    let page = make(
        &desk,
        &[("name", "Robot"), ("days", "soon"), ("read_only", "on")],
    )
    .await;
    page.has(&["#days", "value=\"Robot\"", "checked"]);
    let page = make(&manager, &[("name", "x"), ("days", "1"), ("role", "king")]).await;
    page.has(&["#role"]);
    let fields = [
        ("name", "Beth’s agent"),
        ("days", "7"),
        ("persona", "guest"),
        ("email", BETH),
        ("role", ""),
    ];
    let page = make(&manager, &fields).await;
    let guest = shown(&page).expect("a manager may");
    assert!(
        page.text.contains("My &lt;b&gt;robot"),
        "managers see everybody's"
    );
    assert!(
        !desk.open("/staff/tokens").await.text.contains("agent"),
        "others their own"
    );
    assert_eq!(
        Rest::new(url, "guest", &guest)
            .call("get_folio", None, &json!({}))
            .await
            .status,
        200
    );

    let tokens = hotel.server.store.tokens().await.unwrap();
    let id = |name: &str| {
        tokens
            .iter()
            .find(|t| t.token.name.starts_with(name))
            .unwrap()
            .id()
    };
    desk.send("/form/revoke_token", &[("id", &id("Beth"))])
        .await;
    assert_eq!(
        Rest::new(url, "guest", &guest)
            .call("get_folio", None, &json!({}))
            .await
            .status,
        200,
        "not theirs"
    );
    manager
        .send("/form/revoke_token", &[("id", &id("Beth"))])
        .await;
    assert_eq!(
        Rest::new(url, "guest", &guest)
            .call("get_folio", None, &json!({}))
            .await
            .status,
        401
    );
    desk.send("/form/revoke_token", &[("id", &id("My"))]).await;
    assert_eq!(
        mcp.message(Era::Modern, "tools/list", json!({}))
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
    assert!(desk.open("/staff/tokens").await.text.contains("Revoked"));
    assert!(
        hotel
            .browser()
            .open("/staff/tokens")
            .await
            .location()
            .contains("/staff/sign-in")
    );
    hotel.close().await;
}
