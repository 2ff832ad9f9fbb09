//! Several guests with one email address: each signs in by their own phone, and sees and changes
//! their own records only.

mod sign_in;

use dewy_domain::{guest_identity::GuestIdentity, ports::ExecutionFeed, tool_catalog};

use crate::prelude::*;

/// Email of Beth (in house, BK-0042), and here also of Wei (in house, BK-0022 and BK-0023) and of
/// Sarah (arriving, BK-0034).
const EMAIL: &str = "beth.gibbs@email.com";
/// What only others than Beth may see.
const OTHERS: [&str; 7] = [
    "BK-0022", "BK-0023", "BK-0034", "Chen", "Johnson", "Two cots", "Minibar",
];

/// Gives others Beth's email.
fn share(hotel: &TestHotel) {
    for email in ["wei.chen@example.com", "sarah@example.com"] {
        hotel.edit("Contact", "Email", email, &json!({ "Email": EMAIL }));
    }
}

fn guest(hotel: &TestHotel, first_name: &str) -> Caller {
    let contact = hotel.record("Contact", "FirstName", first_name);
    let ids = vec![contact["Id"].as_str().unwrap().to_owned()];
    let identity = GuestIdentity::one_of_several(EMAIL.into(), ids);
    Caller::one_guest(&identity, Interface::Mcp)
}

/// Phone numbers that were texted and the texts, newest first, once there are so many.
async fn texts(hotel: &TestHotel, count: usize) -> Vec<(String, String)> {
    for _ in 0..200 {
        let state = hotel.state();
        let texts = state["twilio"]["messages"].as_array().unwrap();
        if texts.len() >= count {
            let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
            let texts = texts.iter();
            return texts
                .map(|one| (text(one, "to"), text(one, "body")))
                .collect();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no text came");
}

/// The last digits of a contact's phone number, however it is written.
fn line(hotel: &TestHotel, first_name: &str) -> String {
    let phone = hotel.record("Contact", "FirstName", first_name)["MobilePhone"].clone();
    let digits = phone.as_str().unwrap().chars().filter(char::is_ascii_digit);
    let digits: String = digits.collect();
    digits[digits.len() - 10..].to_owned()
}

/// Asks for a code and waits for this many texts; returns those.
async fn ask(hotel: &TestHotel, browser: &Browser, count: usize) -> Vec<(String, String)> {
    let before = texts(hotel, 0).await.len();
    let fields = [("email", EMAIL), ("next", "")];
    browser.send("/form/send_code", &fields).await;
    let mut all = texts(hotel, before + count).await;
    all.sort_by_key(|(_, body)| !body.contains("sign-in code"));
    all
}

/// Signs in with the code that came to this guest's phone.
async fn signed_in(hotel: &TestHotel, first_name: &str) -> Browser {
    let browser = hotel.browser();
    let before = texts(hotel, 0).await;
    let sent = ask(hotel, &browser, 3).await;
    let own = line(hotel, first_name);
    let code = sent
        .iter()
        .find(|text| text.0.ends_with(&own) && !before.contains(text))
        .unwrap();
    let page = browser.enter(&code.1[..6]).await;
    assert!(page.location().contains("/guest/folio"), "{}", page.text);
    browser
}

async fn call(hotel: &TestHotel, by: &Caller, tool: &str, input: &Value) -> ToolAnswer {
    let writes = tool_catalog::find(by, tool).unwrap().writes;
    let call = ToolCall {
        tool: tool.to_owned(),
        input: input.clone(),
        idempotency_token: writes.then(|| input.to_string()),
        wait: None,
    };
    hotel.server.hotel.dispatch(by, call).await
}

fn body(answer: &ToolAnswer) -> String {
    answer.body(Persona::Guest).to_string()
}

/// Another guest's records, and what stands in their place for none.
#[derive(Clone, Copy)]
struct Names<'a> {
    in_house: &'a str,
    arriving: &'a str,
    room: &'a str,
    arriving_room: &'a str,
    execution: &'a str,
    token: &'a str,
}

/// Inputs of every tool of guests that name these records; most name a booking or a room.
fn inputs(tool: &str, of: Names<'_>) -> Vec<Value> {
    match tool {
        // Rooms and prices are public
        "search_available_rooms" => Vec::new(),
        // Tried in a test of its own: it names nobody else
        "create_booking" => Vec::new(),
        "manage_bookings" => {
            let request = json!({ "booking_number": of.in_house, "special_requests": "None" });
            vec![
                json!({ "booking_number": of.arriving, "action": "cancel" }),
                json!({ "booking_number": of.arriving, "number_of_guests": 1 }),
                request,
            ]
        }
        "check_in_guest" => vec![
            json!({ "booking_number": of.arriving }),
            json!({ "room_number": of.arriving_room }),
        ],
        "remove_saved_card" => vec![json!({ "payment_method_id": "pm_1BethVisa4242" })],
        "search_rooms_on_behalf_of_guest" => vec![json!({ "filter": "all" })],
        "search_cases_on_behalf_of_guest" => vec![json!({ "status_filter": "All" })],
        "get_execution" => vec![
            json!({ "execution_id": of.execution }),
            json!({ "idempotency_token": of.token }),
        ],
        other => {
            let tool = tool_catalog::named(other).unwrap();
            let has = |name: &str| tool.fields(Persona::Guest).any(|field| field.name == name);
            let named = [
                ("booking_number", of.in_house),
                ("booking_number", of.arriving),
                ("room_number", of.room),
            ];
            let named = named.into_iter().filter(|(name, _)| has(name));
            let inputs: Vec<_> = named
                .map(|(name, value)| {
                    let mut input = tool.example_for(Persona::Guest);
                    input[name] = json!(value);
                    input
                })
                .collect();
            assert!(!inputs.is_empty(), "{other} could name another's records");
            inputs
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tool_shows_or_changes_what_another_guest_has() {
    let hotel = TestHotel::open().await;
    share(&hotel);
    let [beth, wei] = ["Beth", "Wei"].map(|name| guest(&hotel, name));
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
    // A case, a folio line and executions of Wei's, by Wei and by staff
    let request =
        json!({ "type": "Housekeeping", "description": "Two cots", "room_number": "102" });
    let asked = call(&hotel, &wei, "submit_guest_service_request", &request).await;
    assert!(asked.error().is_none(), "{}", body(&asked));
    for (tool, input) in [
        (
            "post_charge",
            json!({ "booking_number": "BK-0022", "amount": 700, "description": "Minibar" }),
        ),
        (
            "submit_guest_service_request",
            json!({ "booking_number": "BK-0022", "type": "Concierge", "description": "Minibar" }),
        ),
    ] {
        let done = call(&hotel, &desk, tool, &input).await;
        assert!(done.error().is_none(), "{}", body(&done));
    }
    let changed = json!({ "booking_number": "BK-0022", "special_requests": "Two cots" });
    let changed = call(&hotel, &desk, "manage_bookings", &changed).await;
    assert!(changed.error().is_none(), "{}", body(&changed));
    let execution = |answer: &ToolAnswer| {
        answer.body(Persona::Staff)["execution_id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (asked, changed) = (execution(&asked), execution(&changed));

    let token = request.to_string();
    let theirs = Names {
        in_house: "BK-0022",
        arriving: "BK-0034",
        room: "102",
        arriving_room: "205",
        execution: &asked,
        token: &token,
    };
    let none = Names {
        in_house: "BK-9999",
        arriving: "BK-9999",
        room: "999",
        arriving_room: "999",
        execution: "exe_01890000000070008000000000000000",
        token: "none",
    };
    let before = hotel.state();
    for tool in tool_catalog::all()
        .iter()
        .filter(|tool| tool.exists_for(&beth))
    {
        let pairs = inputs(tool.name, theirs)
            .into_iter()
            .zip(inputs(tool.name, none));
        for (theirs, none) in pairs {
            let of_theirs = body(&call(&hotel, &beth, tool.name, &theirs).await);
            let of_none = body(&call(&hotel, &beth, tool.name, &none).await);
            // Nobody else's record is told from one that does not exist
            let known = without_names(&of_theirs, &theirs);
            assert_eq!(
                known,
                without_names(&of_none, &none),
                "{} {theirs}",
                tool.name
            );
            let shown = OTHERS.iter().filter(|one| known.contains(*one));
            assert_eq!(shown.count(), 0, "{} {theirs} {of_theirs}", tool.name);
        }
    }
    for system in ["salesforce", "stripe"] {
        let changed = |state: &Value| {
            let mut state = state[system].clone();
            for volatile in ["log", "calls", "api_usage", "usage"] {
                state.as_object_mut().unwrap().remove(volatile);
            }
            state
        };
        assert_eq!(changed(&before), changed(&hotel.state()), "{system}");
    }

    // Beside the tools
    let feed = &hotel.server.hotel;
    for (by, sees) in [(&beth, false), (&wei, true)] {
        let seen = feed.activities(by, 50).await;
        for id in [&asked, &changed] {
            assert_eq!(feed.execution(by, id).await.is_some(), sees, "{id}");
            assert_eq!(seen.iter().any(|one| one.execution_id == *id), sees, "{id}");
        }
        let overview = format!("{:?}", feed.stay_overview(by).await.unwrap());
        let own = if sees { "BK-0022" } else { "BK-0042" };
        assert!(overview.contains(own), "{overview}");
        let others = OTHERS.iter().filter(|one| overview.contains(*one)).count();
        assert_eq!(others > 0, sees, "{overview}");
    }
    let all = body(&call(&hotel, &wei, "search_bookings", &json!({})).await);
    assert!(all.contains("BK-0022") && all.contains("BK-0023"), "{all}");
    assert!(
        !all.contains("BK-0042") && !all.contains("BK-0034"),
        "{all}"
    );
}

/// A body without what its input named and what differs from call to call.
fn without_names(body: &str, input: &Value) -> String {
    let mut body = body.to_owned();
    for value in input.as_object().unwrap().values() {
        if let Some(text) = value.as_str() {
            body = body.replace(text, "X");
        }
    }
    let answer: Value = serde_json::from_str(&body).unwrap();
    let mut answer = answer;
    let fields = answer.as_object_mut().unwrap();
    for volatile in ["execution_id", "idempotency_token"] {
        fields.remove(volatile);
    }
    answer.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_shows_what_another_guest_has() {
    let hotel = TestHotel::open().await;
    share(&hotel);
    let (beth, wei) = (
        signed_in(&hotel, "Beth").await,
        signed_in(&hotel, "Wei").await,
    );
    let fields = "text=Two+cots+please+for+room+102&idempotency_token=t1";
    let talk = wei.post("concierge_say", fields).await.to();
    let request =
        json!({ "type": "Housekeeping", "description": "Two cots", "room_number": "102" });
    let caller = guest(&hotel, "Wei");
    let asked = call(&hotel, &caller, "submit_guest_service_request", &request).await;
    let asked = asked.body(Persona::Staff)["execution_id"].clone();
    let asked = asked.as_str().unwrap();
    wei.until("/guest/requests", "Two cots").await;
    assert_eq!(wei.open(&talk).await.status, 200);

    let routes = include_str!("../../../app/src/routes.rs");
    let routes = routes.split('"').filter(|text| text.starts_with("/guest"));
    for route in routes {
        let paths: Vec<String> = match route {
            "/guest/sign-in" | "/guest/sign-in/code" | "/guest/sign-in/new" => continue,
            "/guest/check-in" => vec![route.into(), format!("{route}?booking=BK-0034")],
            "/guest/folio" | "/guest/check-out" => {
                vec![route.into(), format!("{route}?booking=BK-0022")]
            }
            "/guest/pay" => vec![format!("{route}?card=crd_1")],
            "/guest/execution/{id}" | "/guest/receipt/{id}" => vec![route.replace("{id}", asked)],
            "/guest/bookings/{id}/change" | "/guest/bookings/{id}/cancel" => {
                vec![route.replace("{id}", "BK-0034")]
            }
            "/guest/concierge/{id}" => vec![talk.clone()],
            "/guest/account" => vec![route.into(), format!("{route}/data.json")],
            "/guest" | "/guest/bookings" | "/guest/book" | "/guest/book/check"
            | "/guest/requests" | "/guest/story" | "/guest/concierge" => {
                vec![route.into()]
            }
            other => panic!("say how {other} could show another guest's records"),
        };
        for path in paths {
            let page = beth.open(&path).await;
            for other in OTHERS.iter().filter(|one| !path.contains(*one)) {
                assert!(!page.shows(other), "{other} on {path}: {}", page.text);
            }
            let is_named = path != route || route == "/guest/pay";
            let shown = page.status == 200 && page.shows("BK-0042");
            assert!(is_named || page.status < 400, "{path}: {}", page.status);
            assert!(!(shown && is_named && path.contains("{id}")), "{path}");
        }
    }
    for stream in [
        format!("{talk}/events"),
        format!("/guest/execution/{asked}/events"),
    ] {
        assert_eq!(wei.status(&stream).await, 200, "{stream}");
        assert_eq!(beth.status(&stream).await, 404, "{stream}");
    }
    let id = talk.rsplit('/').next().unwrap();
    let say = format!("conversation={id}&text=Mine+now&idempotency_token=t2");
    beth.post("concierge_say", &say).await;
    beth.post(
        "concierge_rename",
        &format!("conversation={id}&title=Mine+now"),
    )
    .await;
    beth.post("concierge_forget", &format!("conversation={id}"))
        .await;
    let page = wei.open(&talk).await;
    assert_eq!(page.status, 200);
    page.has(&["Two cots"]);
    page.lacks(&["Mine now"]);
    // Their own
    beth.open("/guest/bookings").await.has(&["BK-0042"]);
    wei.sees("/guest/bookings", &["BK-0022", "BK-0023"]).await;
    let code = wei.open("/guest/account").await;
    assert_eq!(code.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_belongs_to_the_one_who_books() {
    let hotel = TestHotel::open().await;
    share(&hotel);
    let wei = guest(&hotel, "Wei");
    let (from, to) = (day(40), day(42));
    let wish = json!({ "check_in_date": from, "check_out_date": to, "room_number": "303", "number_of_guests": 1 });
    let booked = call(&hotel, &wei, "create_booking", &wish)
        .await
        .body(Persona::Guest);
    let number = booked["data"]["booking_number"].as_str().unwrap();
    let booking = hotel.record("Booking__c", "Name", number);
    let contact = hotel.record("Contact", "FirstName", "Wei");
    assert_eq!(booking["Primary_Guest__c"], contact["Id"], "{booking}");
    let all = body(
        &call(
            &hotel,
            &guest(&hotel, "Beth"),
            "search_bookings",
            &json!({}),
        )
        .await,
    );
    assert!(!all.contains(number), "{all}");
}
