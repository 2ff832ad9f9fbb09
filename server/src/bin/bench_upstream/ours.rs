//! Our side: the tool itself, journal and all, on SQLite with `synchronous=FULL`.

use anyhow::ensure;
use dewy_domain::{
    caller::{Caller, Interface},
    ports::{Clock, Dispatcher, Entropy},
    tool::ToolCall,
};
use dewy_server::world::{OsEntropy, RealClock};
use serde_json::json;

use crate::{
    job::Job,
    scene::{Run, Scene},
};

/// The job once. A folio is read first, as happens all the time in a running house; it is not measured, and it leaves
/// connections and the session at Salesforce as they are there.
pub async fn run(scene: &Scene, job: Job) -> anyhow::Result<Run> {
    scene.sandbox.reset(1);
    let folio = ToolCall { tool: "get_folio".to_owned(), input: json!({}), idempotency_token: None, wait: None };
    let beth = Caller::guest(Job::CheckOut.guest(), Interface::Mcp);
    let folio = scene.server.hotel.dispatch(&beth, folio).await;
    ensure!(folio.error().is_none(), "no folio: {folio:?}");
    let (tool, input) = job.call();
    let token = OsEntropy.uuid_v7(RealClock.now()).to_string();
    let call = ToolCall { tool: tool.to_owned(), input, idempotency_token: Some(token), wait: None };
    let caller = Caller::guest(job.guest(), Interface::Mcp);
    let work = async {
        let answer = scene.server.hotel.dispatch(&caller, call).await;
        ensure!(answer.error().is_none() && answer.status() == 200, "not done: {answer:?}");
        Ok(())
    };
    let mut run = scene.measure(job, work).await?;
    scene.afterwards(&mut run).await?;
    Ok(run)
}
