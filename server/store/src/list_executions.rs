//! Lists of executions, newest first. Each kind of query has its own statement, so that each is
//! answered from one index.
//!
//! ```text
//! labels? ─ one ─► its newest executions ─ several ─► those that have all labels     label_newest, label_value
//!    └ no ─► tool? ─ yes ─► for each state the newest of that tool, merged           execution_by_saga
//!              └ no ─► states? ─ yes ─► for each state the newest, merged            execution_by_state
//!                         └ no ─► the newest                                         execution_created
//! ```
//! Reads the ids first, then only as many heads as are shown.
//!
//! SQLite plans a statement anew whenever a bare parameter after `limit` is bound, which costs more
//! than the query; `+ 0` keeps the plan.

use std::collections::BTreeSet;

use dewy_saga::{
    State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::{backend::Backend, fetch::fetch, row_conversion, store::Store};

/// (id, created at)
type ListCursor = (String, i64);

const NEWEST: &str =
    "select e.id, e.created_at from execution e where e.created_at >= $1 and e.created_at < $2
      and (cast($4 as text) is null or e.saga <> $4)
    order by e.created_at desc, e.id desc limit $3 + 0";
const OF_STATE: &str = "select e.id, e.created_at from execution e
    where e.state = $4 and e.created_at >= $1 and e.created_at < $2
      and (cast($5 as text) is null or e.saga <> $5)
    order by e.created_at desc, e.id desc limit $3 + 0";
const OF_SAGA: &str = "select e.id, e.created_at from execution e
    where e.saga = $5 and e.state = $4 and e.created_at >= $1 and e.created_at < $2
    order by e.created_at desc, e.id desc limit $3 + 0";

/// The newest executions with one label. An id starts with its creation time (UUIDv7), so the
/// newest ids are the newest executions, and of a room with thousands only one page is read. `+ 0`
/// keeps the planner from scanning all times instead.
const OF_LABEL: &str = "select e.id, e.created_at from label l cross join execution e
    where l.name = $4 and l.value = $5 and e.id = l.execution and e.created_at + 0 >= $1 and e.created_at + 0 < $2
      and (cast($6 as text) is null or $6 like '%,' || e.state || ',%')
      and (cast($7 as text) is null or e.saga = $7)
      and (cast($8 as text) is null or e.saga <> $8)
    order by l.execution desc limit $3 + 0";

/// A label has one value, so a matching execution is found once per label. The labels come first:
/// they match few, and no query should scan all executions to check their labels. A state is
/// matched within a comma-separated list; `_` matches itself too.
macro_rules! with_labels {
    ($labels:literal) => {
        concat!(
            "select e.id, e.created_at from (select l.execution from ",
            $labels,
            " group by l.execution having count(*) = $5) f cross join execution e
             where e.id = f.execution and e.created_at + 0 >= $1 and e.created_at + 0 < $2
               and (cast($6 as text) is null or $6 like '%,' || e.state || ',%')
               and (cast($7 as text) is null or e.saga = $7)
               and (cast($8 as text) is null or e.saga <> $8)
             order by e.created_at desc, e.id desc limit $3 + 0"
        )
    };
}

impl Store {
    pub(crate) async fn listing(
        &self,
        filter: &ExecutionFilter,
    ) -> Result<Vec<ExecutionRecord>, StoreError> {
        if filter.saga.is_some() && filter.saga == filter.not_saga {
            return Ok(Vec::new());
        }
        let places = if filter.labels.is_empty() {
            self.by_kind(filter).await?
        } else {
            self.by_labels(filter).await?
        };
        let ids: Vec<String> = places.into_iter().map(|(id, _)| id).collect();
        self.records(&ids, false).await
    }

    async fn by_kind(&self, filter: &ExecutionFilter) -> Result<Vec<ListCursor>, StoreError> {
        let (from, to, limit) = bounds(filter);
        // One tool's executions have all states, which are part of the index.
        let states: BTreeSet<State> = match (&filter.saga, filter.states.as_slice()) {
            (None, []) => {
                return fetch!(self, ListCursor, NEWEST, from, to, limit, &filter.not_saga);
            }
            (Some(_), []) => State::ALL.into_iter().collect(),
            (_, some) => some.iter().copied().collect(),
        };
        let mut places = Vec::new();
        for state in states {
            places.extend(match &filter.saga {
                Some(saga) => fetch!(
                    self,
                    ListCursor,
                    OF_SAGA,
                    from,
                    to,
                    limit,
                    state.name(),
                    saga
                )?,
                None => fetch!(
                    self,
                    ListCursor,
                    OF_STATE,
                    from,
                    to,
                    limit,
                    state.name(),
                    &filter.not_saga
                )?,
            });
        }
        newest_first(&mut places);
        places.truncate(filter.limit);
        Ok(places)
    }

    async fn by_labels(&self, filter: &ExecutionFilter) -> Result<Vec<ListCursor>, StoreError> {
        let (from, to, limit) = bounds(filter);
        let states = match filter.states.as_slice() {
            [] => None,
            some => Some(format!(
                ",{},",
                some.iter().map(|s| s.name()).collect::<Vec<_>>().join(",")
            )),
        };
        if let [(name, value)] = filter.labels.as_slice() {
            let mut places = fetch!(
                self,
                ListCursor,
                OF_LABEL,
                from,
                to,
                limit,
                name,
                value,
                &states,
                &filter.saga,
                &filter.not_saga
            )?;
            newest_first(&mut places);
            return Ok(places);
        }
        let labels: BTreeSet<&(String, String)> = filter.labels.iter().collect();
        let (wanted, labels) = (
            i64::try_from(labels.len()).unwrap_or(i64::MAX),
            row_conversion::to_json(&labels)?,
        );
        let sql = match &self.backend {
            Backend::Sqlite(_) => with_labels!(
                "json_each($4) j cross join label l where l.name = j.value ->> 0 and l.value = j.value ->> 1"
            ),
            Backend::Postgres(_) => with_labels!(
                "json_array_elements($4::json) j cross join label l where l.name = j.value ->> 0 and l.value = j.value ->> 1"
            ),
        };
        fetch!(
            self,
            ListCursor,
            sql,
            from,
            to,
            limit,
            &labels,
            wanted,
            &states,
            &filter.saga,
            &filter.not_saga
        )
    }
}

fn newest_first(places: &mut [ListCursor]) {
    places.sort_unstable_by(|(a, a_at), (b, b_at)| (b_at, b).cmp(&(a_at, a)));
}

/// Always bounds the times, so that one statement covers all cases.
fn bounds(filter: &ExecutionFilter) -> (i64, i64, i64) {
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    (
        filter.from.map_or(i64::MIN, row_conversion::micros),
        filter.to.map_or(i64::MAX, row_conversion::micros),
        limit,
    )
}
