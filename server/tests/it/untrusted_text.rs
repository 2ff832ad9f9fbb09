//! Text written by guests, CRM users or models is never interpreted as markup or as a formula, on
//! any page and in any table.

use dewy_app::routes;
use dewy_domain::concierge::MAX_MESSAGE_LENGTH;
use dewy_sandbox::Sandbox;
use serde_json::Map;

use crate::{
    concierge::scripted_hotel::{ScriptStep, ScriptedHotel, beth, front_desk},
    pay_pages::LiveHotel,
    prelude::*,
};

/// Closes any surrounding element, opens an element with an attribute, and starts a formula.
const HOSTILE: &str = r#"="'><zqx zqx=1></title></textarea>"#;
/// As a page shows it where it is escaped at all.
const ESCAPED: &str = "&lt;zqx zqx=1&gt;";
/// Pages of one route that are opened, of each persona: enough for every kind of record behind it.
const OF_EACH: usize = 12;
/// Routes that the crawl can't reach: the pay page, tested separately below, and an old redirect.
const ELSEWHERE: [&str; 2] = ["/guest/pay", "/staff/today"];

/// Fields of the CRM that hold free text.
const FREE_TEXT: [(&str, &[&str]); 5] = [
    (
        "Contact",
        &[
            "FirstName",
            "LastName",
            "Phone",
            "MobilePhone",
            "Loyalty_Number__c",
            "Title",
            "Description",
        ],
    ),
    ("Booking__c", &["Special_Requests__c"]),
    ("Opportunity", &["Name", "Description"]),
    ("Case", &["Subject", "Description"]),
    (
        "Hotel_Room__c",
        &["View__c", "Beds__c", "Description__c", "Features__c"],
    ),
];

/// Writes the hostile text into every record; how many fields took it, by name.
fn poison(sandbox: &Sandbox) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for (object, fields) in FREE_TEXT {
        for record in sandbox.state()["salesforce"][object]
            .as_array()
            .cloned()
            .unwrap_or_default()
        {
            for field in fields {
                let change: Map<String, Value> = [((*field).to_owned(), json!(HOSTILE))]
                    .into_iter()
                    .collect();
                if sandbox
                    .edit(object, record["Id"].as_str().unwrap(), &change)
                    .is_ok()
                {
                    *taken.entry(format!("{object}.{field}")).or_default() += 1;
                }
            }
        }
    }
    taken
}

/// What guests and staff themselves can write, through tools and forms.
async fn write(hotel: &TestHotel) -> String {
    let guest = hotel.guest_mcp(BETH).await;
    let staff = hotel.staff_mcp("manager@dewy.example").await;
    let done = async |mcp: &Mcp, tool: &str, mut input: Value| {
        input["idempotency_token"] = json!(format!("{HOSTILE}{tool}{}", input.to_string().len()));
        let answer = mcp.tool(tool, input).await;
        assert_eq!(answer["success"], true, "{answer}");
        answer
    };
    let request = json!({ "type": "Housekeeping", "description": HOSTILE });
    let request = done(&guest, "submit_guest_service_request", request).await;
    let charge = json!({ "room_number": "302", "amount": 1000, "description": HOSTILE });
    done(&staff, "post_charge", charge).await;
    let case = json!({ "type": "Maintenance", "subject": HOSTILE, "description": HOSTILE, "room_number": "302" });
    let case = done(&staff, "manage_cases", case).await;
    let comment = json!({ "case_number": case["data"]["case_number"], "comment": HOSTILE });
    done(&staff, "manage_cases", comment).await;
    let contact =
        json!({ "email": "mark@example.com", "first_name": HOSTILE, "last_name": HOSTILE });
    done(&staff, "create_contact_if_not_found", contact).await;
    let booking = json!({ "guest_email": "mark@example.com", "guest_first_name": HOSTILE, "guest_last_name": HOSTILE,
        "room_type": "Standard", "check_in_date": day(1), "check_out_date": day(2), "special_requests": HOSTILE });
    done(&staff, "create_booking", booking).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let note = [
        ("booking_number", "BK-0042"),
        ("body", HOSTILE),
        ("idempotency_token", "note"),
    ];
    manager.send("/form/add_note", &note).await;
    let token = [
        ("name", HOSTILE),
        ("persona", "guest"),
        ("email", BETH),
        ("role", ""),
        ("days", "1"),
    ];
    manager.send("/form/make_token", &token).await;
    request["execution_id"].as_str().unwrap().to_owned()
}

/// A guest checks out; answers the execution.
async fn check_out(hotel: &TestHotel, email: &str, card: &str) -> String {
    let guest = hotel.guest_mcp(email).await;
    let folio = guest.tool("get_folio", json!({})).await;
    let input = json!({ "amount": folio["data"]["balance"], "payment_method_id": card, "idempotency_token": "check-out" });
    let answer = guest.tool("process_guest_checkout", input).await;
    let id = answer["execution_id"].as_str();
    id.unwrap_or_else(|| panic!("{email}: {answer}")).to_owned()
}

/// What is wrong with a page: an element or an attribute that the text became, or an address that
/// is none.
fn faults(html: &str) -> Vec<String> {
    let lower = html.to_ascii_lowercase();
    let mut faults = Vec::new();
    if let Some(at) = lower.find("<zqx") {
        let from = (0..=at.saturating_sub(80))
            .rev()
            .find(|at| html.is_char_boundary(*at))
            .unwrap_or(0);
        faults.push(format!(
            "the text became an element: …{}",
            &html[from..at + 4]
        ));
    }
    for (tag, name, value) in attributes(html) {
        if name.contains("zqx")
            || !name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_:.@".contains(c))
        {
            faults.push(format!("the text became an attribute of <{tag}>"));
        }
        let goes = matches!(name.as_str(), "href" | "src" | "action" | "formaction");
        let ours = ["/", "#", "?", "https://", "http://", "mailto:", "tel:"]
            .iter()
            .any(|begin| value.starts_with(begin));
        if goes && !value.is_empty() && !ours {
            faults.push(format!("<{tag} {name}={value:?}> goes where it should not"));
        }
    }
    faults
}

/// Every attribute of every tag, as a browser reads them: (tag, name, value).
pub fn attributes(html: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end..]);
            continue;
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '>' || c == '/')
            .unwrap_or(rest.len());
        let (tag, mut inside) = (rest[..end].to_ascii_lowercase(), &rest[end..]);
        loop {
            inside = inside.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            if inside.is_empty() || inside.starts_with('>') {
                break;
            }
            let end = inside
                .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
                .unwrap_or(inside.len());
            let name = inside[..end.max(1)].to_ascii_lowercase();
            inside = inside[end.max(1)..].trim_start();
            let mut value = "";
            if let Some(after) = inside.strip_prefix('=') {
                let after = after.trim_start();
                (value, inside) = match after.chars().next() {
                    Some(quote @ ('"' | '\'')) => {
                        let text = &after[1..];
                        let end = text.find(quote).unwrap_or(text.len());
                        (&text[..end], text.get(end + 1..).unwrap_or(""))
                    }
                    _ => after.split_at(
                        after
                            .find(|c: char| c.is_whitespace() || c == '>')
                            .unwrap_or(after.len()),
                    ),
                };
            }
            found.push((tag.clone(), name, value.to_owned()));
        }
        rest = inside;
        if matches!(tag.as_str(), "script" | "style") {
            let close = format!("</{tag}");
            rest = rest.find(&close).map_or("", |end| &rest[end..]);
        }
    }
    found
}

/// Cells of a table that would begin a formula.
fn formulas(csv: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = csv.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' | '\n' | '\r' if !quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    cells.retain(|cell| cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
    cells
}

/// The route that a path belongs to; of several the one with the most words of its own.
fn route_of(path: &str, routes: &BTreeSet<String>) -> Option<String> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let fits = |route: &&String| {
        let of_route: Vec<&str> = route.trim_matches('/').split('/').collect();
        of_route.len() == parts.len()
            && of_route
                .iter()
                .zip(&parts)
                .all(|(a, b)| a.starts_with('{') || a == b)
    };
    routes
        .iter()
        .filter(fits)
        .min_by_key(|route| route.matches('{').count())
        .cloned()
}

/// Opens everything that can be reached by links; what was wrong, and which routes were shown.
struct Crawl<'a> {
    routes: &'a BTreeSet<String>,
    shown: BTreeSet<String>,
    tables: usize,
    with_text: usize,
    faults: Vec<String>,
}

impl Crawl<'_> {
    async fn everything(&mut self, browser: &Browser, starts: &[String]) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut waiting: Vec<String> = starts.iter().rev().cloned().collect();
        while let Some(path) = waiting.pop() {
            let bare = path.split(['?', '#']).next().unwrap_or_default().to_owned();
            let route = route_of(&bare, self.routes).unwrap_or(bare);
            let count = counts.entry(route.clone()).or_default();
            if !seen.insert(path.clone()) || *count >= OF_EACH || path.starts_with("/form/") {
                continue;
            }
            *count += 1;
            let page = browser.open(&path).await;
            if page.status == 200 {
                self.shown.insert(route);
            }
            assert!(page.status < 500, "{path}: {}", page.status);
            let kind = page.header("content-type").to_owned();
            if kind.starts_with("text/csv") {
                self.tables += 1;
                self.faults.extend(
                    formulas(&page.text)
                        .into_iter()
                        .map(|cell| format!("{path}: a formula: {cell}")),
                );
            }
            if kind.starts_with("text/html") {
                self.with_text += usize::from(page.text.contains(ESCAPED));
                self.faults.extend(
                    faults(&page.text)
                        .into_iter()
                        .map(|fault| format!("{path}: {fault}")),
                );
                let links = attributes(&page.text)
                    .into_iter()
                    .filter(|(_, name, _)| name == "href");
                let links = links.map(|(_, _, to)| {
                    to.replace("&amp;", "&")
                        .split('#')
                        .next()
                        .unwrap_or("")
                        .to_owned()
                });
                waiting.extend(links.filter(|to| to.starts_with('/') && !to.starts_with("/pkg/")));
            }
            if page.status == 303 {
                waiting.push(path_of(page.location()));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_or_table_interprets_text() {
    let over = ScriptStep::Calls(vec![("hand_over_to_staff", json!({ "reason": HOSTILE }))]);
    let scripted = ScriptedHotel::open(vec![ScriptStep::Words(HOSTILE), over]).await;
    let hotel = &scripted.hotel;
    let request = write(hotel).await;
    let taken = poison(hotel.sandbox());
    for field in [
        "Contact.FirstName",
        "Contact.LastName",
        "Booking__c.Special_Requests__c",
        "Case.Subject",
        "Case.Description",
    ] {
        assert!(
            taken.contains_key(field),
            "{field} was not written: {taken:?}"
        );
    }
    let thread = scripted.say(&beth(), HOSTILE).await;
    scripted.say(&beth(), "A person, please.").await;
    scripted
        .concierge
        .post_message(&front_desk(), Some(&thread.id), "d1", HOSTILE)
        .await
        .unwrap();

    // Check-outs as they can end: paid; refunded; and stuck, for a person to act on.
    let priya = hotel.browser().guest(PRIYA).await;
    let paid = check_out(hotel, PRIYA, "pm_card_visa").await;
    let refuse = async || {
        hotel
            .fault("salesforce", "composite", "unable_to_lock_row", 3, 0)
            .await
    };
    refuse().await;
    let refunded = check_out(hotel, BETH, "pm_card_visa").await;
    refuse().await;
    let stuck = check_out(hotel, NORA, "pm_card_createDispute").await;

    let routes: BTreeSet<String> = routes().iter().map(|route| route.path.to_owned()).collect();
    let echo: String = url::form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let asked = |path: &str, names: &str| {
        let query = names.split(' ').map(|name| format!("{name}={echo}"));
        format!("{path}?{}", query.collect::<Vec<_>>().join("&"))
    };
    let mut crawl = Crawl {
        routes: &routes,
        shown: BTreeSet::new(),
        tables: 0,
        with_text: 0,
        faults: Vec::new(),
    };
    let stranger = hotel.browser();
    for email in [HOSTILE, BETH] {
        let fields = [("email", email), ("next", HOSTILE)];
        stranger.send("/form/send_code", &fields).await;
    }
    let starts = [
        "/".to_owned(),
        asked(
            "/rooms",
            "check_in_date check_out_date number_of_guests room_type",
        ),
        "/guest/sign-in/code".to_owned(),
        "/booking/over".to_owned(),
        "/guest/sign-in".to_owned(),
        "/staff/sign-in".to_owned(),
        asked("/guest/sign-in", "next"),
        asked("/guest/sign-in/new", "next"),
    ];
    crawl.everything(&stranger, &starts).await;

    let guest = hotel.browser().guest(BETH).await;
    guest
        .send(
            "/form/ask",
            &[
                ("kind", HOSTILE),
                ("priority", HOSTILE),
                ("description", HOSTILE),
                ("room", HOSTILE),
            ],
        )
        .await;
    let search = format!(
        "/guest/book?check_in_date={}&check_out_date={}&number_of_guests=1",
        day(1),
        day(3)
    );
    let of_beth = |act: &str| format!("/guest/bookings/BK-0042/{act}");
    let starts = [
        "/guest",
        "/guest/folio",
        "/guest/check-out",
        "/guest/requests",
        "/guest/bookings",
        "/guest/story",
        "/guest/concierge",
        "/guest/account",
        "/guest/check-in",
        &search,
        &of_beth("change"),
        &of_beth("cancel"),
    ];
    let mut starts: Vec<String> = starts.map(str::to_owned).to_vec();
    starts.push(asked(
        "/guest/book",
        "check_in_date check_out_date number_of_guests room_type",
    ));
    starts.push(asked(
        "/guest/book/check",
        "room room_type check_in_date check_out_date special_requests",
    ));
    starts.push(asked("/guest/requests", "ask description kind"));
    starts.push(format!("/guest/execution/{request}"));
    starts.push(format!("/guest/receipt/{refunded}"));
    starts.push(format!(
        "/guest/book/check?check_in_date={0}&check_out_date={1}&room_number=100&number_of_guests=1",
        day(1),
        day(3)
    ));
    crawl.everything(&guest, &starts).await;
    crawl
        .everything(&priya, &[format!("/guest/receipt/{paid}")])
        .await;

    for email in ["manager@dewy.example", "housekeeping@dewy.example"] {
        let staff = hotel.browser().staff(email).await;
        let notes = [
            ("booking_number", "BK-0042"),
            ("body", ""),
            ("idempotency_token", HOSTILE),
        ];
        staff.send("/form/add_note", &notes).await;
        let mut starts: Vec<String> = vec!["/staff".to_owned()];
        starts.extend(
            routes
                .iter()
                .filter(|route| route.starts_with("/staff") && !route.contains('{'))
                .cloned(),
        );
        starts.push(asked("/staff/find", "q"));
        starts.push(asked("/staff/bulk/clean", "pick"));
        starts.push(asked("/staff/guests", "query q"));
        starts.push(asked("/staff/cases", "status room priority assignee queue"));
        starts.push(asked(
            "/staff/executions",
            "state tool guest_email booking_number room_number from to",
        ));
        starts.push(asked("/staff/audit", "caller tool outcome from to"));
        starts.push(asked("/staff/charges", "room room_number booking_number"));
        starts.push(asked(
            "/staff/refund",
            "payment payment_intent_id guest_email",
        ));
        starts.push(format!("/staff/guest?email={BETH}"));
        starts.push(format!("/staff/executions/{stuck}"));
        for act in [
            "change",
            "move",
            "check-out",
            "cancel",
            "no-show",
            "charge",
            "request",
        ] {
            starts.push(format!("/staff/stays/BK-0042/{act}"));
        }
        crawl.everything(&staff, &starts).await;
    }
    crawl.faults.sort();
    crawl.faults.dedup();
    assert!(crawl.faults.is_empty(), "{:#?}", crawl.faults);
    assert!(
        crawl.with_text > 20 && crawl.tables >= 3,
        "{} pages, {} tables",
        crawl.with_text,
        crawl.tables
    );
    let missed: Vec<&String> = routes
        .iter()
        .filter(|route| !crawl.shown.contains(*route) && !ELSEWHERE.contains(&route.as_str()))
        .collect();
    assert!(missed.is_empty(), "not shown: {missed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_pay_page_interprets_text() {
    let live = LiveHotel::open().await;
    let (browser, _) = live.guest(BETH, "").await;
    assert!(poison(&live.sandbox.sandbox).contains_key("Contact.LastName"));
    let said = browser
        .post(
            "concierge_say",
            "text=I%27d+like+to+check+out&idempotency_token=t1",
        )
        .await;
    let conversation = path_of(said.location());
    let page = browser.open(&conversation).await;
    let pay = attributes(&page.text)
        .into_iter()
        .find(|(_, name, value)| name == "href" && value.starts_with("/guest/pay?card="))
        .map(|(.., value)| value)
        .expect("a proposal with a new card");
    for path in [conversation.as_str(), &pay, "/guest/check-out"] {
        let page = browser.open(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(faults(&page.text), Vec::<String>::new(), "{path}");
    }
    // Words that are too long are shown again in their form.
    let long = HOSTILE.repeat(MAX_MESSAGE_LENGTH / HOSTILE.len() + 1);
    let words = [("text", long.as_str()), ("idempotency_token", "t2")];
    let refused = browser.send("/form/concierge_say", &words).await;
    let page = browser.open(&path_of(refused.location())).await;
    page.has(&["Shorten your message"]);
    assert_eq!(faults(&page.text), Vec::<String>::new());
}

#[test]
fn the_scan_detects_markup() {
    assert_eq!(
        faults("<p>&lt;zqx zqx=1&gt;</p><a href=\"/a?b\" title=\"=&quot;'&gt;\">x</a>"),
        [""; 0]
    );
    for broken in [
        "<title>=\"'><zqx zqx=1></title>",
        "<a title='a' zqx=1>",
        "<input value=\"\"'>&lt;zqx\" zqx=1>",
        "<a href=\"javascript:alert(1)\">",
        "<img src=zqx:1>",
    ] {
        assert!(!faults(broken).is_empty(), "{broken}");
    }
    assert_eq!(
        formulas("a,\"'=1\",\"=1+\"\"x\"\"\"\r\n-2,b"),
        ["=1+\"x\"", "-2"]
    );
}
