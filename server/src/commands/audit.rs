//! `dewy audit verify`.

use anyhow::bail;
use dewy_store::{ChainFault, ChainKind, VerifyReport};

use crate::{config::Config, startup::open_store};

/// Prints one line per kind of chain; fails at the first row that doesn't match. May run alongside
/// `dewy serve`.
pub async fn verify(config: &Config) -> anyhow::Result<()> {
    let store = open_store::to_read(config).await?;
    let report = store.verify_all().await;
    store.close().await;
    let report = report?;
    for line in lines(&report) {
        println!("{line}");
    }
    match report.faults.first() {
        Some(fault) => bail!(
            "the audit log is inconsistent; the first bad row: {}",
            named(fault)
        ),
        None => Ok(()),
    }
}

fn lines(report: &VerifyReport) -> [String; 3] {
    let aside = match report.calls_aside {
        0 => String::new(),
        n => format!("; {n} could not be recorded as they were and are in table unrecorded_call"),
    };
    let verdict = |kind: ChainKind| match report
        .faults
        .iter()
        .filter(|fault| fault.kind == kind)
        .count()
    {
        0 => "all consistent".to_owned(),
        1 => "1 inconsistent".to_owned(),
        n => format!("{n} inconsistent"),
    };
    let newest = report
        .newest_checkpoint
        .as_ref()
        .map(|(n, hash)| format!("; the newest is {n}, {hash}"));
    [
        format!(
            "executions  {}: {}",
            report.executions,
            verdict(ChainKind::Execution)
        ),
        format!(
            "calls       {} in {} batches of {} chains: {}{aside}",
            report.calls,
            report.batches,
            report.call_chains,
            verdict(ChainKind::Calls)
        ),
        format!(
            "checkpoints {}: {}{}",
            report.checkpoints,
            verdict(ChainKind::Checkpoint),
            newest.unwrap_or_default()
        ),
    ]
}

fn named(fault: &ChainFault) -> String {
    match fault.execution {
        Some(execution) => format!("{execution}: {}", fault.what),
        None => fault.what.clone(),
    }
}
