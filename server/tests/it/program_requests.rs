//! Requests of programs as they really come: other spellings, other addresses, too large, broken.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::prelude::*;

async fn rest(hotel: &TestHotel, persona: Persona, email: &str) -> Rest {
    let token = hotel.token(persona, email).await;
    Rest::new(&hotel.server.public_url, persona.name(), &token)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_clerk_would_understand_is_taken_at_every_door() {
    let hotel = TestHotel::open().await;
    let staff = rest(&hotel, Persona::Staff, MANAGER).await;
    let mcp = hotel.staff_mcp(MANAGER).await;
    for (tool, plain, spelled) in [
        (
            "search_bookings",
            json!({ "room_number": "302" }),
            json!({ "room_number": 302, "status": null, "limit": "20", "guest_email": "" }),
        ),
        (
            "search_bookings",
            json!({ "room_number": "302" }),
            json!({ "room_number": "Room 302" }),
        ),
        (
            "search_available_rooms",
            json!({ "check_in_date": day(3), "check_out_date": day(5), "number_of_guests": 2, "room_type": "Suite" }),
            json!({ "check_in_date": format!("{}T15:00:00Z", day(3)), "check_out_date": day(5).replace('-', "/"),
                "number_of_guests": "2", "room_type": "suite" }),
        ),
        (
            "search_rooms_on_behalf_of_staff",
            json!({ "status_filter": "Out of Service" }),
            json!({ "status_filter": "out_of_service", "floor_filter": null }),
        ),
        (
            "search_bookings",
            json!({ "room_number": "302" }),
            json!({ "room_number": "302", "status": "null", "limit": "None", "guest_email": "N/A",
                "from_date": "undefined", "booking_number": "null" }),
        ),
        (
            "search_bookings",
            json!({}),
            json!({ "room_number": "null", "to_date": "none" }),
        ),
    ] {
        let expected = staff.call(tool, None, &plain).await;
        assert_eq!(expected.status, 200, "{:?}", expected.body);
        let answer = staff.call(tool, None, &spelled).await;
        assert_eq!(answer.body, expected.body, "{spelled}");
        for era in ERAS {
            let result = mcp.call(era, tool, spelled.clone()).await;
            assert_eq!(result["structuredContent"], expected.body, "{spelled}");
        }
    }
    // A charge is named as people write its number
    let charge = json!({ "room_number": "302", "amount": 700, "description": "Laundry" });
    let posted = staff.call("post_charge", Some("laundry"), &charge).await;
    let number = posted.body["data"]["charge_number"].as_str().unwrap();
    let written = format!("#{}", number.to_lowercase().replace('-', " "));
    let mut again = charge.clone();
    again["repeat_of"] = json!(written);
    let twice = staff.call("post_charge", Some("laundry2"), &again).await;
    assert_eq!(twice.status, 201, "{written}: {twice:?}");
    let void = json!({ "room_number": "302", "charge_number": written, "void": "true", "repeat_of": "null" });
    let voided = staff.call("post_charge", Some("void"), &void).await;
    assert_eq!(voided.body["data"]["charge_number"], number, "{voided:?}");
    // Work is given to somebody who can do it
    let case = json!({ "type": "Housekeeping", "subject": "Towels", "room_number": "302", "assignee": "nobody@dewy.example" });
    let refused = staff.call("manage_cases", Some("nobody"), &case).await;
    let problem = &refused.body["details"]["problems"][0];
    assert_eq!(
        (refused.status, &problem["field"]),
        (400, &json!("assignee")),
        "{refused:?}"
    );
    // The same wish in two spellings is one request
    let wish = |room: Value| json!({ "room_number": room, "description": "Drain is slow", "take_out_of_service": null });
    let first = staff
        .call(
            "submit_maintenance_request",
            Some("one-wish"),
            &wish(json!("302")),
        )
        .await;
    let again = staff
        .call(
            "submit_maintenance_request",
            Some("one-wish"),
            &wish(json!("room #302")),
        )
        .await;
    assert_eq!(
        (&first.body["data"], &json!(true)),
        (&again.body["data"], &again.body["replayed"]),
        "{:?}",
        again.body
    );
    let missing = staff
        .call(
            "get_folio",
            None,
            &json!({ "guest_email": null, "booking_number": null, "room_number": null }),
        )
        .await;
    assert_eq!(
        missing.status, 400,
        "null for a required field: {:?}",
        missing.body
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_programs_answer_programs() {
    let hotel = TestHotel::open().await;
    let url = hotel.server.public_url.clone();
    let mcp = hotel.guest_mcp(BETH).await;
    let slash = Mcp {
        url: format!("{}/", mcp.url),
        token: mcp.token.clone(),
        client: mcp.client.clone(),
    };
    for era in ERAS {
        let (status, list) = slash.send(era, "tools/list", json!({})).await;
        assert_eq!(status, 200, "{list}");
        let server = &list["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(server["name"], "dewy-guest", "{list}");
        let folio = slash.call(era, "get_folio", json!({})).await;
        assert_eq!(
            folio["_meta"]["io.modelcontextprotocol/serverInfo"],
            *server
        );
    }
    for path in ["/mcp", "/mcp/", "/mcp/nobody", "/mcp/guest/more"] {
        let elsewhere = Mcp {
            url: format!("{url}{path}"),
            token: mcp.token.clone(),
            client: mcp.client.clone(),
        };
        let (status, body) = elsewhere.send(Era::Modern, "tools/list", json!({})).await;
        assert_eq!(
            (status, &body["jsonrpc"]),
            (404, &json!("2.0")),
            "{path}: {body}"
        );
    }
    let stream = mcp
        .client
        .get(&mcp.url)
        .bearer_auth(&mcp.token)
        .send()
        .await
        .unwrap();
    assert_eq!(
        (stream.status().as_u16(), &stream.headers()["allow"]),
        (405, &"POST".parse().unwrap())
    );
    for path in ["/register", "/token", "/no/such/path"] {
        let answer = mcp
            .client
            .post(format!("{url}{path}"))
            .json(&json!({}))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 404, "{path}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["error"], "not_found", "{path}");
    }
    for (request, status) in [
        (mcp.client.post(&url), 405),
        (mcp.client.put(format!("{url}/staff")), 405),
        (
            mcp.client
                .get(format!("{url}/.well-known/oauth-protected-resource")),
            404,
        ),
        (
            mcp.client
                .get(format!("{url}/nobody"))
                .header("accept", "application/json"),
            404,
        ),
    ] {
        let answer = request.send().await.unwrap();
        let (read, address) = (answer.status().as_u16(), answer.url().clone());
        let body: Value = answer.json().await.unwrap();
        assert!(
            read == status && body["error"].is_string(),
            "{address} {body}"
        );
    }
    let folio = mcp
        .client
        .post(format!("{url}/api/guest/get_folio/"))
        .bearer_auth(&mcp.token)
        .json(&json!({}));
    assert_eq!(folio.send().await.unwrap().status(), 200, "a final slash");
    let forged = mcp
        .client
        .post(format!("{url}/form/sign_out"))
        .send()
        .await
        .unwrap();
    assert_eq!(forged.status(), 403, "a form still has to come from a page");
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_and_malformed_messages_are_answered() {
    let hotel = TestHotel::open().await;
    let mcp = hotel.guest_mcp(BETH).await;
    let large = |length: usize| format!("{{\"x\":\"{}\"}}", "a".repeat(length));
    for length in [300_000, 3_000_000] {
        for url in [mcp.url.clone(), hotel.url("/api/guest/get_folio")] {
            // Chunked too: without a declared length
            for chunked in [false, true] {
                let body = large(length);
                let body = match chunked {
                    false => reqwest::Body::from(body),
                    true => {
                        reqwest::Body::wrap_stream(futures::stream::iter([
                            Ok::<_, std::io::Error>(body),
                        ]))
                    }
                };
                let request = mcp.client.post(&url).bearer_auth(&mcp.token);
                let answer = request
                    .header("content-type", "application/json")
                    .body(body)
                    .send()
                    .await;
                let answer =
                    answer.unwrap_or_else(|error| panic!("{url} {length} {chunked}: {error:?}"));
                assert_eq!(answer.status(), 413, "{url} {length} {chunked}");
                answer.json::<Value>().await.unwrap();
            }
            let stranger = mcp
                .client
                .post(&url)
                .body(large(length))
                .send()
                .await
                .unwrap();
            assert_eq!(
                stranger.status(),
                401,
                "{url}: said before the connection ends"
            );
        }
    }
    let (no_json, no_request) = (-32700, -32600);
    for (body, code) in [
        ("", no_json),
        ("{", no_json),
        ("{\"jsonrpc\":", no_json),
        ("{}{}", no_json),
        ("\0", no_json),
        ("\u{feff}{}", no_json),
        ("[]", no_request),
        ("null", no_request),
        ("7", no_request),
        ("\"x\"", no_request),
        ("{}", no_request),
        (r#"{"jsonrpc":"2.0"}"#, no_request),
        (r#"{"jsonrpc":"2.0","id":1}"#, no_request),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, no_request),
        (r#"{"jsonrpc":"2.0","id":1,"result":7}"#, no_request),
        (
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#,
            no_request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_folio","arguments":{"room_number":"302","room_number":"304"}}}"#,
            no_request,
        ),
    ] {
        let answer = mcp.post().body(body).send().await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        let parsed: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{body:?}: {status} {text:?}"));
        assert_eq!(
            (status, &parsed["jsonrpc"]),
            (400, &json!("2.0")),
            "{body:?}: {text}"
        );
        assert_eq!(parsed["error"]["code"], code, "{body:?}: {text}");
        assert!(parsed["error"]["message"].is_string(), "{body:?}: {text}");
    }
    let text = mcp.client.post(&mcp.url).bearer_auth(&mcp.token).body("{}");
    let text = text.send().await.unwrap();
    assert_eq!(text.status(), 415);
    assert_eq!(
        text.json::<Value>().await.unwrap()["error"]["code"],
        no_request
    );
    // Just below the limit
    let input = json!({ "booking_number": "B".repeat(200 * 1024) });
    let call = json!({ "name": "get_folio", "arguments": input });
    assert_eq!(mcp.send(Era::Legacy, "tools/call", call).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_not_much_larger_than_its_question() {
    let hotel = TestHotel::open().await;
    let staff = rest(&hotel, Persona::Staff, MANAGER).await;
    let many: serde_json::Map<String, Value> = (0..10_000)
        .map(|n| (format!("field{n}"), json!(n % 10)))
        .collect();
    let answer = staff.call("get_folio", None, &Value::Object(many)).await;
    let problems = answer.body["details"]["problems"].as_array().unwrap();
    assert_eq!(
        (answer.status, problems.len()),
        (400, 20),
        "{:?}",
        answer.body
    );
    assert_eq!(answer.body["details"]["more_problems"], true);
    let long = json!({ "x".repeat(100_000): 1, "guest_email": "y".repeat(100_000) });
    let twice = format!("{{\"{0}\": 1, \"{0}\": 2}}", "x".repeat(100_000));
    let request = staff
        .post("get_folio")
        .header("content-type", "application/json");
    let answer = request.body(twice).send().await.unwrap();
    assert_eq!(answer.status(), 400);
    assert!(answer.bytes().await.unwrap().len() < 20_000);
    for input in [long, json!({ "booking_number": "z".repeat(200_000) })] {
        let answer = staff.call("get_folio", None, &input).await;
        assert_eq!(answer.status, 400);
        assert!(
            answer.body.to_string().len() < 20_000,
            "{} bytes",
            answer.body.to_string().len()
        );
    }
}

/// Sends raw bytes and returns the whole response.
async fn raw(hotel: &TestHotel, request: &str) -> String {
    let address = hotel.server.public_url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    tokio::time::timeout(Duration::from_secs(10), read)
        .await
        .unwrap()
        .unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn request_lines_without_a_path_and_incomplete_forms_are_client_errors() {
    let hotel = TestHotel::open().await;
    for line in [
        "GET x:1",
        "OPTIONS *",
        "CONNECT x:1",
        "POST example.com:443",
    ] {
        let answer = raw(
            &hotel,
            &format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
        )
        .await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{line}: {answer}");
    }
    let browser = hotel.browser().staff(MANAGER).await;
    for (form, body, field) in [
        ("set_scene", "", "scene"),
        ("set_scene", "scene=a&scene=b", "scene"),
        ("set_latency", "other=1", "profile"),
        ("order_fault", "system=stripe", ""),
    ] {
        let answer = browser.post(form, body).await;
        assert!(
            answer.status == 400 && answer.shows(field),
            "{form} {body}: {} {}",
            answer.status,
            answer.text
        );
    }
}
