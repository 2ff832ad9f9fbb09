//! Bearer tokens: permissions, lifetime, creation and revocation.

use dewy_store::StaffAccount;

use crate::prelude::*;

/// Runs the binary beside the open hotel; what it printed, or what it complained.
fn run(hotel: &TestHotel, arguments: &str) -> Result<String, String> {
    let arguments: Vec<_> = arguments.split(' ').collect();
    let out = dewy(hotel.environment(), &arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    match out.status.success() {
        true => Ok(text(&out.stdout).trim().to_owned()),
        false => Err(text(&out.stderr)),
    }
}

/// The names in the caller's list of tools.
async fn tools(mcp: &Mcp) -> Vec<String> {
    let (status, list) = mcp.send(Era::Modern, "tools/list", json!({})).await;
    assert_eq!(status, 200, "{list}");
    let tools = list["result"]["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
    names.collect()
}

async fn can_read(mcp: &Mcp) -> bool {
    tools(mcp).await.contains(&"get_folio".to_owned())
}

async fn can_write(mcp: &Mcp) -> bool {
    let mut all = dewy_domain::tool_catalog::all().iter();
    let tools = tools(mcp).await;
    all.any(|tool| tool.writes && tools.iter().any(|name| name == tool.name))
}

/// Status of a read with that token.
async fn reads(hotel: &TestHotel, persona: &str, token: &str) -> u16 {
    let rest = Rest::new(&hotel.server.public_url, persona, token);
    let input = json!({ "guest_email": BETH });
    rest.call("get_folio", None, &input).await.status
}

async fn denied(mcp: &Mcp) -> bool {
    let listed = mcp.message(Era::Modern, "tools/list", json!({})).send();
    listed.await.unwrap().status() == 401
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_token_has_no_tool_that_writes() {
    let hotel = TestHotel::open().await;
    let url = &hotel.server.public_url;
    for (flag, email, persona) in [("--guest", BETH, "guest"), ("--staff", MANAGER, "staff")] {
        let create = format!("token create {flag} {email} --read-only --name dashboard");
        let token = run(&hotel, &create).unwrap();
        assert_eq!(token.lines().count(), 1, "the token and nothing else");
        let mcp = Mcp::new(url, persona, &token);
        assert!(can_read(&mcp).await && !can_write(&mcp).await);
        let (pay, order) = (
            "process_guest_checkout",
            json!({ "amount": 25000, "guest_email": BETH }),
        );
        let refused = Rest::new(url, persona, &token);
        let refused = refused.call(pay, Some("t"), &order).await;
        assert_eq!(refused.status_and_code(), (404, "UNKNOWN_TOOL"));
        let arguments = json!({ "amount": 25000, "idempotency_token": "t" });
        let params = json!({ "name": pay, "arguments": arguments });
        let (_, answer) = mcp.send(Era::Modern, "tools/call", params).await;
        assert_eq!(answer["error"]["message"], format!("unknown tool: {pay}"));
        assert_eq!(reads(&hotel, persona, &token).await, 200);
    }
    assert_eq!(hotel.state()["stripe"]["payment_intents"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staff_token_never_exceeds_its_owner() {
    let hotel = TestHotel::open().await;
    let create =
        |owner: &str, role: &str| run(&hotel, &format!("token create {owner} --role {role}"));
    let of = |token: Result<String, String>| {
        Mcp::new(&hotel.server.public_url, "staff", &token.unwrap())
    };
    let narrow = of(create("--staff manager@dewy.example", "housekeeping"));
    assert!(!can_read(&narrow).await);
    for (owner, role, told) in [
        (
            "--staff frontdesk@dewy.example",
            "manager",
            "cannot do more than that",
        ),
        ("--guest beth.gibbs@email.com", "manager", ""),
        ("--staff frontdesk@dewy.example", "king", "housekeeping"),
    ] {
        let refused = create(owner, role).unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }

    // Who loses a role loses it in their tokens as well, at once; who is shut out has none.
    let wide = of(create("--staff manager@dewy.example", "front_desk"));
    assert!(can_read(&wide).await);
    let now = async |role: &str, disabled| {
        let change = |account: &mut StaffAccount| {
            role.clone_into(&mut account.role);
            account.disabled = disabled;
        };
        hotel.change_staff(MANAGER, change).await;
    };
    now("housekeeping", false).await;
    assert!(!can_read(&wide).await);
    now("maintenance", false).await;
    assert!(denied(&narrow).await, "neither role covers the other");
    now("manager", true).await;
    assert!(denied(&wide).await);
    assert_eq!(reads(&hotel, "staff", &wide.token).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_listed_used_revoked_and_expire() {
    let hotel = TestHotel::open().await;
    let create = |more: &str| run(&hotel, &format!("token create --guest {BETH} {more}")).unwrap();
    let robot = create("--name Robot --expires 30");
    let other = create("--days 1 --read-only");
    let line = |name: &str| {
        let list = run(&hotel, "token list").unwrap();
        let only_hashes = !list.contains(&robot) && !list.contains(&other);
        assert!(only_hashes, "{list}");
        let mut lines = list.lines();
        lines.find(|line| line.ends_with(name)).unwrap().to_owned()
    };
    assert!(line("Robot").contains("never"));
    assert!(line("command line").contains("read only"));
    assert_eq!(reads(&hotel, "guest", &robot).await, 200);
    assert!(!line("Robot").contains("never"));
    let store = &hotel.server.store;
    let mut stored = store.tokens().await.unwrap().into_iter();
    let stored = stored.find(|token| token.token.name == "Robot").unwrap();
    let (id, lasts) = (stored.id(), stored.token.expires_at.unwrap());
    let lasts = lasts.duration_since(stored.token.created_at);
    assert_eq!(lasts.as_hours() / 24, 30);
    // At most one write a minute, however often it is used.
    reads(&hotel, "guest", &robot).await;
    let later = store.find_token_by_id(&id).await.unwrap().unwrap();
    assert_eq!(later.last_used_at, stored.last_used_at);

    let revoke = |id: &str| run(&hotel, &format!("token revoke {id}"));
    assert!(revoke(&id).unwrap().contains(&id));
    let refused = Rest::new(&hotel.server.public_url, "guest", &robot);
    let refused = refused.call("get_folio", None, &json!({})).await;
    assert_eq!(refused.status_and_code(), (401, "NOT_SIGNED_IN"));
    assert!(revoke(&id).unwrap_err().contains("already revoked"));
    assert!(revoke("tok_none").unwrap_err().contains("token list"));
    assert!(line("Robot").contains("revoked"));
    assert_eq!(reads(&hotel, "guest", &other).await, 200);
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
}

fn shown(page: &Page) -> Option<String> {
    let (_, after) = page.text.split_once("id=\"new-token\">")?;
    after.split('<').next().map(str::to_owned)
}

async fn make(browser: &Browser, fields: &str) -> Page {
    let sent = browser.post("make_token", fields).await;
    assert_eq!((sent.status, sent.to().as_str()), (303, "/staff/tokens"));
    browser.open("/staff/tokens").await
}

#[tokio::test]
async fn staff_create_and_revoke_tokens_on_their_page() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff(MANAGER).await;
    let desk = hotel.browser().staff(FRONT_DESK).await;
    let fields = "name=My+%3Cb%3Erobot%3C%2Fb%3E&role=&days=7&read_only=on";
    let page = make(&desk, fields).await;
    let token = shown(&page).expect("it is shown");
    page.has(&["My &lt;b&gt;robot"]);
    page.lacks(&["<b>robot"]);
    assert_eq!(shown(&desk.open("/staff/tokens").await), None, "once");
    let mcp = Mcp::new(&hotel.server.public_url, "staff", &token);
    assert!(!can_write(&mcp).await);
    let kept = hotel.server.store.tokens().await.unwrap();
    let by = kept[0].token.created_by.as_deref();
    assert_eq!((kept.len(), by), (1, Some("staff:frontdesk@dewy.example")));

    // Nobody makes tokens for others but a manager, whatever the form says; nor for a higher role.
    for fields in [
        "name=x&days=7&persona=guest&email=beth.gibbs%40email.com&role=",
        "name=x&days=7&persona=staff&email=manager%40dewy.example&role=",
        "name=x&days=7&persona=staff&email=&role=manager",
        "name=&days=0&persona=staff&email=&role=",
    ] {
        let page = make(&desk, fields).await;
        page.has(&["No token was created"]);
        assert!(shown(&page).is_none(), "{fields}");
    }
    // What was entered is shown again, with what is wrong
    let page = make(&desk, "name=Robot&days=soon&read_only=on").await;
    page.has(&["#days", "value=\"Robot\"", "checked"]);
    let page = make(&manager, "name=x&days=1&role=king").await;
    page.has(&["#role"]);
    let fields =
        "name=Beth%E2%80%99s+agent&days=7&persona=guest&email=beth.gibbs%40email.com&role=";
    let page = make(&manager, fields).await;
    let guest = shown(&page).expect("a manager may");
    // Managers see everybody's, others their own
    page.has(&["My &lt;b&gt;robot"]);
    desk.open("/staff/tokens").await.lacks(&["agent"]);
    assert_eq!(reads(&hotel, "guest", &guest).await, 200);

    let tokens = hotel.server.store.tokens().await.unwrap();
    let revoke = async |browser: &Browser, name: &str| {
        let named = tokens
            .iter()
            .find(|token| token.token.name.starts_with(name));
        let fields = format!("id={}", named.unwrap().id());
        browser.post("revoke_token", &fields).await;
    };
    revoke(&desk, "Beth").await;
    assert_eq!(reads(&hotel, "guest", &guest).await, 200, "not theirs");
    revoke(&manager, "Beth").await;
    assert_eq!(reads(&hotel, "guest", &guest).await, 401);
    revoke(&desk, "My").await;
    assert!(denied(&mcp).await);
    desk.open("/staff/tokens").await.has(&["Revoked"]);
    hotel
        .browser()
        .is_sent_to("/staff/tokens", "/staff/sign-in")
        .await;
}
