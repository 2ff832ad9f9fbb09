//! Pay pages of a hotel with real Stripe and Twilio keys; a separate sandbox plays both systems.

use dewy_app::PAY_SCRIPT_PATH;
use dewy_connectors::Country;
use dewy_domain::{hotel_profile::HotelProfile, money::Currency};
use dewy_orchestrators::BookingLimit;
use dewy_server::{
    config::HotelConfig,
    startup::sandbox::{self, RunningSandbox},
};

use crate::{pages::hidden_fields, prelude::*};

pub struct LiveHotel {
    hotel: TestHotel,
    pub sandbox: RunningSandbox,
    _folder: tempfile::TempDir,
}

impl LiveHotel {
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let file = folder.path().join("outside.db");
        let house = HotelConfig {
            time_zone: jiff::tz::TimeZone::UTC,
            day_changes_at: jiff::civil::Time::midnight(),
            currency: Currency::USD,
            country: Country::default(),
            booking_limit: BookingLimit::default(),
            hold_per_night: None,
            profile: HotelProfile::default(),
            photo: None,
            room_photos: Default::default(),
        };
        let sandbox = sandbox::start(listener, &file, &house, false, Arc::new(RealClock))
            .await
            .unwrap();
        let keys = [
            ("DEWY_MODE", "trial"),
            ("SANDBOX_URL", sandbox.url.as_str()),
            ("STRIPE_API_BASE", &sandbox.url),
            ("STRIPE_SECRET_KEY", "sk_test_live"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_dewy"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_live"),
            ("TWILIO_API_BASE", &sandbox.url),
            ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000"),
            ("TWILIO_AUTH_TOKEN", "live"),
            ("TWILIO_FROM", "+12125550190"),
        ];
        let hotel = TestHotel::with(&keys).await;
        Self {
            hotel,
            sandbox,
            _folder: folder,
        }
    }

    /// Signs in with the code that came to the guest's phone; answers where that leads.
    pub async fn guest(&self, email: &str, next: &str) -> (Browser, String) {
        let browser = self.hotel.browser();
        let before = self.texts().len();
        browser
            .send("/form/send_code", &[("email", email), ("next", next)])
            .await;
        let deadline = Instant::now() + Duration::from_secs(20);
        let text = loop {
            if let Some(text) = self.texts().into_iter().nth(before) {
                break text;
            }
            assert!(Instant::now() < deadline, "no code was sent");
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let page = browser.enter(&text[..6]).await;
        let location = path_of(page.location());
        (browser, location)
    }

    fn texts(&self) -> Vec<String> {
        let state = self.sandbox.sandbox.state();
        let all = state["twilio"]["messages"].as_array().unwrap();
        all.iter()
            .map(|one| one["body"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Amount and last digits of every payment that was taken.
    fn taken(&self) -> Vec<(i64, String)> {
        let state = self.sandbox.sandbox.state();
        let all = state["stripe"]["charges"].as_array().unwrap();
        let taken = all.iter().filter(|one| one["status"] == "succeeded");
        let words = |one: &Value| {
            one["payment_method_details"]["card"]["last4"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        taken
            .map(|one| (one["amount"].as_i64().unwrap(), words(one)))
            .collect()
    }

    async fn until_taken(&self) -> Vec<(i64, String)> {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.taken().is_empty() {
            assert!(Instant::now() < deadline, "nothing was taken");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.taken()
    }

    pub async fn close(self) {
        self.hotel.close().await;
        self.sandbox.stop().await;
    }
}

/// A directive's sources.
fn sources<'a>(policy: &'a str, name: &str) -> Vec<&'a str> {
    let found = policy
        .split(';')
        .map(str::trim)
        .find(|part| part.split(' ').next() == Some(name));
    found
        .map(|part| part.split(' ').skip(1).collect())
        .unwrap_or_default()
}

#[tokio::test]
async fn only_pay_pages_allow_stripes_hosts() {
    let live = LiveHotel::open().await;
    let (browser, _) = live.guest(BETH, "").await;
    for path in [
        "/guest/check-out",
        "/guest/check-out?booking=BK-0042",
        "/guest/pay?card=crd_none",
        "/guest/pay",
    ] {
        let page = browser.open(path).await;
        let policy = page.header("content-security-policy");
        assert_eq!(
            sources(policy, "frame-src"),
            [
                "https://js.stripe.com",
                "https://*.js.stripe.com",
                "https://hooks.stripe.com"
            ],
            "{path}: {policy}"
        );
        assert_eq!(
            sources(policy, "connect-src"),
            ["'self'", "https://api.stripe.com"],
            "{path}"
        );
        assert!(
            sources(policy, "script-src").contains(&"https://js.stripe.com"),
            "{path}"
        );
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(sources(policy, "form-action"), ["'self'"], "{path}");
        assert_eq!(sources(policy, "frame-ancestors"), ["'none'"], "{path}");
    }
    let page = browser.open("/guest/check-out").await;
    page.has(&[
        "data-key=\"pk_test_dewy\"",
        "data-amount=\"25000\"",
        "data-currency=\"usd\"",
        &PAY_SCRIPT_PATH,
        "Visa •••• 4242",
        "Another card",
        "needs JavaScript",
        "Pay $250.00 and check out",
        // The saved one is chosen
        "value=\"pm_1BethVisa4242\" checked",
    ]);
    page.lacks(&["Test card", "front desk.</p>"]);
    // Nothing is shown that the hotel did not configure
    let home = browser.open("/guest").await;
    home.has(&["class=\"room-picture\"", "Room 302"]);
    home.lacks(&["Good to know", "Wi-Fi", "Breakfast", "Getting here"]);
    let nonce = page
        .text
        .split("<script defer nonce=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(
        page.header("content-security-policy")
            .contains(&format!("'nonce-{nonce}'"))
    );
    for path in [
        "/",
        "/rooms",
        "/guest",
        "/guest/folio",
        "/guest/concierge",
        "/guest/bookings",
        "/guest/sign-in",
        "/staff/sign-in",
    ] {
        let page = browser.open(path).await;
        assert!(
            !page.header("content-security-policy").contains("stripe"),
            "{path}"
        );
        assert!(
            !page.text.contains(PAY_SCRIPT_PATH.as_str()) && !page.text.contains("pk_test_dewy"),
            "{path}"
        );
    }
    let script = browser.open(&PAY_SCRIPT_PATH).await;
    assert!(script.header("content-type").starts_with("text/javascript"));
    assert!(
        script.header("cache-control").contains("immutable")
            && script.text.contains("https://js.stripe.com/")
    );
    live.close().await;

    let demo = TestHotel::open().await;
    let page = demo
        .browser()
        .guest(BETH)
        .await
        .open("/guest/check-out")
        .await;
    assert!(
        !page.header("content-security-policy").contains("stripe")
            && !page.text.contains("data-new-card")
    );
}

#[tokio::test]
async fn a_new_card_pays_through_the_usual_form() {
    let live = LiveHotel::open().await;
    let (browser, _) = live.guest(BETH, "").await;
    // It is not lost when something else was wrong
    let fields = "booking_number=BK-0042&amount=many&payment_method_id=pm_1Typed";
    let page = browser.submit("check_out", fields).await;
    page.has(&["The card you typed", "value=\"pm_1Typed\" checked"]);
    let page = browser.open("/guest/check-out").await;
    let mut fields = hidden_fields(&page.text);
    fields.retain(|(name, _)| name != "payment_method_id");
    fields.push((
        "payment_method_id".to_owned(),
        "pm_card_mastercard".to_owned(),
    ));
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let first = browser.send("/form/check_out", &fields).await;
    // The same form twice, as an impatient finger sends it
    let second = browser.send("/form/check_out", &fields).await;
    assert!(
        first.location().contains("/guest/execution/exe_"),
        "{} {}",
        first.status,
        first.location()
    );
    assert_eq!(first.location(), second.location());
    assert_eq!(live.until_taken().await, [(25000, "4444".to_owned())]);
}

#[tokio::test]
async fn the_payment_url_of_a_tool_opens_a_pay_page() {
    let live = LiveHotel::open().await;
    let nora = Caller::guest(NORA, Interface::Mcp);
    let ask = async |tool: &str, input: Value| {
        let token = Some("t1".to_owned()).filter(|_| tool != "get_folio");
        let call = ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: token,
            wait: None,
        };
        live.hotel
            .server
            .hotel
            .dispatch(&nora, call)
            .await
            .body(Persona::Guest)
    };
    let folio = ask("get_folio", json!({})).await;
    let answer = ask(
        "process_guest_checkout",
        json!({ "amount": folio["data"]["balance"] }),
    )
    .await;
    let url = answer["pending"]["next_action_url"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"))
        .to_owned();
    let page = path_of(&url);
    assert!(
        url.starts_with(&live.hotel.server.public_url)
            && page.contains("/guest/check-out?booking="),
        "{url}"
    );

    let door = live.hotel.browser().open(&page).await;
    let door = path_of(door.location());
    assert!(
        door.starts_with("/guest/sign-in?next=%2Fguest%2Fcheck-out"),
        "{door}"
    );
    let (browser, landed) = live.guest(NORA, &page).await;
    assert_eq!(landed, page, "who signs in comes back to it");
    let page = browser.open(&landed).await;
    // Without a script there is nothing to press, and nothing to choose between
    page.has(&[
        "data-new-card",
        "You have no card on file. ",
        "<button hidden",
    ]);
    page.lacks(&["type=\"radio\""]);
    let fields = "booking_number=BK-0024&amount=55800&payment_method_id=";
    let page = browser.submit("check_out", fields).await;
    page.has(&["Choose a card to pay with", "id=\"payment_method_id\""]);
    assert!(live.taken().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_in_chat_takes_another_card_and_is_checked_out() {
    let live = LiveHotel::open().await;
    let (browser, _) = live.guest(BETH, "").await;
    let said = browser
        .post(
            "concierge_say",
            "text=I%27d+like+to+check+out&idempotency_token=t1",
        )
        .await;
    let conversation = path_of(said.location());
    let page = browser.open(&conversation).await;
    let link = page
        .text
        .split("href=\"/guest/pay?card=")
        .nth(1)
        .unwrap_or_else(|| panic!("{}", page.text));
    let card = link.split('"').next().unwrap();
    page.has(&["Pay with another card"]);
    page.lacks(&["/pkg/pay-"]);
    for path in ["/guest/pay?card=crd_2", "/guest/pay"] {
        assert_eq!(browser.open(path).await.status, 404, "{path}");
    }

    let pay = browser.open(&format!("/guest/pay?card={card}")).await;
    assert_eq!(pay.status, 200);
    pay.has(&[
        "data-amount=\"25000\"",
        "Check out of room 302 (booking BK-0042) and pay $250.00, the whole balance?",
        "Check-out is final.",
        "name=\"choice\"",
        "name=\"answer\" value=\"yes\"",
        "action=\"/form/concierge_decide\"",
        &format!("href=\"{conversation}\""),
        "Saved card: Visa •••• 4242",
        "open until",
        // Nothing is chosen before
        "value=\"pm_1BethVisa4242\" required",
    ]);
    pay.lacks(&["id=\"dock\""]);
    let nonce = pay
        .text
        .split("name=\"nonce\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let answer = |choice| {
        [
            ("card", card),
            ("nonce", nonce),
            ("answer", "yes"),
            ("choice", choice),
        ]
    };
    let refused = browser
        .send("/form/concierge_decide", &answer("4242424242424242"))
        .await;
    assert!(
        live.taken().is_empty() && refused.location().ends_with("/guest/concierge"),
        "{}",
        refused.location()
    );
    let sent = browser
        .send("/form/concierge_decide", &answer("pm_card_mastercard"))
        .await;
    assert_eq!(
        path_of(sent.location()),
        conversation,
        "back to where it was asked"
    );
    assert_eq!(live.until_taken().await, [(25000, "4444".to_owned())]);
    let over = browser.open(&format!("/guest/pay?card={card}")).await;
    assert_eq!(
        path_of(over.location()),
        conversation,
        "what is over is read there"
    );
    let done = browser.open(&conversation).await.text;
    assert!(
        done.contains("data-state=\"done\"") && !done.contains("/guest/pay?card="),
        "{done}"
    );
}
