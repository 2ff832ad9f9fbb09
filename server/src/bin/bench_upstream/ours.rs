//! Our side: the tool itself, journal and all, on SQLite with `synchronous=FULL`.

use anyhow::ensure;
use dewy_domain::{
    caller::{Caller, Interface},
    ports::{Clock, Dispatcher, Entropy},
    tool::ToolCall,
};
use dewy_server::world::{OsEntropy, RealClock};
use serde_json::json;

use crate::scene::{BALANCE, GUEST, Run, Scene};

/// One check-out. The folio is read first, as every interface does before it asks for the money; it is not measured, and it
/// leaves connections and the session at Salesforce as they are in a running house.
pub async fn run(scene: &Scene) -> anyhow::Result<Run> {
    scene.sandbox.reset(1);
    let caller = Caller::guest(GUEST, Interface::Mcp);
    let folio = ToolCall { tool: "get_folio".to_owned(), input: json!({}), idempotency_token: None, wait: None };
    let folio = scene.server.hotel.dispatch(&caller, folio).await;
    ensure!(folio.error().is_none(), "no folio: {folio:?}");
    let call = ToolCall {
        tool: "process_guest_checkout".to_owned(),
        input: json!({ "amount": BALANCE }),
        idempotency_token: Some(OsEntropy.uuid_v7(RealClock.now()).to_string()),
        wait: None,
    };
    scene
        .measure(async {
            let answer = scene.server.hotel.dispatch(&caller, call).await;
            ensure!(answer.error().is_none(), "not checked out: {answer:?}");
            Ok(())
        })
        .await
}
