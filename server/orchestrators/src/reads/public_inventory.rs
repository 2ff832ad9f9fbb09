//! Rooms for visitors without an account, read once for all of them.
//!
//! ```text
//! / and /rooms ─► all rooms, at most 5 min old ─► shared;    Salesforce down ─► the last ones, for a day
//! /rooms?dates ─► free for these nights, at most 1 min old ─► shared
//!                   └─ not known ─► within the budget? ─► one query;   else RATE_LIMITED
//! ```
//! Anyone can ask for any dates, and Salesforce limits calls per day, so new dates have a budget of
//! their own: 20 queries a minute and 300 an hour. While the rest of Salesforce's quota is reserved,
//! nothing is read for visitors.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    inventory::{RoomFacts, RoomQuery},
    nights::Nights,
    ports::{PublicInventory, PublicRoom, PublicRooms},
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use tokio::sync::Mutex;

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{requested_nights::availability_query, tool_answer},
};

/// Age at which all rooms are read again.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(5);
/// Maximum age of what is shown while the booking system does not answer.
const MAX_CACHE_AGE: SignedDuration = SignedDuration::from_hours(24);
/// Maximum age of free rooms.
const AVAILABILITY_LIFETIME: SignedDuration = SignedDuration::from_secs(60);
/// How long a failed read is not repeated: many visitors must not query an unavailable system in
/// turn.
const PAUSE: SignedDuration = SignedDuration::from_secs(15);
/// Maximum number of queries for new dates per minute.
const PER_MINUTE: usize = 20;
/// Maximum number of queries for new dates per hour.
const PER_HOUR: usize = 300;
/// Maximum number of rooms to read; more than any hotel has.
const MAX_RESULTS: u32 = 2000;

/// Public rooms of one process.
#[derive(Debug)]
pub struct PublicInventoryService {
    hotel: Arc<Hotel>,
    /// Locked while reading, so that there is one reader.
    all: Mutex<CachedRooms>,
    free: Mutex<CachedAvailability>,
}

#[derive(Debug, Default)]
struct CachedRooms {
    last: Option<(Timestamp, Arc<PublicRooms>)>,
    failed: Option<(Timestamp, ErrorCode)>,
}

#[derive(Debug, Default)]
struct CachedAvailability {
    known: HashMap<(Date, Date), (Timestamp, Arc<PublicRooms>)>,
    /// Times of the queries of the past hour.
    asked: VecDeque<Timestamp>,
    failed: Option<(Timestamp, ErrorCode)>,
}

impl PublicInventoryService {
    /// Nothing is read before the first visitor.
    #[must_use]
    pub fn new(hotel: Arc<Hotel>) -> Self {
        Self {
            hotel,
            all: Mutex::default(),
            free: Mutex::default(),
        }
    }

    /// Matching rooms; `tonight`, those that are ready come first.
    async fn read(&self, query: RoomQuery, tonight: bool) -> Result<Arc<PublicRooms>, ErrorCode> {
        let (usage, now) = (self.hotel.crm.usage(), self.hotel.clock.now());
        if usage.and_then(|usage| usage.wait(now)).is_some() {
            return Err(ErrorCode::QuotaReserved);
        }
        let found = self.hotel.crm.rooms(&query).await.answered();
        let mut rooms = found.map_err(|error| {
            tracing::warn!(error = %error, "the rooms for visitors could not be read");
            tool_answer::upstream_failure(&error).code
        })?;
        if tonight {
            rooms.sort_by_key(RoomFacts::readiness);
        }
        Ok(Arc::new(PublicRooms {
            rooms: rooms.iter().filter_map(PublicRoom::of).collect(),
            currency: self.hotel.settings.currency,
        }))
    }
}

/// The error of a read that failed a moment ago.
fn recent(failed: Option<(Timestamp, ErrorCode)>, now: Timestamp) -> Option<ErrorCode> {
    failed
        .filter(|(at, _)| now.duration_since(*at) < PAUSE)
        .map(|(_, code)| code)
}

#[async_trait]
impl PublicInventory for PublicInventoryService {
    async fn rooms(&self) -> Result<Arc<PublicRooms>, ErrorCode> {
        let mut seen = self.all.lock().await;
        let now = self.hotel.clock.now();
        let last = seen.last.clone();
        let younger = |than: SignedDuration| {
            let last = last
                .as_ref()
                .filter(|(at, _)| now.duration_since(*at) < than);
            last.map(|(_, rooms)| Arc::clone(rooms))
        };
        if let Some(rooms) = younger(MAX_AGE) {
            return Ok(rooms);
        }
        let query = RoomQuery {
            limit: MAX_RESULTS,
            ..RoomQuery::default()
        };
        let read = match recent(seen.failed, now) {
            Some(code) => Err(code),
            None => self.read(query, false).await,
        };
        match read {
            Ok(rooms) => {
                *seen = CachedRooms {
                    last: Some((now, Arc::clone(&rooms))),
                    failed: None,
                };
                Ok(rooms)
            }
            Err(code) => {
                if recent(seen.failed, now).is_none() {
                    seen.failed = Some((self.hotel.clock.now(), code));
                }
                younger(MAX_CACHE_AGE).ok_or(code)
            }
        }
    }

    async fn free(&self, nights: Nights) -> Result<Arc<PublicRooms>, ErrorCode> {
        let today = self.hotel.today();
        if !nights.problems(today).is_empty() {
            return Err(ErrorCode::DatesInvalid);
        }
        let mut free = self.free.lock().await;
        let now = self.hotel.clock.now();
        free.known
            .retain(|_, (at, _)| now.duration_since(*at) < AVAILABILITY_LIFETIME);
        if let Some((_, rooms)) = free.known.get(&(nights.from, nights.to)) {
            return Ok(Arc::clone(rooms));
        }
        if let Some(code) = recent(free.failed, now) {
            return Err(code);
        }
        free.asked
            .retain(|at| now.duration_since(*at) < SignedDuration::from_hours(1));
        let lately = free
            .asked
            .iter()
            .filter(|at| now.duration_since(**at) < SignedDuration::from_mins(1));
        if lately.count() >= PER_MINUTE || free.asked.len() >= PER_HOUR {
            return Err(ErrorCode::RateLimited);
        }
        free.asked.push_back(now);
        let query = RoomQuery {
            free: Some(availability_query(nights, today, None)),
            limit: MAX_RESULTS,
            ..RoomQuery::default()
        };
        match self.read(query, nights.from <= today).await {
            Ok(rooms) => {
                free.failed = None;
                free.known
                    .insert((nights.from, nights.to), (now, Arc::clone(&rooms)));
                Ok(rooms)
            }
            Err(code) => {
                free.failed = Some((self.hotel.clock.now(), code));
                Err(code)
            }
        }
    }
}
