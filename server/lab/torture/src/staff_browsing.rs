//! Staff who browse the lists and use the actions on an execution's page during the run.

use std::time::Duration;

use serde_json::{Value, json};

use crate::tool_caller::ToolCaller;

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
pub async fn work(mut caller: ToolCaller) {
    while !caller.desk.closing() {
        caller.pause(150, 700).await;
        if !caller.chance(25) {
            open_and_act(&mut caller).await;
        } else if let Some((payment, email)) = caller.desk.random_payment(&mut caller.rng) {
            give_back(&mut caller, &payment, &email).await;
        }
    }
}

/// Opens one execution of a list, and acts on it.
async fn open_and_act(caller: &mut ToolCaller) -> Option<()> {
    let state = *caller.rng.choice(&STATES)?;
    let mut of = json!({ "state": state, "limit": 20 });
    if state != "needs_attention" {
        of["tool"] = json!("process_guest_checkout");
    }
    let list = read(caller, "search_executions", of).await?;
    let opened = caller.rng.choice(list["executions"].as_array()?)?;
    let of = json!({ "execution_id": opened["execution_id"] });
    let page = read(caller, "get_execution", of).await?;
    if state == "needs_attention" {
        return resolve(caller, &page).await;
    }
    let ids = page["ids"].as_array()?;
    let payment = ids.iter().find(|pair| pair[0] == "Stripe payment")?[1].as_str()?;
    // Some misread the name.
    let email = if caller.chance(5) {
        "somebody@load.example"
    } else {
        page["guest_email"].as_str()?
    };
    give_back(caller, payment, email).await;
    Some(())
}

/// Resolves an execution that needs a person with one of the actions on its page. Settles it by
/// hand only if nothing else is possible, or rarely.
async fn resolve(caller: &mut ToolCaller, page: &Value) -> Option<()> {
    let open = page["acts"]
        .as_array()?
        .iter()
        .filter(|act| act["barred"].is_null());
    let acts: Vec<_> = open.filter_map(|act| act["resolution"].as_str()).collect();
    let mut better = acts.clone();
    better.retain(|act| *act != "mark_solved");
    let any = better.is_empty() || caller.chance(8);
    let act = *caller.rng.choice(if any { &acts } else { &better })?;
    // Half of it is left for later, as people do.
    if caller.chance(50) {
        return None;
    }
    let arguments = json!({ "execution_id": page["execution_id"], "resolution": act, "reason": "seen on the list" });
    let request = caller.request("resolve_execution", arguments);
    caller.call_perhaps_with_another(&request).await;
    Some(())
}

async fn give_back(caller: &mut ToolCaller, payment: &str, email: &str) {
    let arguments =
        json!({ "payment_intent_id": payment, "guest_email": email, "reason": "the guest asked" });
    let request = caller.request("compensate_checkout_failure", arguments);
    caller.call_perhaps_with_another(&request).await;
}

/// List or page; `None` without an answer, which happens while the hotel is killed.
async fn read(caller: &mut ToolCaller, tool: &str, arguments: Value) -> Option<Value> {
    for _ in 0..5 {
        let (bearer, server) = (caller.bearer(), caller.server.clone());
        let base = caller.rng.choice(&server.addresses)?;
        match server.wire.tool(base, &bearer, tool, &arguments).await {
            Ok(mut body) if body["success"] == true => return Some(body["data"].take()),
            Ok(_) => return None,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    None
}
