//! Verification of the call chains.

use std::collections::BTreeMap;

use dewy_saga::StoreError;

use super::{Row, batch_hash};
use crate::columns::columns;
use crate::{
    fetch::fetch,
    lossy_text::LossyText,
    store::Store,
    verify_report::{ChainFault, ChainKind, VerifyReport},
};

columns! {
    struct Batch {
        writer: LossyText,
        n: i64,
        at: i64,
        size: i64,
        hash: LossyText,
    }
}

/// Hash of each stored batch, by writer and number.
pub(crate) type BatchHashes = BTreeMap<(String, i64), String>;

/// Verifies every call, every batch and every writer's newest batch.
pub(crate) async fn verify_calls(
    store: &Store,
    report: &mut VerifyReport,
) -> Result<BatchHashes, StoreError> {
    let mut hashes = BTreeMap::new();
    // Heads first: what they refer to already exists when the batches are read.
    let heads = fetch!(
        store,
        (LossyText, i64, LossyText),
        "select writer, n, hash from call_chain order by writer"
    )?;
    let (mut writer, mut n, mut before) = (String::new(), 0, String::new());
    loop {
        let sql = "select writer, n, at, size, hash from call_batch
                   where writer > $1 or (writer = $1 and n > $2) order by writer, n limit 100";
        let page = fetch!(store, Batch, sql, &writer, n)?;
        if page.is_empty() {
            break;
        }
        for batch in page {
            if *batch.writer != *writer {
                (writer, n, before) = (batch.writer.to_string(), 0, String::new());
            }
            let wrong = if batch.n == n + 1 {
                check(store, &batch, &before, report).await?
            } else {
                Some(format!("batch {} is missing", n + 1))
            };
            if let Some(what) = wrong {
                report.faults.push(fault(&writer, &what));
            }
            n = batch.n;
            before = batch.hash.to_string();
            hashes.insert((batch.writer.into(), batch.n), batch.hash.into());
            report.batches += 1;
        }
    }
    for (writer, n, hash) in heads {
        report.call_chains += 1;
        if hashes.get(&(writer.to_string(), n)).map(String::as_str) != Some(&*hash) {
            report.faults.push(fault(
                &writer,
                &format!("batch {n}, the newest, is missing or was changed"),
            ));
        }
    }
    Ok(hashes)
}

fn fault(writer: &str, what: &str) -> ChainFault {
    ChainFault {
        kind: ChainKind::Calls,
        execution: None,
        what: format!("calls of {writer}: {what}"),
    }
}

async fn check(
    store: &Store,
    batch: &Batch,
    before: &str,
    report: &mut VerifyReport,
) -> Result<Option<String>, StoreError> {
    let sql = "select writer, n, pos, at, caller, interface, credential, request, tool, status, outcome, execution, on_behalf_of,
                   digest
               from tool_call where writer = $1 and n = $2 order by pos";
    let rows = fetch!(store, Row, sql, &*batch.writer, batch.n)?;
    report.calls += rows.len();
    for pos in 0..batch.size {
        let row = usize::try_from(pos).ok().and_then(|at| rows.get(at));
        match row {
            Some(row) if row.pos == pos && *row.computed_digest()? == *row.digest => {}
            Some(row) if row.pos == pos => {
                return Ok(Some(format!("call {pos} of batch {} was changed", batch.n)));
            }
            _ => return Ok(Some(format!("call {pos} of batch {} is missing", batch.n))),
        }
    }
    if i64::try_from(rows.len()).ok() != Some(batch.size) {
        return Ok(Some(format!(
            "batch {} has more calls than were written",
            batch.n
        )));
    }
    let digests = rows.iter().map(|row| &*row.digest);
    let right = batch_hash(before, &batch.writer, batch.n, batch.at, digests) == *batch.hash;
    Ok((!right).then(|| format!("batch {} was changed", batch.n)))
}
