use serde_json::json;

use super::*;

fn put(chunks: &[Value]) -> (String, Result<ModelAnswer, ModelError>) {
    let mut assembly = ChatAssembly::default();
    let text = chunks
        .iter()
        .filter_map(|chunk| assembly.take(chunk))
        .collect();
    (
        text,
        assembly.finish("here").map(|assembled| assembled.answer),
    )
}

fn delta(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

fn call(index: u64, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    delta(
        json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }),
    )
}

#[test]
fn text_is_streamed_and_usage_comes_last() {
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 12, "completion_tokens": 3 } });
    let (text, answer) = put(&[
        delta(json!({ "role": "assistant", "content": "" })),
        delta(json!({ "content": "You owe " })),
        delta(json!({ "content": "$250.00." })),
        end("stop"),
        usage,
    ]);
    assert_eq!(text, "You owe $250.00.");
    let answer = answer.unwrap();
    assert_eq!(
        (
            answer.text.as_str(),
            answer.input_tokens,
            answer.output_tokens
        ),
        ("You owe $250.00.", 12, 3)
    );
}

#[test]
fn interleaved_calls_stay_separate() {
    let (_, answer) = put(&[
        call(0, Some("a"), Some("get_folio"), ""),
        call(1, Some("b"), Some("search_guests"), "{\"qu"),
        call(0, None, None, "{}"),
        call(1, None, None, "ery\":\"Beth\"}"),
        end("tool_calls"),
    ]);
    let calls: Vec<_> = answer
        .unwrap()
        .calls
        .into_iter()
        .map(|c| (c.id, c.name, c.arguments))
        .collect();
    let of = |id: &str, name: &str, arguments: &str| {
        (id.to_owned(), name.to_owned(), arguments.to_owned())
    };
    assert_eq!(
        calls,
        [
            of("a", "get_folio", "{}"),
            of("b", "search_guests", "{\"query\":\"Beth\"}")
        ]
    );
}

#[test]
fn missing_optional_members_are_accepted() {
    let bare = |function: Value| delta(json!({ "tool_calls": [{ "function": function }] }));
    let (_, answer) = put(&[
        bare(json!({ "name": "get_folio", "arguments": {} })),
        bare(json!({ "name": "search_guests", "arguments": "{\"query\":" })),
        bare(json!({ "arguments": "\"Beth\"}" })),
        end("stop"),
    ]);
    let calls: Vec<_> = answer
        .unwrap()
        .calls
        .into_iter()
        .map(|c| (c.id, c.arguments))
        .collect();
    assert_eq!(
        calls,
        [
            ("call_0".to_owned(), "{}".to_owned()),
            ("call_1".to_owned(), "{\"query\":\"Beth\"}".to_owned())
        ]
    );
}

#[test]
fn a_stream_without_an_end_marker_is_incomplete() {
    assert!(matches!(
        put(&[delta(json!({ "content": "You owe" }))]).1,
        Err(ModelError::Broken(_))
    ));
    assert!(matches!(put(&[]).1, Err(ModelError::Broken(_))));
    assert!(
        matches!(put(&[end("stop")]).1, Err(ModelError::Broken(_))),
        "nothing was said"
    );
    assert!(matches!(
        put(&[call(0, Some("a"), None, "{}"), end("tool_calls")]).1,
        Err(ModelError::Broken(_))
    ));
    for reason in ["length", "model_length", "MAX_TOKENS"] {
        let cut = put(&[call(0, Some("a"), Some("get_folio"), "{\"bo"), end(reason)]);
        let cut = cut.1.unwrap();
        assert!(cut.truncated && cut.calls.is_empty(), "{reason}");
    }
}

#[test]
fn oversized_streams_are_refused() {
    let flood: Vec<_> = (0..40)
        .map(|n| call(n, Some(&format!("c{n}")), Some("get_folio"), "{}"))
        .collect();
    assert!(matches!(
        put(&[flood, vec![end("tool_calls")]].concat()).1,
        Err(ModelError::Broken(_))
    ));
}

#[test]
fn calls_are_told_apart_however_they_are_numbered() {
    let call = |index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: Value| {
        delta(
            json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }),
        )
    };
    let whole = |index, id, name: &str| call(index, id, Some(name), json!("{}"));
    let zero = Some(0);
    for (case, pieces) in [
        (
            "all 0",
            vec![whole(zero, Some("a"), "f"), whole(zero, Some("b"), "g")],
        ),
        (
            "all 0, the same tool",
            vec![whole(zero, Some("a"), "f"), whole(zero, Some("b"), "f")],
        ),
        (
            "all 0, no ids",
            vec![whole(zero, None, "f"), whole(zero, None, "f")],
        ),
        (
            "all 0, no arguments yet",
            vec![
                call(zero, Some("a"), Some("f"), json!("")),
                call(zero, Some("b"), Some("g"), json!("")),
                call(zero, Some("b"), None, json!("{}")),
            ],
        ),
        (
            "a new id with every piece",
            vec![
                call(zero, Some("a"), Some("f"), json!("{")),
                call(zero, Some("x"), None, json!("}")),
                call(Some(1), Some("b"), Some("g"), json!("{")),
                call(Some(1), Some("y"), None, json!("}")),
            ],
        ),
        (
            "the name with every piece",
            vec![
                call(zero, None, Some("f"), json!("{")),
                call(zero, None, Some("f"), json!("}")),
                whole(Some(1), None, "g"),
            ],
        ),
        (
            "objects",
            vec![
                call(None, None, Some("f"), json!({})),
                call(None, None, Some("g"), json!({})),
            ],
        ),
        (
            "the same id",
            vec![whole(zero, Some("x"), "f"), whole(Some(1), Some("x"), "g")],
        ),
        (
            "the same id and number",
            vec![whole(zero, Some("x"), "f"), whole(zero, Some("x"), "g")],
        ),
        (
            "the same id, no arguments yet",
            vec![
                call(zero, Some("x"), Some("f"), json!("")),
                call(Some(1), Some("x"), Some("g"), json!("")),
                call(Some(1), None, None, json!("{}")),
            ],
        ),
        (
            "the second without id, as the first might be called",
            vec![whole(zero, Some("call_1"), "f"), whole(Some(1), None, "g")],
        ),
        (
            "the first sent again at the end",
            vec![
                whole(zero, Some("a"), "f"),
                whole(Some(1), Some("b"), "g"),
                whole(zero, Some("a"), "f"),
                call(zero, Some("a"), Some("f"), json!("")),
            ],
        ),
    ] {
        let calls = put(&[pieces, vec![end("tool_calls")]].concat())
            .1
            .unwrap()
            .calls;
        let ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
        assert!(calls.len() == 2 && ids[0] != ids[1], "{case}: {calls:?}");
        assert!(
            case.contains("yet") || calls.iter().all(|call| call.arguments == "{}"),
            "{case}: {calls:?}"
        );
    }
    let both = json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }, { "index": 0, "id": "b", "function": { "name": "g", "arguments": "{}" } }]);
    let answer = put(&[delta(json!({ "tool_calls": both })), end("stop")])
        .1
        .unwrap();
    assert_eq!(answer.calls.len(), 2, "in one chunk");
    let legacy = |function: Value| delta(json!({ "function_call": function }));
    let answer = put(&[
        legacy(json!({ "name": "f", "arguments": "{\"a\"" })),
        legacy(json!({ "arguments": ":1}" })),
        end("function_call"),
    ]);
    assert_eq!(answer.1.unwrap().calls[0].arguments, "{\"a\":1}");
}

#[test]
fn content_is_read_in_every_form() {
    let thinking = json!({ "type": "thinking", "thinking": [{ "type": "text", "text": "Hm" }] });
    for (content, shown) in [
        (
            json!({ "content": [thinking, { "type": "text", "text": "Yes." }] }),
            "Yes.",
        ),
        (
            json!({ "content": null, "refusal": "I can't help with that." }),
            "I can't help with that.",
        ),
        (json!({ "content": "<think>Hm</think>Yes." }), "Yes."),
        (
            json!({ "content": "Yes.", "reasoning_content": "Hm", "reasoning": "Hm" }),
            "Yes.",
        ),
    ] {
        let (heard, answer) = put(&[delta(content.clone()), end("stop")]);
        assert_eq!(
            (heard.as_str(), answer.unwrap().text.as_str()),
            (shown, shown),
            "{content}"
        );
    }
    let whole = json!({ "object": "chat.completion", "choices": [{ "message": { "content": "Yes." }, "finish_reason": "stop" }] });
    assert_eq!(put(&[whole]).1.unwrap().text, "Yes.", "not streamed");
    let said = delta(json!({ "content": "Yes." }));
    let called = put(&[said, end("tool_calls")]).1.unwrap();
    assert_eq!((called.text.as_str(), called.calls.len()), ("Yes.", 0));
    for reason in [
        "error",
        "abort",
        "function_call_filter: MALFORMED_FUNCTION_CALL",
    ] {
        assert!(
            matches!(
                put(&[delta(json!({ "content": "Yes" })), end(reason)]).1,
                Err(ModelError::Broken(_))
            ),
            "{reason}"
        );
    }
}

#[test]
fn opaque_parts_are_kept() {
    // As Google documents it for the Gemini API; Vertex AI calls it "vertex" instead of "google"
    for of in ["google", "vertex"] {
        let extra = json!({ (of): { "thought_signature": "s" } });
        let signed = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "f", "arguments": "{}" }, "extra_content": extra });
        let (_, answer) = put(&[delta(json!({ "tool_calls": [signed] })), end("tool_calls")]);
        assert_eq!(answer.unwrap().opaque["calls"]["a"]["extra_content"], extra);
    }
    let details = |text: &str| json!([{ "type": "reasoning.text", "text": text }]);
    let (_, answer) = put(&[
        delta(json!({ "reasoning_content": "Let me ", "reasoning_details": details("a") })),
        delta(json!({ "reasoning_content": "see.", "reasoning_details": details("b") })),
        delta(json!({ "content": "Yes." })),
        end("stop"),
    ]);
    let message = json!({ "reasoning_content": "Let me see.", "reasoning_details": [details("a")[0], details("b")[0]] });
    assert_eq!(answer.unwrap().opaque["message"], message);
}
