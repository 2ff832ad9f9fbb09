//! Distinguishes our own rows from rows edited since: by what a check-out writes, and by the last
//! writer. A timestamp proves nothing: stamps have whole seconds, and those of one composite
//! differ.

use dewy_domain::{
    execution_view::Difference,
    money::Cents,
    ports::{CheckOutMarker, CheckOutRecords},
    stay::{Booking, LineKind, Opportunity, Room, Stamp, Stay},
    vocabulary::{BookingStatus, OpportunityStage},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::StayBefore;

/// States in which a check-out leaves a stay.
pub(crate) struct CheckedOutState {
    pub booking: BookingStatus,
    pub stage: OpportunityStage,
}

/// States in which a check-out leaves a stay.
pub(crate) const CHECKED_OUT_STATE: CheckedOutState = CheckedOutState {
    booking: BookingStatus::CheckedOut,
    stage: OpportunityStage::ClosedWon,
};

/// What an execution's check-out wrote.
pub(super) struct OwnWrites<'a> {
    before: &'a Stay,
    marker: &'a CheckOutMarker,
    /// Payment on the opportunity.
    payment_id: Option<String>,
    /// Close date of the opportunity: the day of the marker's own line, in the hotel's time zone.
    closed: Option<Date>,
    /// Marker of a later check-out, if any.
    later: Option<String>,
}

impl<'a> OwnWrites<'a> {
    pub(super) fn of(
        case: &'a StayBefore,
        marker: &'a CheckOutMarker,
        trace: &CheckOutRecords,
        payment_id: Option<String>,
        zone: &TimeZone,
    ) -> Self {
        let line = trace
            .lines
            .iter()
            .find(|line| line.external_id.as_deref() == Some(case.execution_id.as_str()));
        let at = line.and_then(|line| line.at);
        Self {
            before: &case.stay,
            marker,
            payment_id: payment_id.or_else(|| case.stay.opportunity.payment_id.clone()),
            closed: at.map(|at| at.to_zoned(zone.clone()).date()),
            later: at.and_then(|at| later_marker(trace, &case.execution_id, at)),
        }
    }

    /// Whether the booking is exactly as our check-out left it.
    pub(super) fn booking(&self, now: &Booking) -> Result<(), Difference> {
        let before = &self.before.booking;
        same(
            "booking",
            "Status__c",
            &CHECKED_OUT_STATE.booking,
            &now.status,
        )?;
        same("booking", "Check_In_Date__c", before.check_in, now.check_in)?;
        same(
            "booking",
            "Check_Out_Date__c",
            before.check_out,
            now.check_out,
        )?;
        same(
            "booking",
            "Primary_Guest__c",
            &before.guest_id,
            &now.guest_id,
        )?;
        self.written_by_us("booking", &now.stamp)
    }

    /// Whether the room is exactly as our check-out left it.
    pub(super) fn room(&self, now: &Room) -> Result<(), Difference> {
        same("booking", "Room__c", &self.before.room.id, &now.id)
            .map_err(|_| difference("booking", "Room__c", &self.before.room.number, &now.number))?;
        let left = self.before.room.status.after_departure();
        same("room", "Status__c", &left, &now.status)?;
        same(
            "room",
            "Current_Guest__c",
            "",
            now.current_guest.as_deref().unwrap_or(""),
        )?;
        self.written_by_us("room", &now.stamp)
    }

    /// Whether the opportunity is exactly as our check-out left it.
    pub(super) fn opportunity(&self, now: &Opportunity) -> Result<(), Difference> {
        let text = |id: &Option<String>| id.clone().unwrap_or_default();
        same(
            "opportunity",
            "StageName",
            &CHECKED_OUT_STATE.stage,
            &now.stage,
        )?;
        same(
            "opportunity",
            "Payment_ID__c",
            text(&self.payment_id),
            text(&now.payment_id),
        )?;
        same(
            "opportunity",
            "Amount",
            decimal(self.before.opportunity.amount),
            decimal(now.amount),
        )?;
        if let Some(closed) = self.closed {
            same("opportunity", "CloseDate", closed, now.close_date)?;
        }
        self.written_by_us("opportunity", &now.stamp)
    }

    /// Whether our user wrote it last, and not for a later check-out of ours.
    fn written_by_us(&self, object: &str, now: &Stamp) -> Result<(), Difference> {
        same(object, "LastModifiedById", &self.marker.created_by, &now.by)?;
        match &self.later {
            Some(later) => Err(difference("folio", "External_ID__c", "", later)),
            None => Ok(()),
        }
    }
}

fn decimal(amount: Option<Cents>) -> String {
    amount.map_or_else(String::new, Cents::to_decimal)
}

/// Reference of a later check-out.
fn later_marker(trace: &CheckOutRecords, execution_id: &str, at: Timestamp) -> Option<String> {
    trace
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Payment && line.at > Some(at))
        .find_map(|line| {
            let reference = line.external_id.as_deref()?;
            let other = reference.starts_with("exe_")
                && !reference.contains('#')
                && reference != execution_id;
            other.then(|| reference.to_owned())
        })
}

fn same<T: ToString + PartialEq<U>, U: ToString>(
    object: &str,
    field: &str,
    ours: T,
    found: U,
) -> Result<(), Difference> {
    if ours == found {
        Ok(())
    } else {
        Err(difference(
            object,
            field,
            &ours.to_string(),
            &found.to_string(),
        ))
    }
}

pub(super) fn difference(object: &str, field: &str, ours: &str, found: &str) -> Difference {
    Difference {
        object: object.to_owned(),
        field: field.to_owned(),
        ours: ours.to_owned(),
        found: found.to_owned(),
    }
}
