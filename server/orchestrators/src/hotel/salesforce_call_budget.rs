//! Salesforce calls that guests may cause: Salesforce limits an org's calls in 24 hours, and one
//! guest's pages, agents, and chats must not use up what everybody's check-out needs.
//!
//! ```text
//! a guest's call ─► can it wait, and is the rest of the org's quota reserved? ── yes ─► QUOTA_RESERVED
//!                      └─ no ─► within this guest's budget? ── yes ─► spent, it runs;  no ─► RATE_LIMITED
//! ```
//! Each guest has a number of calls per 24 hours: a quarter is available at once, and the rest
//! accrues over time. The last fifth of the quarter is reserved for actions; the rest can also be
//! spent on browsing. Each process counts for itself.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use dewy_domain::{
    api_usage::ApiUsage,
    caller::{Caller, Persona},
    emergency,
    error_code::ErrorCode,
    tool_answer::ToolError,
    tool_catalog::{
        GetExecution, GetFolio, SearchAvailableRooms, SearchBookings, SearchCasesOnBehalfOfGuest,
        SearchRoomsOnBehalfOfGuest,
    },
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

/// Window of a budget, as Salesforce counts.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Number of guests above which those with a full budget are forgotten.
const MAX_TRACKED_GUESTS: usize = 10_000;

/// Calls that a tool causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Maximum number of calls, texts included.
    pub calls: i32,
    /// What it is for, which determines whether it can wait.
    pub purpose: Purpose,
}

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Browsing; can wait.
    Look,
    /// Reading what check-in and check-out need.
    Stay,
    /// Changing something.
    Act,
}

impl Cost {
    pub(crate) fn of(tool: &str, input: &Value) -> Self {
        #[derive(Deserialize)]
        struct Described<'a> {
            description: &'a str,
        }
        let text = Described::deserialize(input).map_or("", |it| it.description);
        let (calls, purpose) = match tool {
            // Only the journal is read
            GetExecution::NAME => (0, Purpose::Stay),
            // Danger to people goes before every limit
            _ if emergency::find(text).is_some() => (0, Purpose::Act),
            GetFolio::NAME => (2, Purpose::Stay),
            SearchRoomsOnBehalfOfGuest::NAME => (1, Purpose::Stay),
            SearchAvailableRooms::NAME
            | SearchBookings::NAME
            | SearchCasesOnBehalfOfGuest::NAME => (1, Purpose::Look),
            _ => (8, Purpose::Act),
        };
        Self { calls, purpose }
    }

    /// The cost of a guest's home page.
    pub(crate) const STAY_OVERVIEW: Self = Self {
        calls: 1,
        purpose: Purpose::Stay,
    };

    /// The cost of a confirmation before money moves, which reads the stay.
    pub(crate) const CONFIRMATION: Self = Self {
        calls: 2,
        purpose: Purpose::Act,
    };

    /// Cost of previewing an action that moves no money. It must not use up what the action itself
    /// needs.
    pub(crate) const PREVIEW: Self = Self {
        calls: 2,
        purpose: Purpose::Stay,
    };
}

#[derive(Debug)]
pub(crate) struct SalesforceCallBudget {
    /// Time until a guest regains one call.
    refill_interval: SignedDuration,
    /// When each guest's budget is full again.
    full_at: Mutex<HashMap<String, Timestamp>>,
}

impl SalesforceCallBudget {
    /// Creates budgets of `per_day` calls per 24 hours.
    pub(crate) fn new(per_day: u32) -> Self {
        // A quarter at once, so three quarters as time passes.
        let millis = DAY.as_secs() * 4000 / 3 / i64::from(per_day.max(1));
        Self {
            refill_interval: SignedDuration::from_millis(millis),
            full_at: Mutex::default(),
        }
    }

    /// Spends a guest's calls; staff have no budget.
    ///
    /// # Errors
    /// `QUOTA_RESERVED` or `RATE_LIMITED`, with the time to wait.
    pub(crate) fn spend(
        &self,
        caller: &Caller,
        cost: Cost,
        usage: Option<ApiUsage>,
        now: Timestamp,
    ) -> Result<(), ToolError> {
        if caller.persona == Persona::Staff || cost.calls == 0 {
            return Ok(());
        }
        if cost.purpose == Purpose::Look
            && let Some(wait) = usage.and_then(|usage| usage.wait(now))
        {
            return Err(rate_limited(ErrorCode::QuotaReserved, wait));
        }
        let at_once = match cost.purpose {
            Purpose::Act => DAY / 3,
            Purpose::Look | Purpose::Stay => DAY / 15 * 4,
        };
        let mut guests = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if guests.len() > MAX_TRACKED_GUESTS {
            guests.retain(|_, full_at| *full_at > now);
        }
        let full_at = guests.entry(caller.key()).or_insert(now);
        let next = (*full_at).max(now) + self.refill_interval * cost.calls;
        // Even a tiny budget allows one call at a time: when it is full.
        let over = next.duration_since(now) - at_once;
        let wait = over.min(full_at.duration_since(now));
        if wait.is_positive() {
            return Err(rate_limited(ErrorCode::RateLimited, wait));
        }
        *full_at = next;
        Ok(())
    }

    /// Gives back what was not used.
    pub(crate) fn return_unused(&self, caller: &Caller, cost: Cost) {
        let mut guests = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full_at) = guests.get_mut(&caller.key()) {
            *full_at -= self.refill_interval * cost.calls;
        }
    }
}

fn rate_limited(code: ErrorCode, wait: SignedDuration) -> ToolError {
    let seconds = wait.as_secs() + i64::from(wait.subsec_nanos() > 0);
    ToolError::with(code, json!({ "retry_after_seconds": seconds }))
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::{Interface, Role};

    use super::*;

    const PER_DAY: u32 = 2000;

    fn cost(tool: &str) -> Cost {
        Cost::of(tool, &Value::Null)
    }

    fn guest(email: &str) -> Caller {
        Caller::guest(email, Interface::Mcp)
    }

    #[test]
    fn a_guest_in_a_loop_uses_only_their_own_budget() {
        let budget = SalesforceCallBudget::new(PER_DAY);
        let (folio, act) = (cost("get_folio"), cost("create_booking"));
        let (beth, mut now) = (guest("beth@example.com"), Timestamp::UNIX_EPOCH);
        let end = now + DAY;
        let mut spent = 0;
        let mut refused = None;
        while now < end {
            match budget.spend(&beth, folio, None, now) {
                Ok(()) => spent += folio.calls,
                Err(error) => refused = Some(error),
            }
            now += SignedDuration::from_secs(1);
        }
        assert!((1800..=2000).contains(&spent), "{spent}");
        let refused = refused.unwrap();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        let wait = refused.details["retry_after_seconds"].as_i64().unwrap();
        assert!((1..=120).contains(&wait), "{wait}");
        assert!(budget.spend(&beth, act, None, now).is_ok(), "a rest to act");
        let sarah = guest("sarah@example.com");
        assert!(budget.spend(&sarah, folio, None, now).is_ok());
        let staff = Caller::staff("m@dewy.example", Role::Manager, Interface::Mcp);
        for _ in 0..5000 {
            assert!(budget.spend(&staff, act, None, now).is_ok());
        }
    }

    #[test]
    fn previews_leave_budget_for_the_action() {
        let budget = SalesforceCallBudget::new(PER_DAY);
        let (beth, now) = (guest("beth@example.com"), Timestamp::UNIX_EPOCH);
        let mut previews = 0;
        while budget.spend(&beth, Cost::PREVIEW, None, now).is_ok() {
            previews += 1;
        }
        assert!(previews > 100, "{previews}");
        let act = cost("manage_bookings");
        assert!((0..5).all(|_| budget.spend(&beth, act, None, now).is_ok()));
    }

    #[test]
    fn waiting_the_stated_delay_is_enough() {
        let budget = SalesforceCallBudget::new(PER_DAY);
        let (beth, mut now) = (guest("beth@example.com"), Timestamp::UNIX_EPOCH);
        let mut waits = 0;
        for n in 0..2000 {
            let cost = Cost::of(["get_folio", "check_in_guest"][n % 2], &Value::Null);
            if let Err(error) = budget.spend(&beth, cost, None, now) {
                let wait = error.details["retry_after_seconds"].as_i64().unwrap();
                now += SignedDuration::from_secs(wait);
                assert!(budget.spend(&beth, cost, None, now).is_ok());
                waits += 1;
            }
        }
        assert!(waits > 100, "{waits}");
    }

    #[test]
    fn deferrable_calls_wait_while_the_quota_is_reserved() {
        let budget = SalesforceCallBudget::new(PER_DAY);
        let (beth, now) = (guest("beth@example.com"), Timestamp::UNIX_EPOCH);
        let usage = Some(ApiUsage {
            used: 90,
            allowed: 100,
            at: now,
        });
        let said = |tool: &str| {
            let spent = budget.spend(&beth, cost(tool), usage, now);
            spent.map_err(|error| (error.code, error.details["retry_after_seconds"].clone()))
        };
        assert_eq!(
            said("search_available_rooms"),
            Err((ErrorCode::QuotaReserved, json!(900)))
        );
        for tool in ["get_folio", "process_guest_checkout", "get_execution"] {
            assert_eq!(said(tool), Ok(()), "{tool}");
        }
    }

    #[test]
    fn emergencies_bypass_every_limit() {
        let budget = SalesforceCallBudget::new(8);
        let (beth, now) = (guest("beth@example.com"), Timestamp::UNIX_EPOCH);
        let request = |text: &str| {
            let input = json!({ "description": text });
            let cost = Cost::of("submit_guest_service_request", &input);
            budget.spend(&beth, cost, None, now).is_ok()
        };
        assert!(request("Two towels, please"));
        assert!(!request("Two towels, please"));
        assert!((0..50).all(|_| request("There is a fire in my room!")));
    }
}
