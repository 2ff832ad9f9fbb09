//! CRM port of the sagas: stays, writes to them and the proof of each write.

use async_trait::async_trait;
use dewy_domain::{
    api_usage::ApiUsage,
    booking_number::BookingNumber,
    change_probe::ChangeProbe,
    email_address::EmailAddress,
    paid_folio::{PaidFolio, PaidFolioQuery},
    ports::{
        ChargeOrder, CheckInOrder, CheckOutOrder, CheckOutRecords, CheckOutRecordsQuery, Contact,
        Crm, RevertOrder, SentTextRecord, SettleOrder, StayQuery, StayWrite, TextEnd, VoidOrder,
    },
    room_number::RoomNumber,
    stay::{Booking, Stay},
    stay_overview::{StayOverviewQuery, StayOverviewRecords},
    upstream_request::{Call, Fault, Outcome},
    vocabulary::FaultCode,
};

use super::{
    MAX_NUMBERS_PER_QUERY, Salesforce, field_access, front_desk_ports,
    responses::{self, BookingFilter},
    soql,
};
use crate::client_policy::Priority;

/// Fields that check-in and check-out set.
const STAY_FIELDS: [(&str, &str); 4] = [
    ("Booking__c", "Status__c"),
    ("Hotel_Room__c", "Status__c"),
    ("Hotel_Room__c", "Current_Guest__c"),
    ("Opportunity", "StageName"),
];
/// Further ones of a check-out.
const LINE_FIELDS: [(&str, &str); 8] = [
    ("Opportunity", "CloseDate"),
    ("Payment_Transaction__c", "Amount__c"),
    ("Payment_Transaction__c", "External_ID__c"),
    ("Payment_Transaction__c", "Opportunity__c"),
    ("Payment_Transaction__c", "Status__c"),
    ("Payment_Transaction__c", "Stripe_Transaction_ID__c"),
    ("Payment_Transaction__c", "Transaction_Date__c"),
    ("Payment_Transaction__c", "Transaction_Type__c"),
];

#[async_trait]
impl Crm for Salesforce {
    fn usage(&self) -> Option<ApiUsage> {
        self.usage.get()
    }

    fn shown_booking_number(&self) -> Option<BookingNumber> {
        self.shown.get().cloned()
    }

    fn barred(&self, write: StayWrite) -> Option<Fault> {
        let lines = match write {
            StayWrite::CheckIn => &[][..],
            StayWrite::CheckOut => &LINE_FIELDS,
        };
        let field = (self.requests.access.unwritable(&STAY_FIELDS))
            .or_else(|| self.requests.access.unwritable(lines))?;
        let code = FaultCode::FieldHidden;
        Some(field_access::needed(&field, Fault::new(code, "")))
    }

    async fn stays(&self, query: &StayQuery) -> Outcome<Vec<Stay>> {
        if !query.names_somebody() {
            return Outcome::Done(Vec::new());
        }
        self.folios(
            Priority::Normal,
            &self.requests.stays(query),
            BookingFilter::Guest(query),
        )
        .await
    }

    async fn stays_each(&self, queries: &[StayQuery]) -> Outcome<Vec<Vec<Stay>>> {
        if !queries.iter().all(StayQuery::names_somebody) {
            return Outcome::Refused(Fault::new(
                "MALFORMED_QUERY",
                "stays are asked for by the guest's email or the booking",
            ));
        }
        let call = match queries {
            [] => return Outcome::Done(Vec::new()),
            [one] => self.requests.stays(one),
            several => self.requests.stays_each(several),
        };
        let rows = self.rows(Priority::Normal, &call).await;
        rows.and_then(|rows| responses::stays_each(rows, queries, &self.config.vocabulary))
    }

    async fn stay_overview(&self, query: &StayOverviewQuery) -> Outcome<StayOverviewRecords> {
        // In SOQL the empty text also equals null: it would match a contact without an email.
        if query.guest.email().is_empty() {
            return Outcome::Done(StayOverviewRecords::default());
        }
        let call = self.requests.stay_overview(query);
        let rows = self
            .read(Priority::Normal, &call, responses::overview_rows)
            .await;
        rows.map(|rows| responses::overview(rows, query, &self.config.vocabulary))
    }

    async fn knows_guest(&self, email: &EmailAddress) -> Outcome<bool> {
        self.contact_rows(email).await.map(|rows| !rows.is_empty())
    }

    async fn check_out_records(
        &self,
        query: &CheckOutRecordsQuery,
    ) -> Outcome<Option<CheckOutRecords>> {
        if ![&query.opportunity_id, &query.booking_id]
            .iter()
            .all(|id| soql::is_id(id))
        {
            return Outcome::Refused(Fault::new(
                "MALFORMED_ID",
                "a record ID has 15 or 18 letters and digits",
            ));
        }
        let call = self.requests.trace(query);
        let rows = self.rows(Priority::Critical, &call).await;
        rows.and_then(|rows| responses::trace(rows, &query.execution_id, &self.config.vocabulary))
    }

    fn check_out(&self, order: &CheckOutOrder) -> Call {
        self.requests.check_out(order)
    }

    async fn send_check_out(&self, call: &Call) -> Outcome<CheckOutRecords> {
        self.write_composite(call, responses::checked_out).await
    }

    fn settle_check_out(&self, order: &SettleOrder) -> Call {
        self.requests.settle_check_out(order)
    }

    fn build_touch(&self, booking: &Booking) -> Call {
        self.requests.touch(booking)
    }

    async fn send_touch(&self, call: &Call) -> Outcome<()> {
        self.write(Priority::Critical, call, responses::touched)
            .await
    }

    fn revert(&self, order: &RevertOrder) -> Call {
        self.requests.revert(order)
    }

    async fn send_revert(&self, call: &Call) -> Outcome<()> {
        // Journals of older releases contain a create.
        if matches!(call.operation.as_str(), "create" | "upsert") {
            return self.write(Priority::Critical, call, responses::lines).await;
        }
        self.write(Priority::Critical, call, responses::composite)
            .await
            .map(|_| ())
    }

    fn check_in(&self, order: &CheckInOrder) -> Call {
        self.requests.check_in(order)
    }

    async fn send_check_in(&self, call: &Call) -> Outcome<CheckOutRecords> {
        self.write_composite(call, responses::written).await
    }

    fn undo_check_in(&self, order: &RevertOrder) -> Call {
        self.requests.undo_check_in(order)
    }

    fn charge(&self, order: &ChargeOrder) -> Call {
        self.requests.charge(order)
    }

    fn void_charge(&self, order: &VoidOrder) -> Call {
        self.requests.void_charge(order)
    }

    async fn send_charge(&self, call: &Call) -> Outcome<CheckOutRecords> {
        self.write_composite(call, responses::written).await
    }

    async fn in_house(&self, room_number: &RoomNumber) -> Outcome<Vec<Stay>> {
        if room_number.is_empty() {
            return Outcome::Done(Vec::new());
        }
        let call = self.requests.in_house(room_number);
        self.folios(Priority::Normal, &call, BookingFilter::InHouse(room_number))
            .await
    }

    async fn stays_in_house(&self, limit: u32) -> Outcome<Vec<Stay>> {
        let call = self.requests.stays_in_house(limit);
        let rows = self.rows(Priority::Normal, &call).await;
        rows.map(|rows| {
            responses::complete(rows, BookingFilter::CheckedIn, &self.config.vocabulary)
        })
    }

    async fn paid_folios(&self, query: &PaidFolioQuery) -> Outcome<Vec<PaidFolio>> {
        let call = self.requests.paid_folios(query);
        let rows = self.rows(Priority::Normal, &call).await;
        rows.and_then(|rows| {
            responses::paid_folios(rows, &self.config.vocabulary)
                .map_or_else(responses::unread, Outcome::Done)
        })
    }

    async fn change_probe(&self) -> Outcome<ChangeProbe> {
        let call = self.requests.change_probe();
        let parts = self
            .read(Priority::Normal, &call, responses::composite)
            .await;
        parts.and_then(|parts| responses::change_probe(&parts))
    }

    /// Used by the sweep, which looks for guests who are owed money: neither the breaker nor the
    /// concurrency limit holds it back. One query for up to a hundred bookings; a URL holds no
    /// more.
    async fn stays_by_number(&self, numbers: &[BookingNumber]) -> Outcome<Vec<Stay>> {
        let mut all = Vec::new();
        for some in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
            match self
                .folios(
                    Priority::Critical,
                    &self.requests.stays_by_number(some),
                    BookingFilter::Numbers(some),
                )
                .await
            {
                Outcome::Done(stays) => all.extend(stays),
                other => return other,
            }
        }
        Outcome::Done(all)
    }

    fn record_text(&self, note: &SentTextRecord) -> Call {
        self.requests.record_text(note)
    }

    async fn send_record_text(&self, call: &Call) -> Outcome<()> {
        front_desk_ports::duplicate(self.write(Priority::Normal, call, responses::made).await)
    }

    async fn record_text_end(&self, sid: &str, end: &TextEnd) -> Outcome<()> {
        match self.requests.record_text_end(sid, end) {
            Some(call) => self.write(Priority::Normal, &call, responses::made).await,
            None => Outcome::Done(()),
        }
    }

    async fn contacts(&self, email: &EmailAddress) -> Outcome<Vec<Contact>> {
        self.contact_rows(email)
            .await
            .map(|rows| responses::contacts(rows, self.config.country))
    }
}
