//! Reads of projections: rows that executions write when they end.

use std::collections::BTreeMap;

use dewy_saga::{ExecutionId, StoreError, journal::ProjectionRow};

use crate::{
    backend::Backend,
    fetch::{fetch, for_ids},
    row_conversion::{self, ProjectionColumns},
    store::Store,
};

impl Store {
    pub(crate) async fn projections_with_keys(
        &self,
        kind: &str,
        keys: &[String],
    ) -> Result<BTreeMap<String, Result<ProjectionRow, StoreError>>, StoreError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let sql = for_ids!(
            self,
            "select key, execution, body, updated_at from projection where key",
            "and kind = $2"
        );
        let rows = fetch!(
            self,
            ProjectionColumns,
            sql,
            row_conversion::to_json(&keys)?,
            kind
        )?;
        Ok(rows
            .into_iter()
            .map(|row| (row.key.to_string(), projection_row(row)))
            .collect())
    }

    pub(crate) async fn newest_projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Result<Vec<ProjectionRow>, StoreError> {
        let sql = "select key, execution, body, updated_at from projection
                   where kind = $1 and (cast($2 as text) is null or execution = $2) order by updated_at desc, key desc limit $3";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let execution = execution.map(|e| e.to_string());
        let rows = fetch!(self, ProjectionColumns, sql, kind, &execution, limit)?;
        // An unreadable row is left out and stays in place: `dewy audit verify` names it.
        let read = rows.into_iter().filter_map(|row| {
            let key = row.key.to_string();
            projection_row(row)
                .inspect_err(|error| tracing::error!(kind, key, %error, "left out"))
                .ok()
        });
        Ok(read.collect())
    }
}

fn projection_row(row: ProjectionColumns) -> Result<ProjectionRow, StoreError> {
    Ok(ProjectionRow {
        key: row.key.into(),
        execution: row_conversion::id(&row.execution)?,
        body: row_conversion::json(&row.body)?,
        updated_at: row_conversion::to_timestamp(row.updated_at)?,
    })
}
