//! Items that need a person's attention, read from the store and from what boards and connectors
//! already know.
//!
//! ```text
//! journal: stuck executions ────────┐
//! conversations: waiting for staff ─┤
//! board: cases, outages ────────────┼─► one view, read for each page of staff, and for all streams and guests once a second
//! connectors: health ───────────────┘
//! ```

mod guest_contacts;

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    case::Case,
    concierge::{ConversationSummary, Responder},
    execution_view::ExecutionView,
    money::Money,
    ports::{
        Attention, AttentionView, Board, Clock, Concierge, EmergencyItem, Health, HotelSnapshot,
        Latest, SystemStatus, SystemView, UnsettledPayment, WithoutField,
    },
    vocabulary::{CasePriority, CaseStatus, CaseType, FaultCode},
};
use dewy_orchestrators::Hotel;
use tokio::sync::Mutex;

use guest_contacts::{Contact, Contacts};

/// Refresh interval for streams. The concierge notifies on its own.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Attention service over the parts of one process.
#[derive(Debug)]
pub struct AttentionService {
    hotel: Arc<Hotel>,
    concierge: Arc<dyn Concierge>,
    board: Arc<dyn Board>,
    system_status: Arc<dyn SystemStatus>,
    clock: Arc<dyn Clock>,
    cached: Mutex<Option<CachedRead>>,
    contacts: Contacts,
}

/// Everything that was read; filtered by caller afterward.
#[derive(Clone, Debug)]
struct Read {
    stuck: usize,
    at_stake: Vec<ExecutionView>,
    contacts: BTreeMap<String, Contact>,
    waiting: Vec<ConversationSummary>,
    paused: bool,
    snapshot: Option<Arc<HotelSnapshot>>,
    silent: Vec<&'static str>,
    refused: Vec<(&'static str, String)>,
}

/// A read, and what tells whether it is still good.
#[derive(Debug)]
struct CachedRead {
    at: Instant,
    conversations: u64,
    read: Arc<Read>,
}

impl AttentionService {
    /// Creates the service over these parts.
    #[must_use]
    pub fn new(
        hotel: Arc<Hotel>,
        concierge: Arc<dyn Concierge>,
        board: Arc<dyn Board>,
        system_status: Arc<dyn SystemStatus>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            hotel,
            concierge,
            board,
            system_status,
            contacts: Contacts::new(Arc::clone(&clock)),
            clock,
            cached: Mutex::new(None),
        }
    }

    async fn read(&self, before: Option<&Read>) -> Read {
        let desk = Caller::staff("attention@localhost", Role::Manager, Interface::Form);
        let (stuck, waiting, paused, latest, systems) = futures::join!(
            self.hotel.executions_needing_attention(),
            self.concierge.waiting_for_staff(&desk),
            self.hotel.checkout_pause(),
            self.board.latest(&desk),
            self.system_status.systems(&desk),
        );
        // Who was in danger still is, while that can't be read
        let waiting =
            waiting.unwrap_or_else(|_| before.map(|read| read.waiting.clone()).unwrap_or_default());
        let in_danger = waiting.iter().filter(|line| line.emergency.is_some());
        let contacts = self
            .contacts
            .of(&self.hotel, in_danger.map(|line| line.owner.to_string()));
        let Latest { snapshot, failing } = latest;
        let refused: Vec<_> = systems.iter().filter_map(refused).collect();
        let down = systems
            .iter()
            .filter(|system| system.health == Health::Down)
            .map(|system| system.name);
        let mut silent: Vec<_> = down.chain(failing.then_some("Salesforce")).collect();
        silent.sort_unstable();
        silent.dedup();
        silent.retain(|name| refused.iter().all(|(refusing, _)| refusing != name));
        Read {
            stuck: stuck.len(),
            at_stake: stuck
                .into_iter()
                .filter(|view| view.at_stake().is_some_and(|cents| cents.0 > 0))
                .collect(),
            contacts,
            waiting,
            paused: paused.is_ok_and(|pause| pause.is_some()),
            snapshot,
            silent,
            refused,
        }
    }

    /// Read shared by all guests and streams: at most one per second, except where a conversation
    /// with staff has changed, so that the page after a guest's message knows of it.
    async fn shared(&self, anew: bool) -> Arc<Read> {
        let mut cached = self.cached.lock().await;
        let conversations = self.concierge.staff_conversation_version();
        let good = |cached: &&CachedRead| {
            !anew && cached.conversations == conversations && cached.at.elapsed() < POLL_INTERVAL
        };
        if let Some(cached) = cached.as_ref().filter(good) {
            return Arc::clone(&cached.read);
        }
        let before = cached.as_ref().map(|cached| &*cached.read);
        let read = Arc::new(self.read(before).await);
        *cached = Some(CachedRead {
            at: Instant::now(),
            conversations,
            read: Arc::clone(&read),
        });
        read
    }
}

#[async_trait]
impl Attention for AttentionService {
    async fn now(&self, caller: &Caller) -> AttentionView {
        let read = self.shared(caller.persona == Persona::Staff).await;
        view(caller, &read)
    }

    async fn known(&self, caller: &Caller) -> AttentionView {
        let seen = self.cached.lock().await;
        seen.as_ref()
            .map_or_else(AttentionView::default, |cached| view(caller, &cached.read))
    }

    async fn changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        let until = self
            .clock
            .now()
            .checked_add(at_most)
            .unwrap_or(jiff::Timestamp::MAX);
        loop {
            // An open stream keeps the hotel snapshot fresh, as an open board does
            if let Some(role) = caller.role {
                let staff = Caller::staff(&caller.email, role, Interface::Form);
                self.board
                    .snapshot_changed(&staff, -1, Duration::ZERO)
                    .await;
            }
            let read = self.shared(false).await;
            let seq = view(caller, &read).version();
            if seq != after || self.clock.now() >= until {
                return seq;
            }
            self.concierge
                .staff_conversation_changed(POLL_INTERVAL)
                .await;
        }
    }
}

/// The system and the code of what it refuses us, or hides.
fn refused(system: &SystemView) -> Option<(&'static str, String)> {
    let alarm = system.alarms.first().map(|alarm| alarm.code.clone());
    let hides = (system.hidden.iter()).any(|field| field.without != WithoutField::Nothing);
    let code = alarm.or_else(|| hides.then(|| FaultCode::FieldHidden.to_string()))?;
    Some((system.name, code))
}

fn in_danger(line: &ConversationSummary) -> bool {
    line.emergency.is_some()
}

/// Part that the caller may see.
fn view(caller: &Caller, read: &Read) -> AttentionView {
    let silent = read.silent.clone();
    // Who can't have it fixed reads that it does not work
    let broken = || {
        let answers = |code: &str| code == FaultCode::FieldHidden.as_str();
        let refused = (read.refused.iter())
            .filter(move |(_, code)| !answers(code))
            .map(|(name, _)| *name);
        silent.iter().copied().chain(refused)
    };
    match (caller.persona, caller.role) {
        (Persona::Guest, _) | (_, None) => {
            let silent = broken().filter(|name| *name == "Salesforce").collect();
            // A colleague who reports danger keeps the concierge, and may be a guest as well
            let own = |line: &ConversationSummary| {
                line.standing == Responder::Staff && line.owner == caller.identity()
            };
            AttentionView {
                in_danger: read.waiting.iter().any(|line| in_danger(line) && own(line)),
                unresponsive: silent,
                ..AttentionView::default()
            }
        }
        (_, Some(role @ (Role::Housekeeping | Role::Maintenance))) => {
            let (cases, urgent_cases) = cases(read, |case| queue(case) == role);
            AttentionView {
                cases,
                urgent_cases,
                unresponsive: broken().collect(),
                ..AttentionView::default()
            }
        }
        (_, Some(Role::FrontDesk | Role::Manager)) => {
            let waits = |line: &&ConversationSummary| {
                line.waiting_since.is_some() && line.emergency.is_none()
            };
            let (cases, mut urgent_cases) = cases(read, |_| true);
            urgent_cases -= cases_of_emergencies(read).min(urgent_cases);
            let mut emergencies: Vec<_> = read
                .waiting
                .iter()
                .filter_map(|line| emergency(line, read))
                .collect();
            emergencies.sort_by_key(|line| line.since);
            AttentionView {
                emergencies,
                stuck: read.stuck,
                unsettled_payments: read
                    .at_stake
                    .iter()
                    .filter_map(|view| money_at_stake(view, read))
                    .collect(),
                double_bookings: read
                    .snapshot
                    .as_ref()
                    .map_or(0, |snapshot| snapshot.double_bookings().len()),
                conversations: read.waiting.iter().filter(waits).count(),
                cases,
                urgent_cases,
                paused: read.paused,
                unresponsive: silent,
                refused: read.refused.clone(),
                in_danger: false,
            }
        }
    }
}

fn emergency(line: &ConversationSummary, read: &Read) -> Option<EmergencyItem> {
    let danger = line.emergency.clone()?;
    let snapshot = read.snapshot.as_ref();
    let stay = snapshot.and_then(|snapshot| snapshot.booking_of_guest(&line.owner));
    let contact = read.contacts.get(&line.owner.to_string());
    Some(EmergencyItem {
        conversation: line.id.clone(),
        guest: stay
            .and_then(|stay| stay.guest_name.clone())
            .or_else(|| contact.and_then(|contact| contact.name.clone()))
            .unwrap_or_else(|| line.owner.email().to_string()),
        rooms: snapshot.map_or_else(Vec::new, |snapshot| snapshot.rooms_of_guest(&line.owner)),
        phone: contact.and_then(|contact| contact.phone.clone()),
        message: danger.text,
        possible: danger.possible,
        latest: danger.latest,
        last_read: danger.seq,
        since: line.waiting_since.unwrap_or(danger.at),
        answered: line.waiting_since.is_none(),
    })
}

fn money_at_stake(view: &ExecutionView, read: &Read) -> Option<UnsettledPayment> {
    let money = view.money?;
    let mut bookings = read.snapshot.iter().flat_map(|snapshot| &snapshot.bookings);
    let number = view.booking_number.as_ref();
    let stay = bookings.find(|booking| Some(&booking.booking_number) == number);
    let named = [
        stay.and_then(|stay| stay.guest_name.clone()),
        view.guest_email.as_ref().map(ToString::to_string),
        view.booking_number.as_ref().map(ToString::to_string),
    ];
    Some(UnsettledPayment {
        execution: view.execution_id.clone(),
        guest: named
            .into_iter()
            .flatten()
            .next()
            .unwrap_or_else(|| "a guest".to_owned()),
        room: view
            .room_number
            .clone()
            .or_else(|| stay.and_then(|stay| stay.room_number.clone())),
        money: Money {
            cents: view.at_stake()?,
            currency: money.currency,
        },
        act: view
            .acts
            .first()
            .map(|act| (act.resolution.clone(), act.title.clone())),
    })
}

/// Urgent cases that emergencies opened: they are counted with these.
fn cases_of_emergencies(read: &Read) -> usize {
    let numbers: Vec<_> = read
        .waiting
        .iter()
        .filter(|line| line.emergency.is_some())
        .filter_map(|line| line.case_number.as_deref())
        .collect();
    let cases = read.snapshot.iter().flat_map(|snapshot| &snapshot.cases);
    let urgent = |case: &&Case| is_unowned(case) && case.priority == CasePriority::Urgent;
    cases
        .filter(urgent)
        .filter(|case| numbers.contains(&case.number.as_str()))
        .count()
}

/// Role responsible for a case, by its type; an unknown type belongs to the front desk.
fn queue(case: &Case) -> Role {
    match case.kind {
        CaseType::Housekeeping => Role::Housekeeping,
        CaseType::Maintenance | CaseType::Facilities => Role::Maintenance,
        _ => Role::FrontDesk,
    }
}

/// Whether nobody works on it, as far as its status tells: one that we don't know doesn't.
fn is_unowned(case: &Case) -> bool {
    matches!(case.status, CaseStatus::New | CaseStatus::Other(_))
}

/// Number of cases without an owner, and how many of them are urgent.
fn cases(read: &Read, mine: impl Fn(&Case) -> bool) -> (Option<usize>, usize) {
    let Some(snapshot) = &read.snapshot else {
        return (None, 0);
    };
    let new = || {
        snapshot
            .cases
            .iter()
            .filter(|case| is_unowned(case) && mine(case))
    };
    (
        Some(new().count()),
        new()
            .filter(|case| case.priority == CasePriority::Urgent)
            .count(),
    )
}

#[cfg(test)]
mod tests;
