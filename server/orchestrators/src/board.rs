//! The hotel at a glance, read once for everybody who looks.
//!
//! ```text
//! many pages ─► glance ─► at most 5 s old? ─► the same one for all
//!                             └─ older ─► one reader: rooms ∥ bookings ∥ open cases ∥ folios in the house
//! ```
//! What is read here is shown and never decided on.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::{
    call::{Reply, Trouble},
    caller::{Caller, Persona, Role},
    case::CaseQuery,
    error_code::ErrorCode,
    inventory::RoomQuery,
    ports::{Board, Glance},
    reservation::BookingQuery,
};
use jiff::{SignedDuration, Timestamp, ToSpan};
use tokio::sync::Mutex;

use crate::hotel::Hotel;

/// What is newer than this is not read again.
const FRESH: SignedDuration = SignedDuration::from_secs(5);
/// How often the hotel is looked at while boards are open and nothing of ours has happened: others change it too.
const LOOK: SignedDuration = SignedDuration::from_secs(15);
/// How often somebody who waits looks whether another one has read, or something of ours has happened.
const WAIT: Duration = Duration::from_secs(1);
/// More rooms, bookings or cases than this are not shown on one board.
const MOST: u32 = 400;

/// The board of one process.
#[derive(Debug)]
pub struct BoardOf {
    hotel: Arc<Hotel>,
    /// Held while reading, so that there is one reader.
    last: Mutex<Option<Read>>,
}

#[derive(Clone, Debug)]
struct Read {
    desk: Arc<Glance>,
    others: Arc<Glance>,
    /// What our own executions were then.
    ours: Option<i64>,
}

impl Read {
    fn of(&self, role: Role) -> Arc<Glance> {
        Arc::clone(if Role::FrontDesk.covers(role) || role == Role::Manager { &self.desk } else { &self.others })
    }

    fn age(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.desk.as_of)
    }
}

impl BoardOf {
    /// Nothing is read before somebody looks.
    #[must_use]
    pub fn new(hotel: Arc<Hotel>) -> Self {
        Self { hotel, last: Mutex::new(None) }
    }

    /// The newest reading if `good`, else a new one; who comes while somebody reads waits for that reading.
    async fn read(&self, good: impl Fn(&Read) -> bool) -> Result<Read, ErrorCode> {
        let mut last = self.last.lock().await;
        if let Some(read) = last.as_ref().filter(|read| good(read)) {
            return Ok(read.clone());
        }
        let read = self.look().await.map_err(|trouble| {
            tracing::warn!(error = %trouble, "the hotel could not be looked at");
            ErrorCode::UpstreamUnavailable
        })?;
        *last = Some(read.clone());
        Ok(read)
    }

    async fn look(&self) -> Result<Read, Trouble> {
        let hotel = &self.hotel;
        let (as_of, today) = (hotel.clock.now(), hotel.today());
        let (rooms, bookings, cases) =
            (RoomQuery { limit: MOST, ..RoomQuery::default() }, self.around(today), open_cases());
        let ours = hotel.own_changes();
        let (rooms, bookings, cases, ours) =
            tokio::join!(hotel.crm.rooms(&rooms), hotel.crm.bookings(&bookings), hotel.crm.cases(&cases), ours);
        let (rooms, bookings, cases) = (done(rooms)?, done(bookings)?, done(cases)?);
        let full = |name, len: usize| (len >= MOST as usize).then_some(name);
        let cut = [full("rooms", rooms.len()), full("bookings", bookings.len()), full("cases", cases.len())];
        let mut glance = Glance {
            seq: 0,
            as_of,
            today,
            currency: hotel.settings.currency,
            rooms,
            bookings,
            balances: BTreeMap::new(),
            cases,
            cut: cut.into_iter().flatten().collect(),
        };
        glance.seq = number(&glance);
        let others = Arc::new(without_guests(&glance));
        Ok(Read { desk: Arc::new(glance), others, ours })
    }

    fn around(&self, today: jiff::civil::Date) -> BookingQuery {
        BookingQuery {
            from: today.checked_sub(7.days()).ok(),
            to: today.checked_add(28.days()).ok(),
            limit: MOST,
            ..BookingQuery::default()
        }
    }
}

fn open_cases() -> CaseQuery {
    CaseQuery { open: Some(true), limit: MOST, ..CaseQuery::default() }
}

fn done<T>(reply: Reply<T>) -> Result<T, Trouble> {
    reply.answered()
}

/// Without the moment it was read at, so that the same hotel has the same number.
fn number(glance: &Glance) -> i64 {
    let mut hasher = DefaultHasher::new();
    format!("{:?}{:?}{:?}{:?}{:?}", glance.today, glance.rooms, glance.bookings, glance.balances, glance.cases)
        .hash(&mut hasher);
    // Numbers in a browser are exact up to 2^53.
    i64::try_from(hasher.finish() >> 12).unwrap_or_default()
}

/// What those see who do not deal with guests.
fn without_guests(glance: &Glance) -> Glance {
    let mut seen = Glance { balances: BTreeMap::new(), ..glance.clone() };
    for booking in &mut seen.bookings {
        (booking.guest_name, booking.guest_email, booking.special_requests) = (None, None, None);
    }
    seen
}

#[async_trait]
impl Board for BoardOf {
    async fn glance(&self, caller: &Caller) -> Result<Arc<Glance>, ErrorCode> {
        let role = staff(caller).ok_or(ErrorCode::UnknownTool)?;
        let now = self.hotel.clock.now();
        Ok(self.read(|read| read.age(now) <= FRESH).await?.of(role))
    }

    async fn glance_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        let Some(role) = staff(caller) else { return after };
        let until = self.hotel.clock.now() + at_most;
        loop {
            let now = self.hotel.clock.now();
            let ours = self.hotel.own_changes().await;
            let good = |read: &Read| {
                let age = read.age(now);
                age <= FRESH || (age <= LOOK && read.ours == ours)
            };
            // Nothing can be said while the booking system is silent: what is shown stays, and grows old visibly
            let seq = self.read(good).await.map_or(after, |read| read.of(role).seq);
            if seq != after || self.hotel.clock.now() >= until {
                return seq;
            }
            self.hotel.clock.sleep(WAIT).await;
        }
    }
}

fn staff(caller: &Caller) -> Option<Role> {
    caller.role.filter(|_| caller.persona == Persona::Staff)
}
