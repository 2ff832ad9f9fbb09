//! Lists of executions, newest first: each shape of a question has words of its own, so that each is answered from one index.
//!
//! ```text
//! labels? ─ yes ─► what those labels name, then their heads                          label_value
//!    └ no ─► tool? ─ yes ─► for each state the newest of that tool, merged           execution_by_saga
//!              └ no ─► states? ─ yes ─► for each state the newest, merged            execution_by_state
//!                         └ no ─► the newest                                         execution_created
//! ```
//! First the ids; then only as many heads are read as are shown.

use std::{cmp::Reverse, collections::BTreeSet};

use dewy_saga::{
    State, StoreError,
    journal::{Filter, Record},
};

use crate::{
    codec,
    read::fetch,
    store::{Backend, Store},
};

/// (id, created at)
type Place = (String, i64);

const NEWEST: &str = "select e.id, e.created_at from execution e where e.created_at >= $1 and e.created_at < $2
    order by e.created_at desc, e.id desc limit $3";
const OF_STATE: &str = "select e.id, e.created_at from execution e
    where e.state = $4 and e.created_at >= $1 and e.created_at < $2 order by e.created_at desc, e.id desc limit $3";
const OF_SAGA: &str = "select e.id, e.created_at from execution e
    where e.saga = $5 and e.state = $4 and e.created_at >= $1 and e.created_at < $2
    order by e.created_at desc, e.id desc limit $3";

/// A label has one value, so an execution that fits is found once for each label. The labels come first: they name few, and nobody
/// should look at all executions to see whether one of them is named. A state's name in commas is found in the list in commas; `_`
/// matches itself too.
macro_rules! with_labels {
    ($labels:literal) => {
        concat!(
            "select e.id, e.created_at from (select l.execution from ",
            $labels,
            " group by l.execution having count(*) = $5) f cross join execution e
             where e.id = f.execution and e.created_at >= $1 and e.created_at < $2
               and (cast($6 as text) is null or $6 like '%,' || e.state || ',%')
               and (cast($7 as text) is null or e.saga = $7)
             order by e.created_at desc, e.id desc limit $3"
        )
    };
}

impl Store {
    pub(crate) async fn listing(&self, filter: &Filter) -> Result<Vec<Record>, StoreError> {
        let places =
            if filter.labels.is_empty() { self.by_kind(filter).await? } else { self.by_labels(filter).await? };
        let ids: Vec<String> = places.into_iter().map(|(id, _)| id).collect();
        self.records(&ids, false).await
    }

    async fn by_kind(&self, filter: &Filter) -> Result<Vec<Place>, StoreError> {
        let (from, to, limit) = bounds(filter);
        // Of one tool there are executions in all states, which the index has in between.
        let states: BTreeSet<State> = match (&filter.saga, filter.states.as_slice()) {
            (None, []) => return fetch!(self, Place, NEWEST, from, to, limit),
            (Some(_), []) => State::ALL.into_iter().collect(),
            (_, some) => some.iter().copied().collect(),
        };
        let mut places = Vec::new();
        for state in states {
            places.extend(match &filter.saga {
                Some(saga) => fetch!(self, Place, OF_SAGA, from, to, limit, state.name(), saga)?,
                None => fetch!(self, Place, OF_STATE, from, to, limit, state.name())?,
            });
        }
        places.sort_unstable_by(|(a, a_at), (b, b_at)| (Reverse(a_at), Reverse(a)).cmp(&(Reverse(b_at), Reverse(b))));
        places.truncate(filter.limit);
        Ok(places)
    }

    async fn by_labels(&self, filter: &Filter) -> Result<Vec<Place>, StoreError> {
        let (from, to, limit) = bounds(filter);
        let labels: BTreeSet<&(String, String)> = filter.labels.iter().collect();
        let (wanted, labels) = (i64::try_from(labels.len()).unwrap_or(i64::MAX), codec::to_json(&labels)?);
        let states = match filter.states.as_slice() {
            [] => None,
            some => Some(format!(",{},", some.iter().map(|s| s.name()).collect::<Vec<_>>().join(","))),
        };
        let sql = match &self.backend {
            Backend::Sqlite(_) => with_labels!(
                "json_each($4) j cross join label l where l.name = j.value ->> 0 and l.value = j.value ->> 1"
            ),
            Backend::Postgres(_) => with_labels!(
                "json_array_elements($4::json) j cross join label l where l.name = j.value ->> 0 and l.value = j.value ->> 1"
            ),
        };
        fetch!(self, Place, sql, from, to, limit, &labels, wanted, &states, &filter.saga)
    }
}

/// Moments are bounded even where nobody bounds them, so that one statement does for both.
fn bounds(filter: &Filter) -> (i64, i64, i64) {
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    (filter.from.map_or(i64::MIN, codec::micros), filter.to.map_or(i64::MAX, codec::micros), limit)
}
