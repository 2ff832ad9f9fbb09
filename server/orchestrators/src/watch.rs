//! Following executions, as far as a caller may see them.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    ports::Watch,
    view::{ExecutionView, ListItem},
};
use dewy_saga::{
    ExecutionId, State,
    journal::{Filter, Record},
};

use crate::{check_out, hotel::Hotel, view};

/// How many executions a list shows.
const LIST: usize = 200;

/// Guests see their own; staff at the desk see all, other staff what they asked for themselves.
pub(crate) fn may_see(caller: &Caller, record: &Record) -> bool {
    let own = record.caller == caller.key();
    match (caller.persona, caller.role) {
        (Persona::Guest, _) => own || record.labels.iter().any(|(n, v)| n == "guest_email" && *v == caller.email),
        (Persona::Staff, Some(Role::Manager | Role::FrontDesk)) => true,
        (Persona::Staff, _) => own,
    }
}

impl Hotel {
    async fn seen(&self, caller: &Caller, id: ExecutionId) -> Option<Record> {
        match self.engine.journal().load(id).await {
            Ok(record) => record.filter(|r| may_see(caller, r)),
            Err(error) => {
                tracing::warn!(%error, execution = %id, "the execution could not be read");
                None
            }
        }
    }
}

#[async_trait]
impl Watch for Hotel {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let record = self.seen(caller, id.parse().ok()?).await?;
        Some(view::of(&self.engine, &self.settings, caller, &record))
    }

    async fn changed(&self, caller: &Caller, id: &str, after: i64, at_most: Duration) -> Option<ExecutionView> {
        let id = id.parse().ok()?;
        let until = self.clock.now() + at_most;
        loop {
            let mut live = self.engine.follow(id);
            let record = self.seen(caller, id).await?;
            let left = Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
            if check_out::seq(&record) > after || left.is_zero() {
                return Some(view::of(&self.engine, &self.settings, caller, &record));
            }
            match &mut live {
                Some(live) => {
                    let nap = self.clock.sleep(left.min(Duration::from_secs(1)));
                    tokio::select! {
                        biased;
                        _ = live.changed() => {}
                        () = nap => {}
                    }
                }
                None => self.clock.sleep(left.min(Duration::from_millis(500))).await,
            }
        }
    }

    async fn executions(&self, caller: &Caller, state: Option<&str>) -> Vec<ListItem> {
        let states = match state {
            None | Some("") => Vec::new(),
            Some(name) => match State::from_name(name) {
                Some(state) => vec![state],
                None => return Vec::new(),
            },
        };
        if caller.persona != Persona::Staff {
            return Vec::new();
        }
        let filter = Filter { states, limit: LIST, ..Filter::default() };
        match self.engine.journal().list(&filter).await {
            Ok(records) => records.iter().filter(|r| may_see(caller, r)).map(|r| view::item(&self.engine, r)).collect(),
            Err(error) => {
                tracing::warn!(%error, "executions could not be listed");
                Vec::new()
            }
        }
    }
}
