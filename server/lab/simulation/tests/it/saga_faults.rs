//! Layer 1 for the other sagas: every step of each × every fault, and sampled pairs; one generic
//! loop for all of them.

use dewy_domain::case::signed_comment;
use dewy_orchestrators::{RELEASE_HOLD, RENEW_HOLD};
use dewy_test_kit::OutsideRecords;

use super::{
    capture_last,
    fault_cases::{self, Case, Course},
    front_desk, hold_renewal,
    invariants::violations_in,
    payment_sources, realistic_orgs,
    simulated_hotel::SeededRandom,
    single_faults::{RareEventCounts, chosen, report, spread},
};
use crate::prelude::*;

const LIMIT: Duration = Duration::from_secs(50 * 3600);

/// Request to the hotel while a fault is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SagaRequest {
    CheckIn,
    /// The front desk undoes Sarah's check-in.
    Undo,
    /// Sarah checks in, and her card reserves the amount.
    HoldCheckIn,
    /// Sarah checks in on our page with a new card, which reserves the amount and is kept.
    HoldNew,
    /// Sarah checks in, and Salesforce does not take it: the amount is released.
    HoldRelease,
    /// The front desk undoes her check-in, and the amount is released.
    HoldUndo,
    /// Sarah checks out, and the balance of what her card reserves is captured.
    HoldCheckOut,
    /// The same, and her card has to reserve more.
    HoldExtend,
    /// The same, and Salesforce does not take the check-out: the second hold is released.
    HoldExtendBack,
    /// Sarah checks out, and her bank ends the hold before it is captured: the card is charged.
    HoldEnded,
    /// The same, and the card is declined: the balance stays open, with a case.
    HoldRefused,
    /// Sarah stays longer than her card holds the amount: another hold replaces the first.
    HoldRenew,
    /// The same, and the card is declined: the front desk gets a case.
    HoldNotRenewed,
    /// The front desk posts a charge on room 302.
    Charge,
    /// The sweep finds an orphaned payment.
    Sweep,
    /// The front desk requests its refund.
    Staff,
    /// A refund was refused; a person retries it.
    Retry,
    /// A check-out and the text it owes.
    Text,
    /// A new guest books a room.
    Book,
    /// Sarah books another room: an existing guest.
    BookAgain,
    /// A new guest without a booking books a room and checks in, in one act.
    WalkIn,
    /// Sarah's reservation is extended by a night.
    Change,
    Cancel,
    /// Beth moves to another room during her stay.
    Move,
    /// Beth asks for towels.
    Request,
    /// Staff report a defect and take the room out of service.
    Defect,
    /// Staff take a case and comment on it.
    Work,
    /// A dirty room becomes clean.
    Clean,
    /// A contact is created.
    Contact,
}

impl SagaRequest {
    pub const ALL: [Self; 29] = [
        Self::CheckIn,
        Self::Undo,
        Self::HoldCheckIn,
        Self::HoldNew,
        Self::HoldRelease,
        Self::HoldUndo,
        Self::HoldCheckOut,
        Self::HoldExtend,
        Self::HoldExtendBack,
        Self::HoldEnded,
        Self::HoldRefused,
        Self::HoldRenew,
        Self::HoldNotRenewed,
        Self::Charge,
        Self::Sweep,
        Self::Staff,
        Self::Retry,
        Self::Text,
        Self::Book,
        Self::BookAgain,
        Self::WalkIn,
        Self::Change,
        Self::Cancel,
        Self::Move,
        Self::Request,
        Self::Defect,
        Self::Work,
        Self::Clean,
        Self::Contact,
    ];

    /// Whether it is one call of a tool with a single write.
    pub fn writes_once(self) -> bool {
        let several = matches!(self, Self::Sweep | Self::Staff | Self::Retry | Self::Text);
        !several && !self.holds()
    }

    /// Whether its hotel places holds.
    pub fn holds(self) -> bool {
        matches!(
            self,
            Self::HoldCheckIn | Self::HoldNew | Self::HoldRelease | Self::HoldUndo
        ) || self.captures()
            || self.renews()
    }

    /// Whether a guest's hold expires before the guest leaves.
    fn renews(self) -> bool {
        matches!(self, Self::HoldRenew | Self::HoldNotRenewed)
    }

    /// Whether a guest with a hold checks out.
    pub fn captures(self) -> bool {
        matches!(
            self,
            Self::HoldCheckOut
                | Self::HoldExtend
                | Self::HoldExtendBack
                | Self::HoldEnded
                | Self::HoldRefused
        )
    }

    /// Denominator of the share of its cases that the default run takes.
    fn turns(self) -> usize {
        match self {
            Self::CheckIn
            | Self::Undo
            | Self::Charge
            | Self::Text
            | Self::Book
            | Self::WalkIn
            | Self::Change => 2,
            // 600 cases each
            Self::Sweep | Self::Staff | Self::Retry => 3,
            // Long courses: a check-in, perhaps a check-out, and the watch of the hold
            Self::HoldCheckIn | Self::HoldNew | Self::HoldRelease | Self::HoldUndo => 6,
            Self::HoldCheckOut => 8,
            Self::HoldExtend | Self::HoldExtendBack | Self::HoldEnded | Self::HoldRefused => 16,
            Self::HoldRenew | Self::HoldNotRenewed => 16,
            _ => 4,
        }
    }

    pub fn steps(self) -> &'static [(&'static str, Direction)] {
        match self {
            Self::CheckIn => &[("move", Direction::Forward)],
            Self::Undo => &[("restore", Direction::Forward)],
            Self::HoldCheckIn => &[("hold", Direction::Forward), ("move", Direction::Forward)],
            Self::HoldNew => &[
                ("customer", Direction::Forward),
                ("hold", Direction::Forward),
                ("move", Direction::Forward),
            ],
            Self::HoldRelease => &[("move", Direction::Forward), ("hold", Direction::Back)],
            Self::HoldUndo => &[
                ("restore", Direction::Forward),
                ("release", Direction::Forward),
            ],
            Self::HoldCheckOut => &[
                ("move", Direction::Forward),
                ("capture", Direction::Forward),
                ("record", Direction::Forward),
            ],
            Self::HoldExtend => &[
                ("extend", Direction::Forward),
                ("move", Direction::Forward),
                ("capture", Direction::Forward),
                ("capture_rest", Direction::Forward),
                ("record", Direction::Forward),
            ],
            Self::HoldExtendBack => &[("extend", Direction::Back), ("move", Direction::Back)],
            Self::HoldEnded => &[
                ("capture", Direction::Forward),
                ("charge", Direction::Forward),
                ("record", Direction::Forward),
            ],
            Self::HoldRefused => &[
                ("charge", Direction::Forward),
                ("record", Direction::Forward),
                ("open", Direction::Forward),
            ],
            Self::HoldRenew => &[
                ("hold", Direction::Forward),
                ("release", Direction::Forward),
            ],
            Self::HoldNotRenewed => &[("hold", Direction::Forward), ("open", Direction::Forward)],
            Self::Charge => &[("post", Direction::Forward)],
            Self::Sweep | Self::Staff => &[
                ("judge", Direction::Forward),
                ("refund", Direction::Forward),
                ("revert", Direction::Forward),
            ],
            Self::Retry => &[
                ("ask", Direction::Forward),
                ("follow", Direction::Forward),
                ("pay", Direction::Back),
                ("move", Direction::Back),
            ],
            Self::Text => &[("send", Direction::Forward), ("note", Direction::Forward)],
            Self::Book | Self::BookAgain => {
                &[("book", Direction::Forward), ("check", Direction::Forward)]
            }
            Self::WalkIn => &[
                ("book", Direction::Forward),
                ("check", Direction::Forward),
                ("move", Direction::Forward),
            ],
            Self::Change | Self::Cancel | Self::Move => &[
                ("change", Direction::Forward),
                ("check", Direction::Forward),
            ],
            Self::Request => &[("open", Direction::Forward)],
            Self::Defect => &[("close", Direction::Forward), ("open", Direction::Forward)],
            Self::Work => &[
                ("change", Direction::Forward),
                ("assign", Direction::Forward),
            ],
            Self::Clean => &[("set", Direction::Forward)],
            Self::Contact => &[("make", Direction::Forward)],
        }
    }

    pub fn operations(self) -> &'static [(System, &'static str)] {
        const S: System = System::Salesforce;
        match self {
            Self::Contact | Self::Book | Self::WalkIn => {
                &[(S, "query"), (S, "composite"), (S, "create"), (S, "update")]
            }
            Self::BookAgain
            | Self::Change
            | Self::Cancel
            | Self::Move
            | Self::Request
            | Self::Defect
            | Self::Work
            | Self::Clean => &[(S, "query"), (S, "composite"), (S, "update")],
            Self::CheckIn | Self::Undo | Self::Charge => {
                &[(S, "token"), (S, "query"), (S, "composite"), (S, "update")]
            }
            Self::HoldCheckIn | Self::HoldNew | Self::HoldRelease | Self::HoldUndo => &[
                (S, "query"),
                (S, "composite"),
                (S, "update"),
                (System::Stripe, "customers"),
                (System::Stripe, "payment_method"),
                (System::Stripe, "payment_intent_create"),
                (System::Stripe, "payment_intent_list"),
                (System::Stripe, "payment_intent_retrieve"),
                (System::Stripe, "payment_intent_cancel"),
            ],
            Self::HoldCheckOut
            | Self::HoldExtend
            | Self::HoldExtendBack
            | Self::HoldEnded
            | Self::HoldRefused => &[
                (S, "query"),
                (S, "composite"),
                (S, "update"),
                (S, "create"),
                (System::Stripe, "customers"),
                (System::Stripe, "payment_intent_create"),
                (System::Stripe, "payment_intent_list"),
                (System::Stripe, "payment_intent_retrieve"),
                (System::Stripe, "payment_intent_capture"),
                (System::Stripe, "payment_intent_cancel"),
            ],
            Self::HoldRenew | Self::HoldNotRenewed => &[
                (S, "query"),
                (S, "create"),
                (System::Stripe, "payment_intent_create"),
                (System::Stripe, "payment_intent_list"),
                (System::Stripe, "payment_intent_retrieve"),
                (System::Stripe, "payment_intent_cancel"),
            ],
            Self::Sweep | Self::Staff | Self::Retry => &[
                (S, "query"),
                (S, "composite"),
                (S, "upsert"),
                (System::Stripe, "payment_intent_retrieve"),
                (System::Stripe, "payment_intent_list"),
                (System::Stripe, "refund_create"),
                (System::Stripe, "refund_retrieve"),
                (System::Stripe, "customers"),
            ],
            Self::Text => &[
                (System::Twilio, "message_create"),
                (System::Twilio, "message_list"),
                (S, "create"),
                (S, "query"),
            ],
        }
    }

    /// Reason for its check-out to compensate.
    pub fn course(self) -> Course {
        if matches!(self, Self::Retry | Self::HoldRelease | Self::HoldExtendBack) {
            Course::NothingApplied
        } else {
            Course::Forward
        }
    }

    fn cases(self) -> Vec<Case> {
        let store = fault_cases::store().into_iter();
        [
            vec![Case::Calm],
            fault_cases::crashes_at(self.steps()),
            fault_cases::outside_at(self.operations()),
            store.collect(),
        ]
        .concat()
    }
}

struct InitialState {
    owed: i64,
    folio: String,
}

fn before(hotel: &SimulatedHotel) -> InitialState {
    let folio = hotel.booking("BK-0042")["Opportunity__c"]
        .as_str()
        .unwrap()
        .to_owned();
    InitialState {
        owed: hotel.sandbox_ledger().balance(&folio),
        folio,
    }
}

async fn play(
    saga_request: SagaRequest,
    hotel: &SimulatedHotel,
    lost: Option<String>,
    wrong: &[Case],
) {
    let caller = match saga_request {
        SagaRequest::HoldNew => Caller::guest("sarah@example.com", Interface::Form),
        _ => Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp),
    };
    let ask = async |tool: &str, input: Value| {
        hotel.call(&caller, tool, "t1", input).await;
    };
    match saga_request {
        SagaRequest::Text => {
            let asking = async {
                hotel.check_out("t1").await;
            };
            futures::join!(asking, fault_cases::edit_records(hotel, wrong));
        }
        SagaRequest::HoldCheckOut
        | SagaRequest::HoldExtend
        | SagaRequest::HoldExtendBack
        | SagaRequest::HoldEnded
        | SagaRequest::HoldRefused => {
            let (tool, input) = order(saga_request, &hotel.sandbox_ledger());
            let ending = end_hold(saga_request, hotel);
            futures::join!(
                ask(tool, input),
                ending,
                fault_cases::edit_records(hotel, wrong)
            );
        }
        SagaRequest::CheckIn
        | SagaRequest::Undo
        | SagaRequest::HoldCheckIn
        | SagaRequest::HoldNew
        | SagaRequest::HoldRelease
        | SagaRequest::HoldUndo
        | SagaRequest::Charge
        | SagaRequest::Book
        | SagaRequest::BookAgain
        | SagaRequest::WalkIn
        | SagaRequest::Change
        | SagaRequest::Cancel
        | SagaRequest::Move
        | SagaRequest::Request
        | SagaRequest::Defect
        | SagaRequest::Work
        | SagaRequest::Clean
        | SagaRequest::Contact => {
            let (tool, input) = order(saga_request, &hotel.sandbox_ledger());
            futures::join!(ask(tool, input), fault_cases::edit_records(hotel, wrong));
        }
        SagaRequest::Staff => {
            let pi = lost.unwrap_or_default();
            let asking = ask(
                "compensate_checkout_failure",
                json!({ "payment_intent_id": pi, "guest_email": "beth.gibbs@email.com" }),
            );
            futures::join!(asking, fault_cases::edit_records(hotel, wrong));
            // Refused before any effect, because an outside system was down: the person tries
            // again.
            hotel
                .call(
                    &caller,
                    "compensate_checkout_failure",
                    "t2",
                    json!({ "payment_intent_id": pi, "guest_email": "beth.gibbs@email.com" }),
                )
                .await;
        }
        SagaRequest::HoldRenew | SagaRequest::HoldNotRenewed => {
            let watching = async {
                for _ in 0..3 {
                    let checks = hotel.processes.iter().map(|p| p.check_orphan_payments());
                    futures::future::join_all(checks).await;
                    tokio::time::sleep(Duration::from_secs(40)).await;
                }
            };
            futures::join!(watching, fault_cases::edit_records(hotel, wrong));
        }
        SagaRequest::Sweep => {
            tokio::time::sleep(Duration::from_secs(700)).await;
            let sweeping = async {
                for _ in 0..2 {
                    hotel.processes[0].check_orphan_payments().await;
                    tokio::time::sleep(Duration::from_secs(20)).await;
                }
            };
            futures::join!(sweeping, fault_cases::edit_records(hotel, wrong));
            hotel.processes[0].check_orphan_payments().await;
        }
        SagaRequest::Retry => {
            hotel.check_out("t0").await;
            tokio::time::sleep(Duration::from_secs(120)).await;
            let Some(target) = hotel
                .requested_executions()
                .into_iter()
                .find(|r| r.state == State::NeedsAttention)
            else {
                fault_cases::edit_records(hotel, wrong).await;
                return;
            };
            let input =
                json!({ "execution_id": target.id, "resolution": "retry_now", "reason": "again" });
            futures::join!(
                ask("resolve_execution", input),
                fault_cases::edit_records(hotel, wrong)
            );
        }
    }
}

/// Sarah's bank ends her hold once she is checked out, if this is the scene for it.
async fn end_hold(saga_request: SagaRequest, hotel: &SimulatedHotel) {
    if !matches!(
        saga_request,
        SagaRequest::HoldEnded | SagaRequest::HoldRefused
    ) {
        return;
    }
    let booking = sarahs(&hotel.sandbox_ledger())["Name"].clone();
    let booking = booking.as_str().unwrap();
    for _ in 0..400 {
        if hotel.row("Booking__c", "Name", booking)["Status__c"] == "Checked Out" {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let ledger = hotel.sandbox_ledger();
    let held = ledger.payments.iter().find(|(_, payment)| payment.held > 0);
    if let Some((hold, _)) = held {
        // A fault of the case may hit this request instead of ours
        let path = format!("/v1/payment_intents/{hold}/cancel");
        payment_sources::sent_elsewhere(hotel, &path, "").await;
    }
    if saga_request == SagaRequest::HoldRefused {
        hotel.fault(capture_last::declined());
    }
}

/// Room without a guest or booking.
fn empty_room(sandbox_ledger: &OutsideRecords) -> Value {
    let taken: Vec<_> = sandbox_ledger
        .rows("Booking__c")
        .iter()
        .map(|b| b["Room__c"].clone())
        .collect();
    let mut rooms = sandbox_ledger.rows("Hotel_Room__c").to_vec();
    rooms.retain(|r| r["Status__c"] == "Vacant" && !taken.contains(&r["Id"]));
    rooms.swap_remove(0)
}

fn sarahs(sandbox_ledger: &OutsideRecords) -> Value {
    let sarah = sandbox_ledger.row("Contact", "Email", "sarah@example.com");
    sandbox_ledger
        .row(
            "Booking__c",
            "Primary_Guest__c",
            sarah["Id"].as_str().unwrap(),
        )
        .clone()
}

/// Tool call of a scene, for tools with a single write.
pub fn order(saga_request: SagaRequest, sandbox_ledger: &OutsideRecords) -> (&'static str, Value) {
    let room = empty_room(sandbox_ledger)["Room_Number__c"].clone();
    let booking = |email: &str, [first, last]: [&str; 2]| {
        json!({ "guest_email": email, "guest_first_name": first, "guest_last_name": last, "room_number": room,
            "check_in_date": "2026-03-20", "check_out_date": "2026-03-22" })
    };
    let dirty = sandbox_ledger
        .rows("Hotel_Room__c")
        .iter()
        .find(|r| r["Status__c"] == "Cleaning")
        .unwrap();
    match saga_request {
        SagaRequest::CheckIn
        | SagaRequest::HoldCheckIn
        | SagaRequest::HoldRelease
        | SagaRequest::HoldRenew
        | SagaRequest::HoldNotRenewed => (
            "check_in_guest",
            json!({ "guest_email": "sarah@example.com" }),
        ),
        SagaRequest::HoldNew => (
            "check_in_guest",
            json!({ "payment_method_id": "pm_card_visa", "save_card": true }),
        ),
        SagaRequest::Undo | SagaRequest::HoldUndo => (
            "undo_check_in",
            json!({ "booking_number": sarahs(sandbox_ledger)["Name"] }),
        ),
        _ if saga_request.captures() => {
            let booking = sarahs(sandbox_ledger);
            let balance = sandbox_ledger.balance(booking["Opportunity__c"].as_str().unwrap());
            (
                "process_guest_checkout",
                json!({ "guest_email": "sarah@example.com", "amount": balance }),
            )
        }
        SagaRequest::Charge => (
            "post_charge",
            json!({ "room_number": "302", "amount": 5000, "description": "Spa" }),
        ),
        SagaRequest::Book => (
            "create_booking",
            booking("ada@example.com", ["Ada", "Lovelace"]),
        ),
        SagaRequest::BookAgain => (
            "create_booking",
            booking("james.brown@example.com", ["James", "Brown"]),
        ),
        SagaRequest::WalkIn => (
            "create_booking",
            json!({ "guest_first_name": "Ida", "guest_last_name": "Walker", "guest_phone": "+1 212 555 0147",
                "room_number": room, "check_in_date": "2026-03-10", "check_out_date": "2026-03-11", "check_in": true }),
        ),
        SagaRequest::Change => (
            "manage_bookings",
            json!({ "booking_number": sarahs(sandbox_ledger)["Name"], "room_number": room, "special_requests": "Quiet" }),
        ),
        SagaRequest::Cancel => (
            "manage_bookings",
            json!({ "booking_number": sarahs(sandbox_ledger)["Name"], "action": "cancel" }),
        ),
        SagaRequest::Move => (
            "manage_bookings",
            json!({ "booking_number": "BK-0042", "room_number": room }),
        ),
        SagaRequest::Request => (
            "submit_guest_service_request",
            json!({ "guest_email": "beth.gibbs@email.com", "type": "Housekeeping", "description": "Towels" }),
        ),
        SagaRequest::Defect => (
            "submit_maintenance_request",
            json!({ "room_number": dirty["Room_Number__c"], "description": "Leak", "take_out_of_service": true }),
        ),
        SagaRequest::Work => {
            let case = sandbox_ledger
                .rows("Case")
                .iter()
                .find(|c| c["Status"] == "New")
                .unwrap();
            let input = json!({ "case_number": case["CaseNumber"], "status": "In Progress", "comment": "Ours now.",
                "assignee": "maintenance@dewy.example" });
            ("manage_cases", input)
        }
        SagaRequest::Clean => (
            "set_room_status",
            json!({ "room_number": dirty["Room_Number__c"], "status": "Vacant" }),
        ),
        _ => (
            "create_contact_if_not_found",
            json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" }),
        ),
    }
}

/// Number of effects of such a scene, and the allowed number after a refusal.
fn effects(saga_request: SagaRequest, sandbox_ledger: &OutsideRecords, id: &str) -> (usize, usize) {
    let count = |object: &str, fits: &dyn Fn(&Value) -> bool| {
        sandbox_ledger
            .rows(object)
            .iter()
            .filter(|r| fits(r))
            .count()
    };
    match saga_request {
        SagaRequest::CheckIn
        | SagaRequest::HoldCheckIn
        | SagaRequest::HoldNew
        | SagaRequest::HoldRelease => {
            let row = sarahs(sandbox_ledger);
            let room = sandbox_ledger.row("Hotel_Room__c", "Id", row["Room__c"].as_str().unwrap());
            let both = (
                row["Status__c"] == "Checked In",
                room["Status__c"] == "Occupied",
            );
            assert!(both.0 == both.1, "booking and room agree");
            (usize::from(both.0), 0)
        }
        SagaRequest::Undo | SagaRequest::HoldUndo => {
            let row = sarahs(sandbox_ledger);
            let room = sandbox_ledger.row("Hotel_Room__c", "Id", row["Room__c"].as_str().unwrap());
            let sale =
                sandbox_ledger.row("Opportunity", "Id", row["Opportunity__c"].as_str().unwrap());
            let all = [
                row["Status__c"] == "Reserved",
                room["Status__c"] == "Vacant" && room["Current_Guest__c"].is_null(),
                sale["StageName"] == "Booking Confirmed",
            ];
            assert!(all == [all[0]; 3], "booking, room and opportunity agree");
            (usize::from(all[0]), 0)
        }
        SagaRequest::Charge => (
            count("Payment_Transaction__c", &|line| {
                line["External_ID__c"] == id
            }),
            0,
        ),
        SagaRequest::Book | SagaRequest::BookAgain => {
            let bookings = count("Booking__c", &|b| {
                b["External_ID__c"] == id && b["Status__c"] == "Reserved"
            });
            let sales = count("Opportunity", &|o| {
                o["Name"].as_str().is_some_and(|n| n.contains(" – Room "))
                    && o["CloseDate"] == "2026-03-22"
            });
            // An opportunity without its booking, or the reverse, is an orphan: neither is allowed.
            (bookings.max(sales), 0)
        }
        SagaRequest::WalkIn => {
            let made: Vec<_> = sandbox_ledger
                .rows("Booking__c")
                .iter()
                .filter(|b| b["External_ID__c"] == id && b["Status__c"] != "Cancelled")
                .collect();
            for booking in &made {
                let room = booking["Room__c"].as_str().unwrap();
                let room = sandbox_ledger.row("Hotel_Room__c", "Id", room);
                let both = (
                    booking["Status__c"] == "Checked In",
                    room["Current_Guest__c"] == booking["Primary_Guest__c"],
                );
                assert!(both.0 == both.1, "booking and room agree");
            }
            (made.len(), 0)
        }
        SagaRequest::Change => {
            let row = sarahs(sandbox_ledger);
            // Ignores the special requests: a flow of the org may write that field, and the answer
            // then says so.
            let moved = sandbox_ledger.row("Hotel_Room__c", "Id", row["Room__c"].as_str().unwrap())
                ["Room_Number__c"]
                != "205";
            assert!(
                row["Status__c"] == "Reserved",
                "an edit never changes the status"
            );
            (usize::from(moved), 0)
        }
        SagaRequest::Cancel => {
            let row = sarahs(sandbox_ledger);
            let sale =
                sandbox_ledger.row("Opportunity", "Id", row["Opportunity__c"].as_str().unwrap());
            let both = (
                row["Status__c"] == "Cancelled",
                sale["StageName"] == "Closed Lost",
            );
            assert!(both.0 == both.1, "booking and opportunity agree");
            (usize::from(both.0), 0)
        }
        SagaRequest::Move => {
            let beth = sandbox_ledger.row("Contact", "Email", "beth.gibbs@email.com");
            let booking = sandbox_ledger.row("Booking__c", "Name", "BK-0042");
            let rooms: Vec<_> = sandbox_ledger
                .rows("Hotel_Room__c")
                .iter()
                .filter(|r| r["Current_Guest__c"] == beth["Id"])
                .collect();
            assert!(
                rooms.len() == 1
                    && rooms[0]["Id"] == booking["Room__c"]
                    && rooms[0]["Status__c"] == "Occupied"
            );
            (usize::from(rooms[0]["Room_Number__c"] != "302"), 0)
        }
        SagaRequest::Request => (count("Case", &|c| c["External_ID__c"] == id), 0),
        // The room may be out of service while the case fails.
        SagaRequest::Defect => (count("Case", &|c| c["External_ID__c"] == id), 0),
        SagaRequest::Work => (
            count("CaseComment", &|c| {
                c["CommentBody"] == signed_comment("manager@dewy.example", "Ours now.")
            }),
            0,
        ),
        // An unneeded contact is harmless.
        SagaRequest::Contact => (count("Contact", &|c| c["Email"] == "ada@example.com"), 1),
        _ => {
            let dirty = count("Hotel_Room__c", &|r| r["Status__c"] == "Cleaning");
            (usize::from(dirty < DIRTY), 0)
        }
    }
}

/// Number of rooms in the seed that need cleaning.
const DIRTY: usize = 3;

/// Violations of a scene with one write.
pub fn unsound(
    saga_request: SagaRequest,
    sandbox_ledger: &OutsideRecords,
    record: &ExecutionRecord,
) -> Option<String> {
    let (is, if_refused) = effects(saga_request, sandbox_ledger, &record.id.to_string());
    let sound = match record.state {
        State::Completed => is == 1,
        State::Refused | State::Compensated => is <= if_refused,
        _ => is <= 1,
    };
    (!sound).then(|| {
        format!(
            "I1: {} is {:?}, and its effect is there {is} times",
            record.saga, record.state
        )
    })
}

/// Violations of a scene, in addition to those of any world.
fn judge(
    saga_request: SagaRequest,
    hotel: &SimulatedHotel,
    sandbox_ledger: &OutsideRecords,
    before: Option<&InitialState>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let records = hotel.requested_executions();
    match saga_request {
        SagaRequest::Sweep | SagaRequest::Staff => {
            let attention = records.iter().any(|r| r.state == State::NeedsAttention);
            let orphan = hotel
                .ledger()
                .into_values()
                .find(|(_, _, owner)| owner.as_deref() == Some(front_desk::LOST));
            if let Some((taken, given_back, _)) = orphan
                && given_back != taken
                && !attention
            {
                wrong.push(format!("I9: {taken} were taken, {given_back} given back"));
            }
            if let Some(InitialState { owed: then, folio }) = before
                && sandbox_ledger.balance(folio) != *then
                && !attention
            {
                wrong.push(format!("the folio owed {then}"));
            }
        }
        SagaRequest::Retry => {
            for record in records
                .iter()
                .filter(|r| r.saga == "resolve_execution" && r.state == State::Completed)
            {
                let taken = record
                    .answer
                    .as_ref()
                    .is_some_and(|a| a["data"]["state"].is_string());
                if !taken {
                    wrong.push(format!("{}: completed without an answer", record.id));
                }
            }
        }
        SagaRequest::Text => {}
        _ if saga_request.captures() => {}
        _ if saga_request.renews() => {
            let renewed = records.iter().filter(|r| r.saga == RENEW_HOLD);
            let completed = renewed.filter(|r| r.state == State::Completed);
            for new in completed.filter_map(|r| r.label("payment_intent_id")) {
                if sandbox_ledger.payments[new].held == 0 {
                    wrong.push(format!("{new}: the new hold is gone"));
                }
            }
        }
        _ => {
            // What the orphan check released belongs to no caller
            let mut asked = records.iter().filter(|r| r.saga != RELEASE_HOLD);
            let last = asked.next_back();
            wrong.extend(last.and_then(|record| unsound(saga_request, sandbox_ledger, record)));
        }
    }
    wrong
}

/// Runs one scene with these faults; returns the violations.
fn run(
    seed: u64,
    workers: usize,
    saga_request: SagaRequest,
    wrong: &[Case],
    seen: &RareEventCounts,
) -> Vec<String> {
    on_virtual_time(async {
        let mut cases = wrong.to_vec();
        if saga_request == SagaRequest::Retry {
            // Compensated, with the refund refused once: this requires a person.
            let refused = stripe("refund_create", dewy_sandbox::FaultKind::Status);
            cases.insert(0, Case::Outside(refused.status(400).count(1)));
        }
        let hotel = SimulatedHotel::new(Setup {
            seed,
            workers,
            hold: saga_request.holds().then_some(Cents(5_000)),
            poll: Duration::from_secs(if saga_request.renews() { 3600 } else { 1 }),
            ..Setup::default()
        });
        if saga_request.holds() && saga_request != SagaRequest::HoldNew {
            payment_sources::save_card(&hotel, "sarah@example.com", "pm_card_visa").await;
        }
        if saga_request.renews() {
            hold_renewal::stays(&hotel, 12);
        }
        let orphan = matches!(saga_request, SagaRequest::Sweep | SagaRequest::Staff);
        // The subject of the scene exists before any fault.
        let lost = if orphan {
            Some(front_desk::lost_payment(&hotel, 25_000).await)
        } else {
            None
        };
        let is_in = matches!(saga_request, SagaRequest::Undo | SagaRequest::HoldUndo);
        if is_in || saga_request.captures() || saga_request.renews() {
            let (tool, input) = order(SagaRequest::CheckIn, &hotel.sandbox_ledger());
            hotel.staff(tool, "t0", input).await;
            assert!(hotel.run_until_idle(LIMIT).await, "the guest is checked in");
        }
        if matches!(
            saga_request,
            SagaRequest::HoldExtend | SagaRequest::HoldExtendBack
        ) {
            let number = sarahs(&hotel.sandbox_ledger())["Name"].clone();
            let spa = json!({ "booking_number": number, "amount": 90_000, "description": "Spa" });
            hotel.staff("post_charge", "t0c", spa).await;
        }
        if saga_request.renews() {
            // Until a day before the hold expires: Visa's lives for 4 days and 18 hours
            for hours in [1, 90] {
                tokio::time::sleep(Duration::from_secs(hours * 3600)).await;
                hotel.processes[0].check_orphan_payments().await;
            }
        }
        if saga_request == SagaRequest::HoldNotRenewed {
            hotel.fault(capture_last::declined());
        }
        fault_cases::activate(&hotel, &cases);
        // An amount that the org leaves blank is no change of ours
        let before = orphan.then(|| before(&hotel));
        for fault in saga_request.course().faults() {
            hotel.fault(fault);
        }
        if matches!(
            saga_request,
            SagaRequest::HoldEnded | SagaRequest::HoldRefused
        ) {
            // Time for the bank to end the hold
            hotel.fault(stripe(
                "payment_intent_capture",
                FaultKind::TimeoutBeforeEffect,
            ));
        }
        play(saga_request, &hotel, lost, wrong).await;
        let mut found = Vec::new();
        if saga_request.holds() {
            // What no execution could find any more is for the sweep
            hotel.run_until_idle(LIMIT).await;
            tokio::time::sleep(Duration::from_secs(700)).await;
            hotel.processes[0].check_orphan_payments().await;
        }
        if !hotel.run_until_idle(LIMIT).await {
            found.push("I7: it does not come to rest".to_owned());
        }
        // A field that the org leaves blank is blank in the charge that was posted before, too
        let blank =
            saga_request.captures() && cases.iter().any(|case| matches!(case, Case::Blank(..)));
        // These scenes concern the missing execution's charge.
        let ledger = hotel.sandbox_ledger();
        found.extend(judge(saga_request, &hotel, &ledger, before.as_ref()));
        found.extend(
            violations_in(&hotel, ledger)
                .into_iter()
                .filter(|v| !(orphan && v.contains("of which the journal knows nothing")))
                .filter(|v| !(blank && v.contains("(post_charge completed)"))),
        );
        for record in hotel.journal.snapshot() {
            seen.note(format!(
                "{saga_request:?}: {} ended {}",
                record.saga, record.state
            ));
            if record
                .rows
                .iter()
                .any(|r| matches!(r.event, Event::SignalHandled { .. }))
            {
                seen.note("a signal was heard");
            }
        }
        found
    })
}

#[test]
fn every_single_fault_of_every_other_saga() {
    let mut jobs = Vec::new();
    let all = std::env::var("DEWY_ALL").is_ok();
    let only = std::env::var("DEWY_SCENE").unwrap_or_default();
    for saga_request in SagaRequest::ALL
        .into_iter()
        .filter(|s| only.is_empty() || format!("{s:?}") == only)
    {
        // The scenes with one write share their machinery: by default each takes a share of the
        // cases.
        let turns = if all { 1 } else { saga_request.turns() };
        for (n, case) in saga_request.cases().into_iter().enumerate() {
            // With one worker and with two; they alternate between two releases.
            for workers in [1, 2] {
                if all || (n % 2 == workers - 1 && (n / 2) % turns == saga_request as usize % turns)
                {
                    jobs.push((workers, saga_request, vec![case.clone()]));
                }
            }
        }
    }
    let jobs = chosen(jobs);
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, saga_request, wrong)| {
        run(7, *workers, *saga_request, wrong, &seen)
    });
    report("single faults of the desk's sagas", &jobs, &failures, &seen);
    if jobs.len() > 1 && only.is_empty() {
        for what in [
            "CheckIn: check_in_guest ended completed",
            "Undo: undo_check_in ended completed",
            "HoldCheckIn: check_in_guest ended completed",
            "HoldNew: check_in_guest ended completed",
            "HoldRelease: check_in_guest ended compensated",
            "HoldUndo: undo_check_in ended completed",
            "HoldCheckOut: process_guest_checkout ended completed",
            "HoldExtend: process_guest_checkout ended completed",
            "HoldExtendBack: process_guest_checkout ended compensated",
            "HoldEnded: process_guest_checkout ended completed",
            "HoldRefused: process_guest_checkout ended needs_attention",
            "HoldRenew: renew_hold ended completed",
            "HoldNotRenewed: renew_hold ended completed",
            "Sweep: compensate_checkout_failure ended completed",
            "Retry: resolve_execution ended completed",
            "Charge: post_charge ended completed",
            "Book: create_booking ended completed",
            "BookAgain: create_booking ended completed",
            "WalkIn: walk_in ended completed",
            "Move: manage_bookings ended completed",
            "Defect: submit_maintenance_request ended completed",
            "Work: manage_cases ended completed",
            "a signal was heard",
        ] {
            assert!(seen.counts().contains_key(what), "never seen: {what}");
        }
    }
}

/// Rules, keys and empty fields of a real org and account, each of them alone.
#[test]
fn every_single_unkindness_of_every_other_saga() {
    let mut jobs = Vec::new();
    for saga_request in SagaRequest::ALL {
        let cases = realistic_orgs::is_front_desk(saga_request.operations())
            .into_iter()
            .enumerate();
        jobs.extend(cases.map(|(n, case)| (1 + n % 2, saga_request, vec![case])));
    }
    if std::env::var("DEWY_ALL").is_err() {
        jobs = jobs
            .into_iter()
            .enumerate()
            .filter(|(n, _)| n % 2 == 0)
            .map(|(_, job)| job)
            .collect();
    }
    let jobs = chosen(jobs);
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, saga_request, wrong)| {
        run(7, *workers, *saga_request, wrong, &seen)
    });
    report(
        "single unkindnesses of the desk's sagas",
        &jobs,
        &failures,
        &seen,
    );
}

/// 2,000 ordered pairs, drawn from a seed.
#[test]
fn sampled_pairs_of_every_other_saga() {
    let random = SeededRandom::new(0xDE5);
    let all = |saga_request: SagaRequest| {
        [
            saga_request.cases(),
            realistic_orgs::is_front_desk(saga_request.operations()),
        ]
        .concat()
    };
    let pool: Vec<_> = SagaRequest::ALL
        .into_iter()
        .map(|saga_request| (saga_request, all(saga_request)))
        .collect();
    let mut jobs = Vec::new();
    for n in 0..2000 {
        let (saga_request, cases) = &pool[random.below(pool.len() as u64) as usize];
        let draw = || cases[random.below(cases.len() as u64) as usize].clone();
        jobs.push((1 + n % 2, *saga_request, vec![draw(), draw()]));
    }
    if std::env::var("DEWY_ALL").is_err() {
        jobs.truncate(400);
    }
    let jobs = chosen(jobs);
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, saga_request, wrong)| {
        run(13, *workers, *saga_request, wrong, &seen)
    });
    report("sampled pairs of the desk's sagas", &jobs, &failures, &seen);
}
