//! Messages of a conversation so far, and the model's answer to them.

use serde_json::{Value, json};

use crate::chat_client::{Reply, ask, hand_over, system, tools};
use crate::sandbox_client::sandbox;

/// Answer to the last of these messages: the results of calls, and texts in between.
pub async fn answer(facts: &Value, role: Option<&str>, messages: &[Value]) -> Reply {
    let mut all = vec![system(facts)];
    all.extend_from_slice(messages);
    let mut tools = tools(role);
    if role.is_none() {
        tools.as_array_mut().unwrap().push(hand_over());
    }
    ask(&sandbox(), &all, &tools).await
}

pub fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

pub fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

pub fn called(tool: &str, arguments: &Value, result: &Value) -> [Value; 2] {
    let function = json!({"name": tool, "arguments": arguments.to_string()});
    let call = json!({"id": tool, "type": "function", "function": function});
    [
        json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        json!({"role": "tool", "tool_call_id": tool, "content": result.to_string()}),
    ]
}

pub fn beth(status: &str) -> Value {
    json!({"today": "2026-03-10", "persona": "guest", "guest_email": "beth.gibbs@email.com", "stay_status": status,
        "room_number": "302", "booking_number": "BK-0042", "check_in_date": "2026-03-08", "check_out_date": "2026-03-12",
        "hotel_check_in_from": "3 PM", "hotel_breakfast": "7 to 10 AM", "hotel_wifi_network": "Dewy",
        "hotel_wifi_password": "dew"})
}

pub fn desk() -> Value {
    json!({"today": "2026-03-10", "persona": "staff", "role": "front_desk"})
}

pub fn one(reply: &Reply) -> (&str, &Value) {
    assert_eq!(reply.calls.len(), 1, "{reply:?}");
    (&reply.calls[0].1, &reply.calls[0].2)
}
