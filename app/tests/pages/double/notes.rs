//! Stay notes of the double: two exist, more can be added.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Role},
    error_code::ErrorCode,
    ports::{LONGEST_NOTE, StayNote, StayNotes},
};

use super::{House, born};

/// Note added in a test.
#[derive(Clone, Debug)]
pub struct Note {
    booking: String,
    token: String,
    note: StayNote,
}

fn may(caller: &Caller) -> Result<(), ErrorCode> {
    if matches!(caller.role, Some(Role::FrontDesk | Role::Manager)) {
        Ok(())
    } else {
        Err(ErrorCode::UnknownTool)
    }
}

#[async_trait]
impl StayNotes for House {
    async fn notes(
        &self,
        caller: &Caller,
        booking_number: &str,
    ) -> Result<Vec<StayNote>, ErrorCode> {
        may(caller)?;
        let mut notes: Vec<StayNote> = {
            let state = self.state();
            state
                .notes
                .iter()
                .rev()
                .filter(|n| n.booking == booking_number)
                .map(|n| n.note.clone())
                .collect()
        };
        if booking_number == "BK-0042" {
            let note = |hours: i64, by: &str, body: &str| StayNote {
                at: born() - jiff::SignedDuration::from_hours(hours),
                by: format!("{by}@dewy.example"),
                body: body.to_owned(),
            };
            notes.push(note(
                3,
                "frontdesk",
                "Asked for the bill to be ready by 10. Leaves with a taxi at 10:30.",
            ));
            notes.push(note(
                40,
                "manager",
                "Anniversary.\nWe sent a bottle to the room; please do not mention the price.",
            ));
        }
        Ok(notes)
    }

    async fn add(
        &self,
        caller: &Caller,
        booking_number: &str,
        token: &str,
        body: &str,
    ) -> Result<(), ErrorCode> {
        may(caller)?;
        let body = body.trim();
        if body.is_empty() || body.chars().count() > LONGEST_NOTE {
            return Err(ErrorCode::ValidationFailed);
        }
        let mut state = self.state();
        if !state
            .notes
            .iter()
            .any(|n| n.token == token && n.booking == booking_number)
        {
            let note = StayNote {
                at: born(),
                by: caller.email.clone(),
                body: body.to_owned(),
            };
            state.notes.push(Note {
                booking: booking_number.to_owned(),
                token: token.to_owned(),
                note,
            });
        }
        Ok(())
    }
}
