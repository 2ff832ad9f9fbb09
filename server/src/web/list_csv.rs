//! Lists as files: exactly what the page's filter shows, as far as one answer holds.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    extract::{Query, Request, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::{
    answer::{Settled, ToolAnswer},
    caller::Persona,
    money::{Cents, Currency, Money},
    ports::{Dispatcher, Doorman},
    tool::ToolCall,
};
use http::{StatusCode, header};
use serde_json::{Map, Value};

use super::{WebParts, context::RequestContext};
use crate::{auth::Door, csv::row};

/// The most that one answer of a search holds.
const MOST: u32 = 200;

/// A list that can be had as a file.
#[derive(Clone, Copy, Debug)]
struct List {
    path: &'static str,
    tool: &'static str,
    name: &'static str,
    columns: &'static [&'static str],
}

const LISTS: [List; 2] = [
    List {
        path: "/staff/executions.csv",
        tool: "search_executions",
        name: "executions",
        columns: &[
            "execution_id",
            "title",
            "state",
            "reason",
            "guest_email",
            "booking_number",
            "room_number",
            "created_at",
            "updated_at",
        ],
    },
    List {
        path: "/staff/compensations.csv",
        tool: "list_compensations",
        name: "compensations",
        columns: &[
            "payment_intent_id",
            "execution_id",
            "status",
            "reason",
            "guest_email",
            "booking_number",
            "room_number",
            "captured",
            "refunded",
            "currency",
            "refund_id",
            "cause",
            "updated_at",
        ],
    },
];

#[derive(Clone, Debug)]
struct Files {
    door: Door,
    dispatcher: Arc<dyn Dispatcher>,
    list: List,
}

/// `GET /staff/executions.csv` and the like.
pub fn router(parts: &WebParts) -> Router {
    LISTS.into_iter().fold(Router::new(), |router, list| {
        let files = Files { door: parts.door.clone(), dispatcher: Arc::clone(&parts.dispatcher), list };
        router.merge(Router::new().route(list.path, get(file)).with_state(files))
    })
}

async fn file(State(files): State<Files>, Query(query): Query<BTreeMap<String, String>>, request: Request) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let who = context.doorman(&files.door).who().await;
    let Some(who) = who.filter(|who| who.caller.persona == Persona::Staff) else {
        return Redirect::to("/staff/sign-in").into_response();
    };
    let given = query.into_iter().filter(|(_, value)| !value.trim().is_empty());
    let mut input: Map<String, Value> = given.map(|(name, value)| (name, Value::from(value.trim()))).collect();
    input.insert("limit".to_owned(), Value::from(MOST));
    let call =
        ToolCall { tool: files.list.tool.to_owned(), input: Value::Object(input), idempotency_token: None, wait: None };
    let answer = files.dispatcher.dispatch(&who.caller, call).await;
    match &answer {
        ToolAnswer::Settled { settled: Settled::Done { data, .. }, .. } => {
            let name = files.list.path.rsplit('/').next().unwrap_or("list.csv");
            let headers = [
                (header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present".to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
            ];
            (headers, table(files.list, data)).into_response()
        }
        _ => {
            let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
            let body = answer.body(Persona::Staff);
            let words = body["error_message"].as_str().unwrap_or("That did not work.").to_owned();
            (status, [kind], words + "\n").into_response()
        }
    }
}

/// Amounts stand there twice: in cents for programs, and written out beside for people.
fn table(list: List, data: &Value) -> String {
    let is_money = |column: &str| matches!(column, "captured" | "refunded");
    let mut head: Vec<String> = Vec::new();
    for column in list.columns {
        head.push((*column).to_owned());
        if is_money(column) {
            head.push(format!("{column}_text"));
        }
    }
    head.push("note".to_owned());
    let mut text = row(&head);
    for item in data[list.name].as_array().into_iter().flatten() {
        let mut cells = Vec::with_capacity(head.len());
        for column in list.columns {
            cells.push(match &item[*column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            if is_money(column) {
                cells.push(written(&item[*column], &item["currency"]));
            }
        }
        cells.push(String::new());
        text.push_str(&row(&cells));
    }
    if data["cut"] == true {
        let mut last = vec![String::new(); head.len() - 1];
        last.push("There are more than these: narrow the filters.".to_owned());
        text.push_str(&row(&last));
    }
    text
}

fn written(cents: &Value, currency: &Value) -> String {
    let currency: Option<Currency> = currency.as_str().and_then(|code| code.parse().ok());
    match (cents.as_i64(), currency) {
        (Some(cents), Some(currency)) => Money { cents: Cents(cents), currency }.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_a_table_and_a_cut_one_says_so() {
        let data = json!({ "cut": true, "compensations": [{ "payment_intent_id": "pi_1", "captured": 25000, "refunded": 0,
            "currency": "usd", "guest_email": "=cmd@example.com" }] });
        let text = table(LISTS[1], &data);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("captured,captured_text,refunded,refunded_text,currency"));
        assert!(lines[1].contains("25000,$250.00,0,$0.00,usd") && lines[1].contains("\"'=cmd@example.com\""), "{text}");
        assert!(lines[2].ends_with("narrow the filters."));
        let columns = |line: &str| line.matches(',').count();
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{text}");
    }
}
