//! Phone numbers, names, amounts, rooms and searches as people and orgs write them.

use crate::{
    guest_sign_up::{register, texted},
    mcp::Era,
    prelude::*,
    test_hotel::{TestHotel, day, nights},
};

const DESK: &str = "frontdesk@dewy.example";
/// Google's example numbers, also as they are dialed in six countries.
const EXAMPLES: &str = include_str!("../../connectors/tests/fixtures/example-phone-numbers.tsv");

fn contact<'a>(contacts: &'a [Value], email: &str) -> &'a Value {
    contacts.iter().find(|one| one["Email"] == email).unwrap()
}

#[tokio::test]
async fn phones_are_stored_in_one_form_at_every_door() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff(DESK).await;
    let mcp = hotel.staff_mcp(DESK).await;
    let api = hotel.staff_rest(DESK).await;
    for (n, (written, stored)) in [
        ("(212) 555-0199", "+12125550199"),
        ("+44 (0)20 7946 0958", "+442079460958"),
        (
            "\u{202a}+49\u{a0}1512\u{2011}3456789\u{202c}",
            "+4915123456789",
        ),
        ("＋１ ２１２ ５５５ ０１９９", "+12125550199"),
    ]
    .into_iter()
    .enumerate()
    {
        let [form, tool, rest] =
            ["form", "mcp", "rest"].map(|door| format!("{door}{n}@example.com"));
        let fields = [
            ("email", form.as_str()),
            ("first_name", "Ada"),
            ("last_name", "Byron"),
            ("phone", written),
            ("idempotency_token", form.as_str()),
        ];
        desk.send("/form/new_guest", &fields).await;
        let input = |email: &str| json!({ "email": email, "first_name": "Ada", "last_name": "Byron", "phone": written, "idempotency_token": email });
        mcp.call(Era::Modern, "create_contact_if_not_found", input(&tool))
            .await;
        let mut body = input(&rest);
        body.as_object_mut().unwrap().remove("idempotency_token");
        let answer = api
            .call("create_contact_if_not_found", Some(&rest), &body)
            .await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let contacts = hotel.sandbox().records("Contact");
        for email in [form, tool, rest] {
            assert_eq!(
                contact(&contacts, &email)["MobilePhone"],
                stored,
                "{email} {written}"
            );
        }
    }
    let input = json!({ "email": "no@example.com", "first_name": "A", "last_name": "B", "phone": "ask her", "idempotency_token": "no" });
    let refused = mcp
        .call(Era::Modern, "create_contact_if_not_found", input)
        .await;
    let problem = &refused["structuredContent"]["details"]["problems"][0];
    assert_eq!(problem["field"], "phone", "{refused}");
}

/// No number, two of them, one that its country does not have, one without its area.
#[tokio::test]
async fn what_is_no_phone_number_is_refused_where_it_is_typed_at_every_door() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff(DESK).await;
    let mcp = hotel.staff_mcp(DESK).await;
    let api = hotel.staff_rest(DESK).await;
    let (from, to) = (day(50), day(51));
    let back = format!("/staff/book?{}&number_of_guests=1&room=107", nights(50, 51));
    for (n, written) in [
        "555-0199",
        "123",
        "+999 123",
        "ask her",
        "+1 (012) 555-0199",
        "+4915123456789000",
        "+1 212 555 0199 / +44 20 7946 0958",
        "212555019９９９",
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("bad{n}@example.com");
        let person = [
            ("first_name", "Ada"),
            ("last_name", "Byron"),
            ("email", email.as_str()),
            ("phone", written),
            ("idempotency_token", email.as_str()),
        ];
        let booking = [
            ("guest_email", email.as_str()),
            ("guest_first_name", "Ada"),
            ("guest_last_name", "Byron"),
            ("guest_phone", written),
            ("room_number", "107"),
            ("check_in_date", from.as_str()),
            ("check_out_date", to.as_str()),
            ("number_of_guests", "1"),
            ("idempotency_token", email.as_str()),
            ("back", back.as_str()),
        ];
        for (browser, form, fields, named) in [
            (&desk, "/form/new_guest", &person[..], "phone"),
            (&desk, "/form/desk_book", &booking[..], "guest_phone"),
            (&hotel.browser(), "/form/register", &person[..4], "phone"),
        ] {
            let sent = browser.send(form, fields).await;
            let page = browser.open(&path_of(sent.location())).await.text;
            let problem = format!("id=\"{named}-problem\"");
            assert!(page.contains(&problem), "{form} {written}: {page}");
        }
        for (tool, fields, named) in [
            ("create_contact_if_not_found", &person[..4], "phone"),
            ("create_booking", &booking[..8], "guest_phone"),
        ] {
            let fields = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value)));
            let mut input = Value::Object(fields.collect());
            let answer = api.call(tool, Some(&email), &input).await;
            input["idempotency_token"] = json!(email);
            let called = mcp.call(Era::Modern, tool, input).await;
            for body in [&answer.body, &called["structuredContent"]] {
                let problems = &body["details"]["problems"];
                assert_eq!(problems[0]["field"], named, "{tool} {written}: {body}");
            }
        }
        let contacts = hotel.sandbox().records("Contact");
        assert!(contacts.iter().all(|one| one["Email"] != email.as_str()));
    }
    hotel.close().await;
}

/// Each hotel gets other numbers, each number another door.
#[tokio::test]
async fn numbers_of_all_regions_are_read_at_every_door_of_six_countries() {
    let lines = EXAMPLES.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let titles = rows.next().unwrap();
    let rows: Vec<_> = rows.collect();
    for (at, country) in titles.iter().enumerate().skip(4) {
        let hotel = TestHotel::with(&[("HOTEL_COUNTRY", country)]).await;
        let desk = hotel.browser().staff(DESK).await;
        let mcp = hotel.staff_mcp(DESK).await;
        let api = hotel.staff_rest(DESK).await;
        let mut on_file = [
            BETH,
            "wei.chen@example.com",
            "elena.rossi@example.com",
            "mei.lin@example.com",
        ]
        .into_iter();
        let mut codes = 0;
        for (n, row) in rows.iter().skip(at).step_by(24).enumerate().take(20) {
            let (number, dialed) = (row[1], row[at]);
            let email = format!("{country}{n}@example.com").to_lowercase();
            let mut input = json!({ "email": email, "first_name": "Ada", "last_name": "Byron", "phone": dialed });
            if n % 5 == 0 {
                let fields = [
                    ("email", email.as_str()),
                    ("first_name", "Ada"),
                    ("last_name", "Byron"),
                    ("phone", dialed),
                    ("idempotency_token", &email),
                ];
                desk.send("/form/new_guest", &fields).await;
            } else if n % 5 == 1 {
                input["idempotency_token"] = json!(email);
                let tool = "create_contact_if_not_found";
                mcp.call(Era::Modern, tool, input).await;
            } else if n % 5 == 2 {
                let tool = "create_contact_if_not_found";
                api.call(tool, Some(&email), &input).await;
            } else {
                if n % 5 == 3 {
                    register(&hotel.browser(), &email, dialed).await;
                } else {
                    let guest = on_file.next().unwrap();
                    let phones = json!({ "MobilePhone": dialed, "Phone": null });
                    hotel.edit("Contact", "Email", guest, &phones);
                    hotel.browser().code_for(guest).await.unwrap();
                }
                codes += 1;
                let texted = texted(&hotel, codes).await;
                assert!(
                    texted.iter().any(|to| to == number),
                    "{country} {dialed}: {texted:?}"
                );
                continue;
            }
            let contacts = hotel.sandbox().records("Contact");
            let stored = &contact(&contacts, &email)["MobilePhone"];
            assert_eq!(stored, number, "{country} {dialed}, door {}", n % 5);
        }
        hotel.close().await;
    }
}

#[tokio::test]
async fn codes_go_to_the_number_on_file_and_to_no_number_that_does_not_exist() {
    let hotel = TestHotel::open().await;
    let texts = || {
        hotel.state()["twilio"]["messages"]
            .as_array()
            .unwrap()
            .clone()
    };
    for (guest, on_file, dialed) in [
        (BETH, "+49 1512 3456789", Some("+4915123456789")),
        (
            "wei.chen@example.com",
            "011 44 (0)7400 123456",
            Some("+447400123456"),
        ),
        ("elena.rossi@example.com", "+1 555 010 0001", None),
        ("priya.raman@example.com", "+1 123 456 7890", None),
        ("mei.lin@example.com", "(212) 555-0101 ext. 4", None),
    ] {
        let phones = json!({ "MobilePhone": on_file, "Phone": null });
        hotel.edit("Contact", "Email", guest, &phones);
        let before = texts().len();
        hotel.browser().code_for(guest).await.unwrap();
        let count = before + usize::from(dialed.is_some());
        for _ in 0..40 {
            if dialed.is_some() && texts().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let texts = texts();
        assert_eq!(texts.len(), count, "{on_file}");
        if let Some(dialed) = dialed {
            assert_eq!(texts[before]["to"], dialed, "{on_file}");
        }
    }
}

#[tokio::test]
async fn names_and_addresses_are_kept_as_they_read() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let fields = [
        ("first_name", "\u{202e}J\u{fc}rgen\u{202c}\t"),
        ("last_name", "M\u{200b}\u{fc}ller\n\u{2066}Groß\u{2069}"),
        ("email", "Müller <mailto:JÜRGEN＠Exämple.de>"),
        ("phone", "(212) 555-0178"),
        ("next", "/guest/bookings"),
    ];
    let sent = browser.send("/form/register", &fields).await;
    let page = browser.open(&path_of(sent.location())).await.text;
    let code = page.split_once("demo-code\">").unwrap().1.trim_start();
    let code = format!("{}\u{2011}{}", &code[..3], &code[3..6]);
    let page = browser.enter(&code).await;
    assert_eq!(page.to(), "/guest/bookings", "{}", page.text);
    let contacts = hotel.sandbox().records("Contact");
    let made = contact(&contacts, "jürgen@exämple.de");
    assert_eq!(
        (&made["FirstName"], &made["LastName"]),
        (&json!("Jürgen"), &json!("Müller Groß"))
    );
    // Nothing is left of this name
    let fields = [
        ("first_name", "\u{202e}\u{200b}"),
        ("last_name", "Müller"),
        ("email", "empty@example.com"),
        ("phone", "(212) 555-0178"),
    ];
    let stranger = hotel.browser();
    let sent = stranger.send("/form/register", &fields).await;
    let page = stranger.open(&path_of(sent.location())).await;
    page.has(&["id=\"first_name-problem\""]);
    page.lacks(&["id=\"phone-problem\""]);
}

#[tokio::test]
async fn an_amount_is_read_as_the_hotel_writes_numbers() {
    let hotel = TestHotel::with(&[("HOTEL_LOCALE", "de-DE")]).await;
    let desk = hotel.browser().staff(DESK).await;
    for (typed, review) in [
        ("1.234,50", "1.234,50"),
        ("1 234,50", "1.234,50"),
        ("１２,５", "12,50"),
    ] {
        let fields = [
            ("room", "302"),
            ("amount", typed),
            ("description", "Minibar"),
        ];
        let sent = desk.send("/form/charge_check", &fields).await;
        let page = desk.open(&path_of(sent.location())).await;
        page.has(&[&format!("<dd>{review} USD</dd>"), "Post this charge?"]);
    }
    let sent = desk
        .post(
            "charge_check",
            "room=302&amount=1%2C234&description=Minibar",
        )
        .await;
    desk.open(&path_of(sent.location()))
        .await
        .has(&["id=\"amount-problem\"", "1,234"]);
}

#[tokio::test]
async fn a_room_has_the_name_the_org_gave_it() {
    let hotel = TestHotel::open().await;
    let rooms = [
        ("301", "Suite 12"),
        ("303", "Casa Azul"),
        ("306", "Römer 3/ä"),
        ("305", "A-101"),
    ];
    for (old, new) in rooms {
        let name = json!({ "Room_Number__c": new, "Name": new });
        hotel.edit("Hotel_Room__c", "Room_Number__c", old, &name);
    }
    let desk = hotel.browser().staff("manager@dewy.example").await;
    let mcp = hotel.staff_mcp("manager@dewy.example").await;
    for (_, name) in rooms {
        let input = json!({ "room_number": name, "status": "Maintenance", "reason": "Paint", "idempotency_token": name });
        let done = mcp.call(Era::Modern, "set_room_status", input).await;
        assert_eq!(
            done["structuredContent"]["data"]["room_number"], name,
            "{done}"
        );
        let encode =
            |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let typed = name.to_lowercase();
        let found = format!("/staff/find?q={}", encode(&typed));
        desk.until(&found, &format!("Room {name}")).await;
        let path = format!("/staff/rooms/{}", encode(name).replace('+', "%20"));
        desk.open(&path).await.has(&["Report"]);
        let fields = [
            ("room_number", name),
            ("description", "The lamp flickers"),
            ("type", "Maintenance"),
            ("priority", "Medium"),
            ("idempotency_token", name),
        ];
        let sent = desk.send("/form/report_defect", &fields).await;
        desk.until(&sent.to(), "The lamp flickers").await;
    }
}

#[tokio::test]
async fn a_search_that_finds_too_many_says_so() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff(DESK).await;
    // Part of every phone number
    for query in ["555", "55", "5550"] {
        let page = desk.open(&format!("/staff/find?q={query}")).await;
        page.has(&["8 matches", "there are more", "There are more."]);
    }
    let page = desk.open("/staff/guests?query=555").await;
    page.lacks(&["No guest matches"]);
    desk.sees("/staff/guests?query=12125550101", &[BETH]).await;
    desk.sees("/staff/find?q=%28212%29+555-0101", &["Beth Gibbs"])
        .await;
    desk.sees("/staff/find?q=9999999", &["Nothing matches"])
        .await;
}

#[tokio::test]
async fn a_browser_without_cookies_is_told() {
    let hotel = TestHotel::open().await;
    for (page, form, fields) in [
        (
            "/guest/sign-in",
            "send_code",
            "email=beth.gibbs%40email.com",
        ),
        (
            "/staff/sign-in",
            "enter_password",
            "email=frontdesk%40dewy.example&password=wrong",
        ),
        ("/guest/sign-in/new", "register", "email=ada%40example.com"),
    ] {
        let usual = hotel.browser();
        usual
            .sees(page, &["name=\"cookies\" value=\"asked\""])
            .await;
        let fields = format!("{fields}&cookies=asked");
        let sent = usual.post(form, &fields).await;
        assert!(!sent.to().contains("cookies"), "{}", sent.to());
        // Another browser each time is one that keeps nothing
        let sent = hotel.browser().post(form, &fields).await;
        assert!(
            sent.to().contains("sign-in?cookies=blocked"),
            "{}",
            sent.to()
        );
        let told = hotel.browser().open(&sent.to()).await;
        told.has(&["role=\"alert\"", "keeps no cookies"]);
    }
}

/// Numbers of bookings, emails and dates as they are pasted, at every door.
#[tokio::test]
async fn bookings_are_found_as_people_write_their_numbers() {
    let hotel = TestHotel::open().await;
    let desk = hotel.browser().staff(DESK).await;
    let mcp = hotel.staff_mcp(DESK).await;
    let api = hotel.staff_rest(DESK).await;
    // The org shows the form of its numbers
    desk.open("/staff").await.has(&["BK-0042"]);
    for written in [
        "BK-0042",
        "bk 42",
        "BK0042",
        "BK–0042",
        "BK\u{2011}0042",
        "ＢＫ－００４２",
        "#BK-0042",
        "#42",
        "booking 42",
        "Reservation no. 42",
        "BK- 0042",
        " BK-0042. ",
        "0042",
    ] {
        let input = json!({ "booking_number": written });
        let answer = api.call("get_folio", None, &input).await;
        assert_eq!(
            answer.body["data"]["booking_number"], "BK-0042",
            "{written}: {answer:?}"
        );
        let folio = mcp.call(Era::Modern, "get_folio", input).await;
        assert_eq!(
            folio["structuredContent"]["data"]["booking_number"], "BK-0042",
            "{written}"
        );
        let fields = [
            ("booking_number", written),
            ("room_number", "302"),
            ("type", "Concierge"),
            ("description", "A taxi"),
            ("idempotency_token", written),
        ];
        let page = desk.send("/form/stay_request", &fields).await;
        assert_eq!(page.status, 303, "{written}");
    }
    for written in [
        "beth.gibbs@email.com.",
        "\"Beth.Gibbs@email.com\",",
        "(beth.gibbs@email.com)",
        "Beth Gibbs <beth.gibbs@email.com>;",
    ] {
        let input = json!({ "guest_email": written });
        let answer = api.call("get_folio", None, &input).await;
        assert_eq!(answer.status, 200, "{written}: {answer:?}");
    }
    for written in ["３０２", "№ 302", "302.", "Room 302.", " ٣٠٢ "] {
        let input = json!({ "room_number": written });
        let answer = api.call("get_folio", None, &input).await;
        assert_eq!(answer.status, 200, "{written}: {answer:?}");
    }
    let cases = hotel.sandbox().records("Case");
    let number = cases[0]["CaseNumber"].as_str().unwrap();
    let short = number.trim_start_matches('0');
    for written in [format!("#{short}"), number.to_owned(), short.to_owned()] {
        let input = json!({ "case_number": written, "status_filter": "All" });
        let answer = api
            .call("search_cases_on_behalf_of_staff", None, &input)
            .await;
        assert_eq!(
            answer.body["data"]["cases"][0]["case_number"], number,
            "{written}: {answer:?}"
        );
    }
    for written in ["%2342", "booking+42"] {
        let found = format!("/staff/find?q={written}");
        desk.sees(&found, &["BK-0042", "Beth Gibbs"]).await;
        let found = format!("/staff/guests?query={written}");
        desk.sees(&found, &["BK-0042", "Beth Gibbs"]).await;
    }
    // 42 may as well be a room
    let input = json!({ "booking_number": "42" });
    let answer = api.call("get_folio", None, &input).await;
    assert_eq!(answer.status_and_code(), (404, "BOOKING_NOT_FOUND"));
}
