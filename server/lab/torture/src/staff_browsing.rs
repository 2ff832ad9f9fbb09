//! Staff who browse the lists and use the actions on an execution's page during the run.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use serde_json::{Value, json};

use crate::{
    caller_state::CallerState,
    retrying_client::{ToolRequest, call_concurrently, call_with_retries, sleep_randomly},
    test_server::TestServer,
};

/// States to browse; the first ones are listed several times to be picked more often.
const STATES: [&str; 9] = [
    "compensating",
    "compensating",
    "compensating",
    "needs_attention",
    "needs_attention",
    "needs_attention",
    "compensated",
    "refused",
    "completed",
];

/// Works until the front desk closes.
pub async fn browse(server: Arc<TestServer>, desk: Arc<CallerState>, mut rng: Rng) {
    while !desk.closing() {
        sleep_randomly(&mut rng, 150, 700).await;
        if rng.u64(..100) < 25 {
            if let Some((payment, email)) = desk.random_payment(&mut rng) {
                give_back(&server, &desk, &mut rng, &payment, &email).await;
            }
        } else {
            open_and_act(&server, &desk, &mut rng).await;
        }
    }
}

/// Opens one execution of a list, and acts on it.
async fn open_and_act(server: &TestServer, desk: &CallerState, rng: &mut Rng) -> Option<()> {
    let state = *rng.choice(&STATES)?;
    let bearer = rng.choice(&server.tokens)?;
    let of = if state == "needs_attention" {
        json!({ "state": state, "limit": 20 })
    } else {
        json!({ "state": state, "tool": "process_guest_checkout", "limit": 20 })
    };
    let list = read(server, rng, bearer, "search_executions", &of).await?;
    let id = rng.choice(list["executions"].as_array()?)?["execution_id"]
        .as_str()?
        .to_owned();
    let page = read(
        server,
        rng,
        bearer,
        "get_execution",
        &json!({ "execution_id": id }),
    )
    .await?;
    if state == "needs_attention" {
        return resolve(server, desk, rng, bearer, &page).await;
    }
    let ids = page["ids"].as_array()?;
    let payment = ids.iter().find(|pair| pair[0] == "Stripe payment")?[1].as_str()?;
    // Some misread the name.
    let email = if rng.u64(..100) < 5 {
        "somebody@load.example"
    } else {
        page["guest_email"].as_str()?
    };
    give_back(server, desk, rng, payment, email).await;
    Some(())
}

/// Resolves an execution that needs a person with one of the actions on its page. Settles it by
/// hand only if nothing else is possible, or rarely.
async fn resolve(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    bearer: &str,
    page: &Value,
) -> Option<()> {
    let open = |act: &&Value| act["barred"].is_null();
    let acts: Vec<_> = page["acts"]
        .as_array()?
        .iter()
        .filter(open)
        .filter_map(|a| a["resolution"].as_str())
        .collect();
    let better: Vec<_> = acts
        .iter()
        .copied()
        .filter(|a| *a != "mark_solved")
        .collect();
    let any = better.is_empty() || rng.u64(..100) < 8;
    let act = *rng.choice(if any { &acts } else { &better })?;
    // Half of it is left for later, as people do.
    if rng.u64(..100) < 50 {
        return None;
    }
    let arguments = json!({ "execution_id": page["execution_id"], "resolution": act, "reason": "seen on the list" });
    together(
        server,
        desk,
        rng,
        &ToolRequest::new("resolve_execution", bearer, arguments),
    )
    .await;
    Some(())
}

async fn give_back(
    server: &TestServer,
    desk: &CallerState,
    rng: &mut Rng,
    payment: &str,
    email: &str,
) {
    let Some(bearer) = rng.choice(&server.tokens) else {
        return;
    };
    let arguments =
        json!({ "payment_intent_id": payment, "guest_email": email, "reason": "the guest asked" });
    together(
        server,
        desk,
        rng,
        &ToolRequest::new("compensate_checkout_failure", bearer, arguments),
    )
    .await;
}

/// Alone, or two staff members at once.
async fn together(server: &TestServer, desk: &CallerState, rng: &mut Rng, one: &ToolRequest<'_>) {
    let other = (rng.u64(..100) < 25)
        .then(|| rng.choice(&server.tokens))
        .flatten();
    match other {
        Some(bearer) => {
            drop(call_concurrently(server, desk, rng, one, &one.again_by(bearer)).await)
        }
        None => drop(call_with_retries(server, desk, rng, one).await),
    }
}

/// List or page; `None` without an answer, which happens while the hotel is killed.
async fn read(
    server: &TestServer,
    rng: &mut Rng,
    bearer: &str,
    tool: &str,
    arguments: &Value,
) -> Option<Value> {
    for _ in 0..5 {
        let base = rng.choice(&server.addresses)?;
        match server.wire.tool(base, bearer, tool, arguments).await {
            Ok(mut body) if body["success"] == true => return Some(body["data"].take()),
            Ok(_) => return None,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    None
}
