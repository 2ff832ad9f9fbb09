//! Events of a guest's stays, from bookings, requests and executions.

use std::cmp::Reverse;

use dewy_domain::{
    execution_view::GuestActivity,
    tool_catalog::{
        CheckInGuest, CreateBooking, ManageBookings, PostCharge, ProcessGuestCheckout, UndoCheckIn,
        returns,
    },
    tool_output::{BookingResult, CaseResult, CheckOutResult},
};
use jiff::Timestamp;

use super::{activity_labels::title, guest_stay::GuestStay, own_requests::OwnRequest};
use crate::pages::prelude::*;

/// Past or future event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryEvent {
    pub day: Date,
    pub time: Option<String>,
    pub state: &'static str,
    pub text: String,
    pub link: Option<(String, &'static str)>,
    at: Option<Timestamp>,
}

/// Events, latest first; within a day, those without a time come last.
pub fn events(
    stays: &[GuestStay],
    requests: &[OwnRequest],
    activities: &[GuestActivity],
    clock: &HotelClock,
    today: Date,
) -> Vec<StoryEvent> {
    let moment = |at: Timestamp, state, words: String, link| StoryEvent {
        day: clock.day(at),
        time: Some(hour(clock, at)),
        state,
        text: words,
        link,
        at: Some(at),
    };
    let asked = requests.iter().map(|request| {
        let (state, word) = match request.status_badge() {
            ("completed", _) => ("done", t!("story-done")),
            ("received", _) => ("pending", t!("story-have-it")),
            _ => ("running", t!("story-on-its-way")),
        };
        let link = Some((
            page_url::guest_case(&request.0.case_number),
            t!("see-requests"),
        ));
        moment(
            request.0.created_at,
            state,
            format!(
                "{} {word}",
                t!("story-asked", what = request.title().trim_end_matches('.'))
            ),
            link,
        )
    });
    let done = activities.iter().filter_map(|activity| {
        let (state, words) = of_activity(activity)?;
        Some(moment(
            activity.updated_at,
            state,
            words,
            Some(more(activity)),
        ))
    });
    let days = stays
        .iter()
        .flat_map(|stay| of_stay(stay, activities, today));
    let mut events: Vec<_> = asked.chain(done).chain(days).collect();
    events.sort_by_key(|event| Reverse((event.day, event.at)));
    events
}

fn more(activity: &GuestActivity) -> (String, &'static str) {
    if returns::<CheckOutResult>(&activity.tool) && activity.state == ExecutionState::Completed {
        (
            format!("/guest/receipt/{}", activity.execution_id),
            t!("see-receipt"),
        )
    } else {
        (
            format!("/guest/execution/{}", activity.execution_id),
            t!("see-result"),
        )
    }
}

fn of_activity(activity: &GuestActivity) -> Option<(&'static str, String)> {
    use ExecutionState as State;
    let room = activity
        .room_number
        .as_ref()
        .map(|room| t!("story-room", number = room.as_str()))
        .unwrap_or_else(|| t!("story-your-room").to_owned());
    let booking = activity
        .booking_number
        .as_deref()
        .unwrap_or_default()
        .to_owned();
    let sentence = match (activity.tool.as_str(), &activity.state) {
        // The request itself shows it
        (_, State::Completed) if returns::<CaseResult>(&activity.tool) => return None,
        (CheckInGuest::NAME, State::Completed) => ("done", t!("story-checked-in", room = room)),
        (UndoCheckIn::NAME, State::Completed) => ("done", t!("story-check-in-undone", room = room)),
        (ProcessGuestCheckout::NAME, State::Completed) => {
            let result = activity.body().result::<CheckOutResult>();
            let words = match result.and_then(|result| result.charged()) {
                None => t!("story-left-free", room = room),
                Some((sum, currency)) => {
                    t!(
                        "story-left-paid",
                        room = room,
                        sum = labels::money(sum, currency)
                    )
                }
            };
            ("done", words)
        }
        (ProcessGuestCheckout::NAME, State::Compensated) => {
            ("compensated", t!("story-refunded").to_owned())
        }
        (CreateBooking::NAME, State::Completed) => {
            ("done", t!("story-booked", room = room, booking = booking))
        }
        (ManageBookings::NAME, State::Completed) => {
            let result = activity.body().result::<BookingResult>();
            if result.is_some_and(|it| it.booking_status == BookingStatus::Cancelled) {
                ("refused", t!("story-canceled", booking = booking))
            } else {
                ("done", t!("story-changed", booking = booking))
            }
        }
        (PostCharge::NAME, State::Completed) => ("done", t!("story-charge").to_owned()),
        (_, State::Completed) => ("done", t!("story-what-done", what = title(&activity.tool))),
        (_, State::Refused) => (
            "skipped",
            t!("story-what-refused", what = title(&activity.tool)),
        ),
        (_, State::NeedsAttention) => (
            "unknown",
            t!("story-what-attention", what = title(&activity.tool)),
        ),
        (_, State::SettledByHand) => (
            "done",
            t!("story-what-settled", what = title(&activity.tool)),
        ),
        _ => (
            "running",
            t!("story-what-running", what = title(&activity.tool)),
        ),
    };
    Some(sentence)
}

/// Dates of a stay, where no execution describes them better.
fn of_stay(stay: &GuestStay, activities: &[GuestActivity], today: Date) -> Vec<StoryEvent> {
    let sentence = |tool: &str| {
        let of_it = |activity: &GuestActivity| {
            activity.booking_number.as_deref() == Some(&stay.booking_number)
        };
        activities.iter().any(|activity| {
            activity.tool == tool && activity.state == ExecutionState::Completed && of_it(activity)
        })
    };
    let (Some(from), Some(to)) = (stay.check_in_date, stay.check_out_date) else {
        return Vec::new();
    };
    let on = |day: Date, state: &'static str, words: String| StoryEvent {
        day,
        time: None,
        state,
        text: words,
        link: None,
        at: None,
    };
    let room = match &stay.room_number {
        Some(number) => t!("story-room", number = number.as_str()),
        None => stay.room().to_lowercase(),
    };
    let here = matches!(
        stay.booking_status,
        BookingStatus::CheckedIn | BookingStatus::CheckedOut
    );
    let mut events = Vec::new();
    if here && !sentence(CheckInGuest::NAME) {
        events.push(on(
            from,
            "done",
            t!("story-checked-in", room = room.as_str()),
        ));
    }
    match stay.booking_status {
        BookingStatus::CheckedOut if !sentence(ProcessGuestCheckout::NAME) => {
            events.push(on(to.min(today), "done", t!("story-left", room = room)));
        }
        BookingStatus::CheckedIn if to >= today => {
            events.push(on(to, "pending", t!("story-leave", room = room)))
        }
        BookingStatus::Reserved if to > today => events.push(on(
            from,
            "pending",
            t!(
                "story-arrive",
                room = room,
                booking = stay.booking_number.as_str()
            ),
        )),
        _ => {}
    }
    events
}

#[cfg(test)]
mod tests {
    use super::{super::guest_stay::sample, *};
    use serde_json::{Value, json};

    fn activity(tool: &str, state: &str, at: &str, data: Value) -> GuestActivity {
        serde_json::from_value(json!({
            "execution_id": "exe_1", "tool": tool, "state": state, "at_rest": true, "booking_number": "BK-0042",
            "room_number": "302", "answer": { "data": data }, "created_at": at, "updated_at": at
        }))
        .unwrap()
    }

    #[test]
    fn newest_events_come_first_without_duplicates() {
        let stays = [
            sample("BK-0042", "Checked Out", "2026-11-18", "2026-11-20"),
            sample("BK-0050", "Reserved", "2026-12-24", "2026-12-26"),
        ];
        let activities = [
            activity(
                "process_guest_checkout",
                "completed",
                "2026-11-20T10:00:00Z",
                json!({ "amount": 25000, "currency": "usd" }),
            ),
            activity(
                "process_guest_checkout",
                "compensated",
                "2026-11-20T09:00:00Z",
                Value::Null,
            ),
            activity(
                "submit_guest_service_request",
                "completed",
                "2026-11-19T09:00:00Z",
                Value::Null,
            ),
        ];
        let sentence = events(
            &stays,
            &[],
            &activities,
            &HotelClock::default(),
            "2026-11-20".parse().unwrap(),
        );
        let words: Vec<_> = sentence.iter().map(|event| event.text.as_str()).collect();
        assert_eq!(
            words,
            [
                "You arrive: room 302, booking BK-0050.",
                "You checked out of room 302 and paid $250.00.",
                "Your check-out could not be completed; we refunded your payment in full.",
                "You checked in to room 302.",
            ]
        );
        assert_eq!(
            sentence[1].link.as_ref().map(|link| link.0.as_str()),
            Some("/guest/receipt/exe_1")
        );
    }
}
