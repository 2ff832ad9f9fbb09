//! This implementation: the tool over REST, with its journal, on SQLite with `synchronous=FULL`.

use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::ports::{Clock, Entropy};
use serde_json::json;

use super::{
    scenario::Scenario,
    slow_systems::{Run, SlowSystems},
};
use crate::support::rest_client::Client;

/// Runs the job once. A folio is read first, as often happens in a running hotel; it is not
/// measured, and it warms up connections and the Salesforce session.
pub async fn run(scene: &SlowSystems, job: Scenario) -> anyhow::Result<Run> {
    scene.reset().await?;
    let mut beth = scene.guest(Scenario::CheckOut.guest()).await?;
    beth.call("get_folio", &json!({}), None).await?;
    let mut guest: Client = scene.guest(job.guest()).await?;
    let (tool, input) = job.call();
    let key = OsEntropy.uuid_v7(RealClock.now()).to_string();
    let work = async { guest.call(tool, &input, Some(&key)).await };
    let mut run = scene.measure(job, work).await?;
    scene.afterwards(&mut run).await?;
    Ok(run)
}
