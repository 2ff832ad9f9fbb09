//! Protocol of the model: OpenAI's, with its streams, errors and faults.

use tokio::time::Instant;

use crate::{
    chat_client::{body, merged, request},
    prelude::*,
    sandbox_client::json as parsed,
};

const GUEST: &str = "beth.gibbs@email.com";

fn facts() -> Value {
    json!({"today": "2026-03-10", "persona": "guest", "guest_email": GUEST, "room_number": "302"})
}

fn says(words: &str) -> Vec<Value> {
    vec![system(&facts()), json!({"role": "user", "content": words})]
}

const TWO: &str = "What do I owe, and could I have a wake-up call at six tomorrow?";

async fn raw(sandbox: &Sandbox, body: &Value) -> String {
    String::from_utf8(send(sandbox, request(body)).await.unwrap().body).unwrap()
}

#[tokio::test(start_paused = true)]
async fn chunks_start_with_the_role_and_end_with_usage() {
    let sandbox = sandbox();
    let text = raw(&sandbox, &body(&says("Thank you so much!"), &tools(None))).await;
    let events: Vec<&str> = text
        .split_terminator("\n\n")
        .map(|event| event.strip_prefix("data: ").unwrap())
        .collect();
    let chunks: Vec<Value> = events[..events.len() - 1]
        .iter()
        .map(|event| serde_json::from_str(event).unwrap())
        .collect();
    assert_eq!(*events.last().unwrap(), "[DONE]");
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    assert!(
        chunks.len() > 8,
        "a piece is a word or so: {}",
        chunks.len()
    );
    for chunk in &chunks {
        assert_fields(
            chunk,
            json!({ "object": "chat.completion.chunk", "model": "dewy-offline" }),
        );
        assert_fields(
            chunk,
            json!({ "id": chunks[0]["id"], "created": chunks[0]["created"] }),
        );
    }
    let usage = chunks.last().unwrap();
    assert_eq!(usage["choices"], json!([]));
    let count = |name: &str| usage["usage"][name].as_u64().unwrap();
    assert_eq!(
        count("prompt_tokens") + count("completion_tokens"),
        count("total_tokens")
    );
    assert!(
        count("prompt_tokens") > 1000 && count("completion_tokens") > 5,
        "{usage}"
    );
    assert!(
        chunks[..chunks.len() - 1]
            .iter()
            .all(|chunk| chunk["usage"].is_null())
    );
    let reply = merged(&text);
    assert!(
        reply.done && reply.finish == "stop" && reply.text.contains("welcome"),
        "{reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_hotel_has_told_is_answered_in_both_languages_and_nothing_else() {
    let sandbox = sandbox();
    let mut known = facts();
    for (name, value) in [
        ("hotel_breakfast", "7 to 10:30 AM, on the terrace"),
        ("hotel_wifi_network", "Dewy_Guests"),
        ("hotel_wifi_password", "morning-dew"),
        ("hotel_check_out_by", "11 AM"),
        ("hotel_directions", "Take the coast road."),
    ] {
        known[name] = json!(value);
    }
    let said = async |facts: &Value, words: &str| {
        let messages = [system(facts), json!({"role": "user", "content": words})];
        merged(&raw(&sandbox, &body(&messages, &tools(None))).await)
    };
    for (words, answer) in [
        (
            "When is breakfast?",
            "Breakfast: 7 to 10:30 AM, on the terrace.",
        ),
        (
            "¿A qué hora es el desayuno?",
            "Desayuno: 7 to 10:30 AM, on the terrace.",
        ),
        (
            "What is the wifi password?",
            "Our Wi-Fi is Dewy_Guests, and the password is morning-dew.",
        ),
        (
            "¿Cuál es la contraseña del wifi?",
            "Nuestra wifi es Dewy_Guests y la contraseña es morning-dew.",
        ),
        ("What time is check-out?", "Check-out is by 11 AM."),
        (
            "¿A qué hora tengo que salir?",
            "Hasta las 11 AM puede dejar la habitación.",
        ),
        ("How do I get to the hotel?", "Take the coast road."),
        ("¿Cómo llego al hotel por favor?", "Take the coast road."),
    ] {
        assert_eq!(said(&known, words).await.text, answer, "{words}");
    }
    // Not told, and not a question
    let unknown = said(&facts(), "When is breakfast?").await.text;
    assert!(unknown.contains("would rather not guess"), "{unknown}");
    for words in [
        "¿A qué hora abre la piscina, por favor?",
        "Quiero el desayuno en mi habitación, por favor",
    ] {
        let text = said(&known, words).await.text;
        assert!(text.starts_with("Lo siento"), "{words}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_include_usage_no_chunk_counts() {
    let mut asked = body(&says("Thank you!"), &tools(None));
    asked["stream_options"] = Value::Null;
    let text = raw(&sandbox(), &asked).await;
    assert!(!text.contains("usage"));
    assert!(text.ends_with("data: [DONE]\n\n"));
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_are_told_apart_by_index() {
    let text = raw(&sandbox(), &body(&says(TWO), &tools(None))).await;
    let mut order = Vec::new();
    let mut heads = Vec::new();
    for event in text
        .split("\n\n")
        .filter_map(|event| event.strip_prefix("data: {"))
    {
        let chunk: Value = serde_json::from_str(&format!("{{{event}")).unwrap();
        for part in chunk["choices"][0]["delta"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            order.push(part["index"].as_u64().unwrap());
            if !part["id"].is_null() {
                heads.push((
                    part["index"].as_u64().unwrap(),
                    text_of(&part["function"]["name"]),
                ));
                assert_eq!(
                    (&part["type"], &part["function"]["arguments"]),
                    (&json!("function"), &json!(""))
                );
            }
        }
    }
    assert_eq!(
        heads,
        [
            (0, "get_folio".to_owned()),
            (1, "submit_guest_service_request".to_owned())
        ]
    );
    assert!(
        order.is_sorted() && order.len() > 8,
        "the arguments arrive in pieces: {order:?}"
    );
    let reply = merged(&text);
    assert_eq!(reply.finish, "tool_calls");
    assert!(reply.text.is_empty() && reply.calls.iter().all(|(id, ..)| id.starts_with("call_")));
    assert_ne!(reply.calls[0].0, reply.calls[1].0);
    assert_eq!(reply.calls[1].2["type"], "Concierge");
}

#[tokio::test(start_paused = true)]
async fn tool_calls_respect_parallel_and_tool_choice_settings() {
    let mut asked = body(&says(TWO), &tools(None));
    asked["parallel_tool_calls"] = json!(false);
    assert_eq!(merged(&raw(&sandbox(), &asked).await).calls.len(), 1);
    asked["tool_choice"] = json!("none");
    let reply = merged(&raw(&sandbox(), &asked).await);
    assert!(reply.calls.is_empty() && !reply.text.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_complete_response_equals_the_stream() {
    let sandbox = sandbox();
    let streamed = ask(&sandbox, &says(TWO), &tools(None)).await;
    let mut asked = body(&says(TWO), &tools(None));
    asked["stream"] = json!(false);
    let whole = parsed(&send(&sandbox, request(&asked)).await.unwrap());
    assert_eq!(whole["object"], "chat.completion");
    assert_eq!(whole["choices"][0]["finish_reason"], "tool_calls");
    let calls = items(&whole["choices"][0]["message"]["tool_calls"]);
    for (call, (_, tool, arguments)) in calls.iter().zip(&streamed.calls) {
        assert_eq!(call["function"]["name"], *tool);
        let text = call["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *arguments);
    }
    assert_eq!(calls.len(), streamed.calls.len());
    assert_eq!(whole["usage"], streamed.usage);
}

#[tokio::test(start_paused = true)]
async fn models_and_keys() {
    let sandbox = sandbox();
    let get = |path: &str, key: Option<&str>| {
        let mut request = request(&Value::Null);
        request.method = "GET".to_owned();
        request.url = format!("https://model.test{path}");
        request.headers = key
            .map(|key| ("authorization".to_owned(), format!("Bearer {key}")))
            .into_iter()
            .collect();
        request
    };
    let models = parsed(&send(&sandbox, get("/v1/models", Some("k"))).await.unwrap());
    assert_eq!(models["data"][0]["id"], "dewy-offline");
    for (path, key, status, code) in [
        ("/v1/models/dewy-offline", Some("k"), 200, Value::Null),
        ("/v1/models/gpt-9", Some("k"), 404, json!("model_not_found")),
        ("/v1/models", None, 401, Value::Null),
        ("/v1/models", Some(" "), 401, Value::Null),
        (
            "/v1/chat/completions",
            Some("k"),
            405,
            json!("method_not_supported"),
        ),
        ("/v1/chat/nothing", Some("k"), 404, Value::Null),
    ] {
        let response = send(&sandbox, get(path, key)).await.unwrap();
        let answer = parsed(&response);
        assert_eq!(
            (response.status, &answer["error"]["code"]),
            (status, &code),
            "{path} {answer}"
        );
        assert_eq!(answer["error"].is_object(), status != 200, "{path}");
    }
    assert_eq!(last(&sandbox).system, System::Llm);
}

#[tokio::test(start_paused = true)]
async fn bad_requests_are_named() {
    let sandbox = sandbox();
    let asked_for = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "get_folio", "arguments": "{}"}}]});
    let user = json!({"role": "user", "content": "hello"});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "{}"});
    for (change, value, status, param) in [
        ("messages", json!([]), 400, "messages"),
        ("messages", Value::Null, 400, "messages"),
        (
            "messages",
            json!([{"role": "wizard", "content": "x"}]),
            400,
            "messages[0].role",
        ),
        (
            "messages",
            json!([user, {"role": "user", "content": [{"type": "image_url"}]}]),
            400,
            "messages[1].content",
        ),
        (
            "messages",
            json!([user, result("call_1")]),
            400,
            "messages.[1].role",
        ),
        (
            "messages",
            json!([user, asked_for, result("call_2")]),
            400,
            "messages.[2].role",
        ),
        (
            "messages",
            json!([user, asked_for]),
            400,
            "messages.[1].role",
        ),
        (
            "messages",
            json!([user, asked_for, user, result("call_1")]),
            400,
            "messages.[1].role",
        ),
        ("model", Value::Null, 400, "model"),
        ("stream", json!("yes"), 400, "stream"),
        ("tool_choice", json!("required"), 400, "tool_choice"),
        ("n", json!(2), 400, "n"),
        (
            "tools",
            json!([{"type": "function", "function": {"name": "no spaces"}}]),
            400,
            "tools[0].function.name",
        ),
    ] {
        let mut asked = body(std::slice::from_ref(&user), &tools(None));
        asked[change] = value;
        let response = send(&sandbox, request(&asked)).await.unwrap();
        let error = parsed(&response)["error"].clone();
        assert_eq!(
            (response.status, error["param"].as_str()),
            (status, Some(param)),
            "{change}: {error}"
        );
        assert_eq!(error["type"], "invalid_request_error");
    }
    let mut asked = body(&[user.clone(), asked_for, result("call_1")], &tools(None));
    assert_eq!(
        send(&sandbox, request(&asked)).await.unwrap().status,
        200,
        "the right order"
    );
    asked["model"] = json!("gpt-9");
    let response = send(&sandbox, request(&asked)).await.unwrap();
    assert_error(&response, 404, "model_not_found");
}

fn order(sandbox: &Sandbox, kind: FaultKind) {
    sandbox.add_fault(Fault::new(System::Llm, "chat", kind));
}

#[tokio::test(start_paused = true)]
async fn injected_statuses_have_openai_errors() {
    let sandbox = sandbox();
    for (status, code) in [
        (429, json!("rate_limit_exceeded")),
        (500, Value::Null),
        (503, Value::Null),
    ] {
        sandbox.add_fault(Fault::new(System::Llm, "chat", FaultKind::Status).status(status));
        let response = send(&sandbox, request(&body(&says("hello"), &tools(None))))
            .await
            .unwrap();
        assert_eq!(
            (response.status, &parsed(&response)["error"]["code"]),
            (status, &code)
        );
        assert_eq!(response.header("retry-after").is_some(), status == 429);
        assert_eq!(
            (last(&sandbox).status, last(&sandbox).effect.as_str()),
            (Some(status), "none")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn garbage_is_one_unreadable_event_among_good_ones() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::GarbageBody);
    let text = raw(&sandbox, &body(&says("hello"), &tools(None))).await;
    let events: Vec<&str> = text
        .split_terminator("\n\n")
        .filter_map(|event| event.strip_prefix("data: "))
        .collect();
    let bad: Vec<usize> = (0..events.len() - 1)
        .filter(|place| serde_json::from_str::<Value>(events[*place]).is_err())
        .collect();
    assert_eq!(bad.len(), 1);
    assert!(
        bad[0] > 0 && bad[0] < events.len() - 2,
        "in the middle: {bad:?} of {}",
        events.len()
    );
    assert!(
        ask(&sandbox, &says("hello"), &tools(None)).await.done,
        "only once"
    );
}

#[tokio::test(start_paused = true)]
async fn connections_break_and_hang() {
    let sandbox = sandbox();
    let hello = request(&body(&says("hello"), &tools(None)));
    for kind in [
        FaultKind::ResetBeforeEffect,
        FaultKind::ResetAfterEffect,
        FaultKind::TimeoutAfterEffect,
        FaultKind::LateEffect,
    ] {
        order(&sandbox, kind);
        assert!(
            matches!(
                send(&sandbox, hello.clone()).await,
                Err(TransportError::Broken(_))
            ),
            "{kind:?}"
        );
    }
    sandbox.add_fault(Fault::new(System::Llm, "*", FaultKind::TimeoutBeforeEffect).ms(90_000));
    assert_eq!(
        send(&sandbox, hello.clone()).await,
        Err(TransportError::Timeout)
    );
    assert_eq!(last(&sandbox).status, None);
    assert_eq!(send(&sandbox, hello).await.unwrap().status, 200);
}

#[tokio::test(start_paused = true)]
async fn responses_have_latency() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    let took = async || {
        let began = Instant::now();
        let text = raw(&sandbox, &body(&says("hello"), &tools(None))).await;
        (began.elapsed(), text.matches("\n\n").count())
    };
    let (usual, pieces) = took().await;
    assert_eq!(
        usual,
        Duration::from_millis(400) + Duration::from_millis(8) * u32::try_from(pieces - 1).unwrap()
    );
    sandbox.add_fault(Fault::new(System::Llm, "chat", FaultKind::Slow).ms(7_000));
    let (slow, _) = took().await;
    assert!(
        slow > usual + Duration::from_millis(6_990) && slow <= usual + Duration::from_secs(7),
        "{slow:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_disconnect_before_the_first_chunk_is_logged_as_unanswered() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    let hello = request(&body(&says("hello"), &tools(None)));
    let hung_up =
        dewy_domain::ports::Transport::send(&sandbox, hello, Duration::from_millis(100)).await;
    assert_eq!(hung_up, Err(TransportError::Timeout));
    assert_eq!(
        (last(&sandbox).status, last(&sandbox).effect.as_str()),
        (None, "none")
    );
}
