//! Appends: one plain statement where possible, otherwise one call of `append_v1`.

use std::collections::BTreeMap;

use dewy_saga::{
    Lease, State, StoreError,
    journal::{Append, AppendResult, ClaimChange, LeaseChange},
};

use super::{Postgres, Purpose, exchange};
use crate::row_conversion::{id, micros, to_json, to_micros};

const APPEND: &str =
    "select outcome, other, mark from append_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)";

impl Postgres {
    pub(crate) async fn append(
        &self,
        lease: &Lease,
        append: &Append,
    ) -> Result<AppendResult, StoreError> {
        if self.try_single_statement_append(lease, append).await? {
            return Ok(AppendResult::Ok);
        }
        let (rows, audit) = (&append.rows, &append.audit);
        let events: Vec<String> = rows
            .iter()
            .map(|r| to_json(&r.event))
            .collect::<Result<_, _>>()?;
        let (lease_change, lease_us) = match append.lease {
            LeaseChange::Keep => ("keep", 0),
            LeaseChange::For(duration) => ("for", to_micros(duration)),
            LeaseChange::Release => ("release", 0),
        };
        let (claims, mut resources, mark) = match &append.claims {
            ClaimChange::None => ("none", Vec::new(), 0),
            ClaimChange::Take { resources, mark } => ("take", resources.clone(), *mark),
            ClaimChange::Release => ("release", Vec::new(), 0),
        };
        resources.sort_unstable();
        resources.dedup();
        let labels: BTreeMap<&str, &str> = append
            .labels
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        // Of two rows with one key, the later one wins.
        let mut projections = BTreeMap::new();
        for row in &append.projections {
            projections.insert((row.kind.as_str(), row.key.as_str()), to_json(&row.body)?);
        }
        let query = sqlx::query_as(APPEND)
            .bind(lease.id.to_string())
            .bind(&lease.worker)
            .bind(lease.fence)
            .bind(rows.iter().map(|r| r.seq).collect::<Vec<_>>())
            .bind(rows.iter().map(|r| micros(r.at)).collect::<Vec<_>>())
            .bind(rows.iter().map(|r| r.by.as_str()).collect::<Vec<_>>())
            .bind(rows.iter().map(|r| r.fence).collect::<Vec<_>>())
            .bind(events)
            .bind(rows.iter().map(|r| r.digest.as_str()).collect::<Vec<_>>())
            .bind(audit.iter().map(|a| a.seq).collect::<Vec<_>>())
            .bind(audit.iter().map(|a| micros(a.at)).collect::<Vec<_>>())
            .bind(audit.iter().map(|a| a.actor.as_str()).collect::<Vec<_>>())
            .bind(
                audit
                    .iter()
                    .map(|a| a.from.map(State::name))
                    .collect::<Vec<_>>(),
            )
            .bind(audit.iter().map(|a| a.to.name()).collect::<Vec<_>>())
            .bind(audit.iter().map(|a| a.journal.as_str()).collect::<Vec<_>>())
            .bind(audit.iter().map(|a| a.hash.as_str()).collect::<Vec<_>>())
            .bind(append.state.name())
            .bind(append.wake_at.map(|at| micros(at) - micros(append.at)))
            .bind(lease_change)
            .bind(lease_us)
            .bind(claims)
            .bind(resources)
            .bind(mark)
            .bind(append.answer.as_ref().map(to_json).transpose()?)
            .bind(append.free_token)
            .bind(labels.keys().copied().collect::<Vec<_>>())
            .bind(labels.values().copied().collect::<Vec<_>>())
            .bind(projections.keys().map(|k| k.0).collect::<Vec<_>>())
            .bind(projections.keys().map(|k| k.1).collect::<Vec<_>>())
            .bind(projections.values().map(String::as_str).collect::<Vec<_>>())
            .bind(append.handled.as_slice())
            .bind(micros(append.at));
        let (outcome, other, mark): (String, Option<String>, Option<i64>) =
            exchange!(self, Purpose::Write, |connection| query
                .fetch_one(connection))?;
        match (outcome.as_str(), other) {
            ("ok", _) => Ok(AppendResult::Ok),
            ("held", Some(by)) => Ok(AppendResult::Held { by: id(&by)? }),
            ("stale", _) => Ok(AppendResult::Stale {
                mark: mark.unwrap_or_default(),
            }),
            _ => Err(StoreError::Fenced),
        }
    }
}
