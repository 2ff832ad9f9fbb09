//! Pages for guests.

use axum::http::StatusCode;

use super::Visitor;

#[tokio::test]
async fn a_stranger_is_sent_to_the_door_and_comes_back() {
    let visitor = Visitor::new();
    let page = visitor.get("/guest/check-out?booking=BK-0042").await;
    assert_eq!(
        (page.status, page.location.as_str()),
        (
            StatusCode::SEE_OTHER,
            "/guest/sign-in?next=%2Fguest%2Fcheck-out%3Fbooking%3DBK-0042"
        )
    );
    let page = visitor
        .post(
            "send_code",
            "email=Beth.Gibbs%40email.com&next=%2Fguest%2Fcheck-out%3Fbooking%3DBK-0042",
        )
        .await;
    assert_eq!(
        (page.status, page.location.as_str()),
        (StatusCode::SEE_OTHER, "/guest/sign-in/code")
    );
    let page = visitor.get("/guest/sign-in/code").await;
    assert!(
        page.text.contains("beth.gibbs@email.com")
            && page.text.contains("123456")
            && page.text.contains("autocomplete=\"one-time-code\"")
    );
    assert_eq!(
        visitor.post("enter_code", "code=123+456").await.location,
        "/guest/check-out?booking=BK-0042"
    );
}

#[tokio::test]
async fn a_sign_in_never_leads_out_of_the_house() {
    let visitor = Visitor::new();
    visitor
        .post(
            "send_code",
            "email=beth.gibbs%40email.com&next=%2F%2Fevil.example",
        )
        .await;
    assert_eq!(
        visitor.post("enter_code", "code=123456").await.location,
        "/guest/folio"
    );
}

#[tokio::test]
async fn a_form_that_failed_is_shown_again_once() {
    let visitor = Visitor::new();
    let page = visitor.post("send_code", "email=%3Cscript%3E").await;
    assert_eq!(
        (page.status, page.location.as_str()),
        (StatusCode::SEE_OTHER, "/guest/sign-in")
    );
    let page = visitor.get("/guest/sign-in").await;
    assert!(
        page.text.contains("role=\"alert\"")
            && page.text.contains("href=\"#email\"")
            && page.text.contains("&lt;script&gt;")
    );
    assert!(!page.text.contains("<script>&lt;") && !page.text.contains("value=\"<script"));
    assert!(
        !visitor
            .get("/guest/sign-in")
            .await
            .text
            .contains("role=\"alert\"")
    );
}

#[tokio::test]
async fn a_wrong_code_keeps_the_email_and_not_the_code() {
    let visitor = Visitor::new();
    visitor
        .post("send_code", "email=beth.gibbs%40email.com")
        .await;
    assert_eq!(
        visitor.post("enter_code", "code=999999").await.location,
        "/guest/sign-in/code"
    );
    let page = visitor.get("/guest/sign-in/code").await;
    assert!(
        page.text.contains("did not match")
            && page.text.contains("beth.gibbs@email.com")
            && !page.text.contains("999999")
    );
}

#[tokio::test]
async fn the_folio_shows_lines_balance_and_cards() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/folio").await;
    for words in [
        "Room",
        "302",
        "$250.00",
        "-$12.00",
        "cancelled",
        "Visa •••• 4242",
        "/guest/check-out?booking=BK-0042",
        "Thu, Nov 19",
        "Not part of your bill",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    // Each line has a link to ask about it, and the form knows which one
    let mut links = page
        .text
        .split("href=\"")
        .filter_map(|part| part.split('"').next());
    let ask = links.find(|link| link.contains("PT-0008")).unwrap();
    let page = visitor
        .get(ask.replace("&amp;", "&").split('#').next().unwrap())
        .await;
    assert!(
        page.text
            .contains("About my bill, booking BK-0042: Charge (PT-0008), $12.00."),
        "{}",
        page.text
    );
    let page = visitor.get("/guest/folio?booking=BK-0007").await;
    assert!(
        page.text.contains("Refunded")
            && page.text.contains("Expected on your card")
            && !page.text.contains("/guest/check-out?")
    );
}

#[tokio::test]
async fn stays_none_several_and_systems_that_are_down() {
    let visitor = Visitor::new();
    visitor.sign_in("wei.chen%40example.com").await;
    let page = visitor.get("/guest/folio").await;
    assert!(page.text.contains("booking=BK-0010") && page.text.contains("booking=BK-0011"));
    assert_eq!(
        visitor.get("/guest/check-out").await.location,
        "/guest/folio"
    );
    visitor.sign_in("nobody%40example.com").await;
    assert!(
        visitor
            .get("/guest/folio")
            .await
            .text
            .contains("no stay with us")
    );
    visitor.sign_in("down%40example.com").await;
    let page = visitor.get("/guest/folio").await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!page.text.contains("not charged") && page.text.contains("Try again"));
}

#[tokio::test]
async fn a_check_out_carries_its_token_and_goes_to_its_execution() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/check-out").await;
    assert!(
        page.text.contains("value=\"token-0\"") && page.text.contains("Pay $250.00 and check out")
    );
    let page = visitor
        .post(
            "check_out",
            "booking_number=BK-0042&amount=25000&payment_method_id=pm_card_visa&idempotency_token=token-0",
        )
        .await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
    assert!(
        page.location.starts_with("/guest/execution/exe_"),
        "{}",
        page.location
    );
    let call = visitor.house.calls().pop().unwrap();
    assert_eq!(call.idempotency_token.as_deref(), Some("token-0"));
    assert_eq!(
        call.input,
        serde_json::json!({ "booking_number": "BK-0042", "amount": 25000, "payment_method_id": "pm_card_visa" })
    );
    assert_eq!(call.wait, Some(std::time::Duration::ZERO));
    let page = visitor.get(&page.location).await;
    assert!(page.text.contains("You are checked out") && page.text.contains("/guest/receipt/exe_"));
    assert!(!page.text.contains("http-equiv=\"refresh\""));
}

#[tokio::test]
async fn a_check_out_that_is_refused_at_once_keeps_what_was_entered() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor
        .post(
            "check_out",
            "booking_number=BK-0042&amount=25000&payment_method_id=pm_card_discover&idempotency_token=token-9",
        )
        .await;
    assert_eq!(page.location, "/guest/check-out?booking=BK-0042");
    let page = visitor.get(&page.location).await;
    assert!(
        page.text.contains("Something is already being done")
            && page.text.contains("href=\"/guest/execution/exe_0\"")
    );
    assert!(!page.text.contains("token-9"));
    let page = visitor
        .post(
            "check_out",
            "booking_number=BK-0042&amount=25000&idempotency_token=token-9",
        )
        .await;
    let page = visitor.get(&page.location).await;
    assert!(page.text.contains("Choose a card to pay with") && page.text.contains("token-9"));
}

#[tokio::test]
async fn every_end_is_told_honestly() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    for (id, card, words) in [
        (
            "exe_1",
            "pm_card_visa_chargeDeclined",
            ["Nothing was charged", "Try another card"],
        ),
        (
            "exe_2",
            "pm_card_mastercard",
            [
                "Your payment was refunded in full",
                "You are still checked in",
            ],
        ),
        (
            "exe_3",
            "pm_card_amex",
            [
                "Our front desk is looking into it",
                "please don’t pay a second time",
            ],
        ),
        (
            "exe_4",
            "pm_card_authenticationRequired",
            ["Continue to your bank", "look again"],
        ),
        (
            "exe_5",
            "pm_card_authenticationRequired",
            ["Nothing is charged yet.", "data-until=\"1795184300\""],
        ),
    ] {
        visitor.house.plant(id, card);
        let page = visitor.get(&format!("/guest/execution/{id}")).await;
        assert!(
            words.iter().all(|w| page.text.contains(w)),
            "{id}: {}",
            page.text
        );
        let receipt = visitor.get(&format!("/guest/receipt/{id}")).await;
        if matches!(id, "exe_2" | "exe_3") {
            for words in [
                "Receipt of a refund",
                "Refunded",
                "-$250.00",
                "Expected on your card between",
            ] {
                assert!(
                    receipt.text.contains(words),
                    "{id}: {words}: {}",
                    receipt.text
                );
            }
        } else {
            assert_eq!(receipt.location, format!("/guest/execution/{id}"));
        }
    }
    // A guest back from the bank waits for its answer; one who still has to go there is not hurried
    assert!(
        !visitor
            .get("/guest/execution/exe_4")
            .await
            .text
            .contains("http-equiv")
    );
    let back = visitor
        .get("/guest/execution/exe_4?payment_intent=pi_1&redirect_status=succeeded")
        .await;
    assert!(
        back.text.contains("We are checking with your bank")
            && back.text.contains("http-equiv=\"refresh\"")
    );
    assert_eq!(
        visitor.get("/guest/execution/exe_none").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_stay_at_a_glance_offers_what_is_next() {
    let visitor = Visitor::new();
    for (email, words) in [
        (
            "beth.gibbs%40email.com",
            [
                "Welcome, Beth",
                "Room 302",
                "You check out today",
                "/guest/check-out?booking=BK-0042",
            ],
        ),
        (
            "arriving%40example.com",
            [
                "You arrive today",
                "Your room is ready",
                "/guest/check-in?booking=BK-0061",
                "Check in",
            ],
        ),
        (
            "cleaning%40example.com",
            [
                "You arrive today",
                "We are preparing your room",
                "/guest/check-in?booking=BK-0061",
                "Check in",
            ],
        ),
        (
            "early%40example.com",
            [
                "You arrive in 8 days",
                "Sat, Nov 28 to Mon, Nov 30, 2026",
                "/guest/bookings/BK-0090/change",
                "2 nights",
            ],
        ),
        (
            "nobody%40example.com",
            [
                "Nothing is booked",
                "Find a room",
                "/guest/book",
                "See your earlier stays",
            ],
        ),
        (
            "wei.chen%40example.com",
            [
                "more than one stay with us right now",
                "/guest?booking=BK-0011",
                "Room 102",
                "Room 103",
            ],
        ),
    ] {
        visitor.sign_in(email).await;
        let page = visitor.get("/guest").await;
        for words in words {
            assert!(page.text.contains(words), "{email}: {words}: {}", page.text);
        }
        assert!(
            page.text.contains("data-events=\"/guest/events\"") && page.text.contains(">Refresh<"),
            "{}",
            page.text
        );
    }
    visitor.sign_in("wei.chen%40example.com").await;
    assert!(
        visitor
            .get("/guest?booking=BK-0011")
            .await
            .text
            .contains("Room 103")
    );
    visitor.sign_in("beth.gibbs%40email.com").await;
    visitor.house.plant("exe_1", "pm_card_amex");
    let page = visitor.get("/guest").await;
    for words in [
        "Your check-out",
        "/guest/execution/exe_1",
        "With our front desk",
        "1 open request",
        "Late breakfast",
        "On its way",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
}

#[tokio::test]
async fn the_home_page_asks_at_most_three_times() {
    let visitor = Visitor::new();
    for (email, calls) in [
        ("beth.gibbs%40email.com", 3),
        ("arriving%40example.com", 2),
        ("nobody%40example.com", 2),
    ] {
        visitor.sign_in(email).await;
        let before = visitor.house.calls().len();
        visitor.get("/guest").await;
        assert_eq!(visitor.house.calls().len() - before, calls, "{email}");
    }
}

#[tokio::test]
async fn a_check_in_goes_step_by_step_and_ends_with_the_room() {
    let visitor = Visitor::new();
    visitor.sign_in("arriving%40example.com").await;
    let page = visitor.get("/guest/check-in").await;
    for words in [
        "Step 1 of 2",
        "When will you arrive?",
        "Room 105",
        "value=\"BK-0061\"",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    let page = visitor
        .post(
            "check_in_details",
            "booking_number=BK-0061&arrival=evening&wishes=A+cot%2C+please",
        )
        .await;
    assert_eq!(page.location, "/guest/check-in?booking=BK-0061&step=check");
    for _ in 0..2 {
        let page = visitor.get(&page.location).await;
        for words in [
            "arriving@example.com",
            "Fri, Nov 20 to Sun, Nov 22, 2026",
            "BK-0061",
            "This evening",
            "A cot, please",
            "Check in now",
        ] {
            assert!(page.text.contains(words), "{words}: {}", page.text);
        }
    }
    let page = visitor
        .post(
            "check_in",
            "booking_number=BK-0061&idempotency_token=token-0",
        )
        .await;
    let calls = visitor.house.calls();
    let [check_in, wishes] = &calls[calls.len() - 2..] else {
        panic!("two calls")
    };
    assert_eq!(
        (check_in.tool.as_str(), wishes.tool.as_str()),
        ("check_in_guest", "submit_guest_service_request")
    );
    assert_eq!(
        check_in.input,
        serde_json::json!({ "booking_number": "BK-0061" })
    );
    assert_eq!(check_in.idempotency_token.as_deref(), Some("token-0"));
    assert_eq!(
        wishes.input["description"],
        "A cot, please\nArriving: this evening.\nBooking BK-0061."
    );
    assert_eq!(wishes.idempotency_token.as_deref(), Some("token-0-wishes"));
    let page = visitor.get(&page.location).await;
    for words in [
        "Your check-in",
        "You are checked in. Welcome!",
        "Your room",
        ">302<",
        "until Sun, Nov 22, 2026",
        "Your requests are with our front desk.",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
}

#[tokio::test]
async fn without_wishes_nothing_is_asked_for() {
    let visitor = Visitor::new();
    visitor.sign_in("arriving%40example.com").await;
    visitor
        .post(
            "check_in_details",
            "booking_number=BK-0061&arrival=here&wishes=",
        )
        .await;
    visitor
        .post(
            "check_in",
            "booking_number=BK-0061&idempotency_token=token-0",
        )
        .await;
    let call = visitor.house.calls().pop().unwrap();
    assert_eq!(
        (call.tool.as_str(), call.wait),
        ("check_in_guest", Some(std::time::Duration::ZERO))
    );
    let page = visitor
        .post(
            "check_in_details",
            &format!("booking_number=BK-0061&wishes={}", "x".repeat(501)),
        )
        .await;
    let page = visitor.get(&page.location).await;
    assert!(page.text.contains("href=\"#wishes\"") && page.text.contains(&"x".repeat(501)));
}

#[tokio::test]
async fn a_check_in_that_is_not_possible_says_why() {
    let visitor = Visitor::new();
    visitor.sign_in("cleaning%40example.com").await;
    let page = visitor
        .post(
            "check_in",
            "booking_number=BK-0061&idempotency_token=token-1",
        )
        .await;
    let page = visitor.get(&page.location).await;
    assert!(
        page.text.contains("Your room is not ready yet")
            && page.text.contains("Your reservation stands")
    );
    for (email, words) in [
        (
            "early%40example.com",
            [
                "It’s too early to check in",
                "from Sat, Nov 28 to Mon, Nov 30, 2026",
            ],
        ),
        (
            "both%40example.com",
            ["Which booking is it?", "/guest/check-in?booking=BK-0062"],
        ),
        (
            "beth.gibbs%40email.com",
            ["You are checked in", "Room 302 is yours"],
        ),
        (
            "nobody%40example.com",
            ["We found no booking to check in to", "Find a room"],
        ),
    ] {
        visitor.sign_in(email).await;
        let page = visitor.get("/guest/check-in").await;
        assert!(
            words.iter().all(|w| page.text.contains(w)),
            "{email}: {}",
            page.text
        );
    }
    assert_eq!(
        visitor.get("/guest/check-in?booking=BK-9999").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_story_of_a_failed_check_out_is_told_in_order() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    visitor.house.plant("exe_2", "pm_card_mastercard");
    let page = visitor.get("/guest/execution/exe_2").await;
    let places: Vec<_> = [
        "You asked us to check you out.",
        "We charged $250.00 to your card.",
        "Our booking system did not accept the check-out",
        "We refunded $250.00 to your card.",
        "Your stay is as it was before you asked.",
        "Reference",
    ]
    .iter()
    .map(|words| {
        page.text
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {}", page.text))
    })
    .collect();
    assert!(places.is_sorted());
    assert!(page.text.contains("within 5 to 10 business days") && page.text.contains("exe_2"));
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let visitor = Visitor::new();
    assert_eq!(
        visitor.get("/guest/account").await.location,
        "/guest/sign-in?next=%2Fguest%2Faccount"
    );
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/account").await;
    assert!(
        page.text.contains("Firefox on Windows")
            && page.text.contains("Sign out Safari on an iPhone")
    );
    assert_eq!(
        visitor.post("revoke", "name=s2").await.location,
        "/guest/account"
    );
    assert!(!visitor.get("/guest/account").await.text.contains("Safari"));
    assert_eq!(
        visitor.post("revoke_others", "").await.location,
        "/guest/account"
    );
    assert!(
        !visitor
            .get("/guest/account")
            .await
            .text
            .contains("Chrome on Android")
    );
    assert!(
        !visitor
            .get("/guest/account")
            .await
            .text
            .contains("Sign out everywhere else")
    );
}

#[tokio::test]
async fn the_key_card_names_the_room_only_once_the_guest_is_in_it() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let inside = visitor.get("/guest").await.text.replace("<!>", "");
    let key = |text: &str| {
        let from = text.find("class=\"key-card\"").expect("a key card");
        let rest = &text[from..];
        rest[..rest.find("</section>").unwrap()].to_owned()
    };
    let card = key(&inside);
    for words in [
        "Dewy Resort",
        ">302</strong>",
        "Beth Gibbs",
        "key from the front desk",
        "open doors",
    ] {
        assert!(card.contains(words), "{words}: {card}");
    }
    visitor.sign_in("arriving%40example.com").await;
    let card = key(&visitor.get("/guest").await.text.replace("<!>", ""));
    assert!(
        card.contains("pick up your key at the front desk"),
        "{card}"
    );
    assert!(card.contains("Deluxe") && !card.contains("105"), "{card}");
    visitor.sign_in("nobody%40example.com").await;
    assert!(
        !visitor
            .get("/guest")
            .await
            .text
            .contains("class=\"key-card\"")
    );
}
