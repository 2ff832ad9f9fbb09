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
        Crm, RevertOrder, SentTextRecord, StayQuery, StayWrite, TextEnd, VoidOrder,
    },
    room_number::RoomNumber,
    stay::{Booking, Stay},
    stay_overview::{StayOverviewQuery, StayOverviewRecords},
    upstream_request::{Call, Reply, UpstreamError},
    vocabulary::FaultCode,
};

use super::{
    MAX_NUMBERS_PER_QUERY, Salesforce, field_access, front_desk_ports,
    responses::{self, BookingFilter},
    soql,
};
use crate::{client_policy::Priority, exchange_result::then};

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

    fn barred(&self, write: StayWrite) -> Option<UpstreamError> {
        let lines = match write {
            StayWrite::CheckIn => &[][..],
            StayWrite::CheckOut => &LINE_FIELDS,
        };
        let field = (self.requests.access.unwritable(&STAY_FIELDS))
            .or_else(|| self.requests.access.unwritable(lines))?;
        let code = FaultCode::FieldHidden;
        Some(field_access::needed(&field, UpstreamError::new(code, "")))
    }

    async fn stays(&self, query: &StayQuery) -> Reply<Vec<Stay>> {
        if !query.names_somebody() {
            return Reply::Done(Vec::new());
        }
        self.folios(
            Priority::Normal,
            &self.requests.stays(query),
            BookingFilter::Guest(query),
        )
        .await
    }

    async fn stays_each(&self, queries: &[StayQuery]) -> Reply<Vec<Vec<Stay>>> {
        if !queries.iter().all(StayQuery::names_somebody) {
            return Reply::Refused(UpstreamError::new(
                "MALFORMED_QUERY",
                "stays are asked for by the guest's email or the booking",
            ));
        }
        let call = match queries {
            [] => return Reply::Done(Vec::new()),
            [one] => self.requests.stays(one),
            several => self.requests.stays_each(several),
        };
        let rows = self.rows(Priority::Normal, &call).await;
        then(rows, |rows| {
            responses::stays_each(rows, queries, &self.config.vocabulary)
        })
    }

    async fn stay_overview(&self, query: &StayOverviewQuery) -> Reply<StayOverviewRecords> {
        // In SOQL the empty text also equals null: it would match a contact without an email.
        if query.guest.email().is_empty() {
            return Reply::Done(StayOverviewRecords::default());
        }
        let call = self.requests.stay_overview(query);
        let rows = self
            .read(Priority::Normal, &call, responses::overview_rows)
            .await;
        rows.map(|rows| responses::overview(rows, query, &self.config.vocabulary))
    }

    async fn knows_guest(&self, email: &EmailAddress) -> Reply<bool> {
        self.contact_rows(email).await.map(|rows| !rows.is_empty())
    }

    async fn check_out_records(
        &self,
        query: &CheckOutRecordsQuery,
    ) -> Reply<Option<CheckOutRecords>> {
        if ![&query.opportunity_id, &query.booking_id]
            .iter()
            .all(|id| soql::is_id(id))
        {
            return Reply::Refused(UpstreamError::new(
                "MALFORMED_ID",
                "a record ID has 15 or 18 letters and digits",
            ));
        }
        let call = self.requests.trace(query);
        let rows = self.rows(Priority::Critical, &call).await;
        then(rows, |rows| {
            responses::trace(rows, &query.execution_id, &self.config.vocabulary)
        })
    }

    fn check_out(&self, order: &CheckOutOrder) -> Call {
        self.requests.check_out(order)
    }

    async fn send_check_out(&self, call: &Call) -> Reply<CheckOutRecords> {
        self.write_composite(call, responses::checked_out).await
    }

    fn build_touch(&self, booking: &Booking) -> Call {
        self.requests.touch(booking)
    }

    async fn send_touch(&self, call: &Call) -> Reply<()> {
        self.write(Priority::Critical, call, responses::touched)
            .await
    }

    fn revert(&self, order: &RevertOrder) -> Call {
        self.requests.revert(order)
    }

    async fn send_revert(&self, call: &Call) -> Reply<()> {
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

    async fn send_check_in(&self, call: &Call) -> Reply<CheckOutRecords> {
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

    async fn send_charge(&self, call: &Call) -> Reply<CheckOutRecords> {
        self.write_composite(call, responses::written).await
    }

    async fn in_house(&self, room_number: &RoomNumber) -> Reply<Vec<Stay>> {
        if room_number.is_empty() {
            return Reply::Done(Vec::new());
        }
        let call = self.requests.in_house(room_number);
        self.folios(Priority::Normal, &call, BookingFilter::InHouse(room_number))
            .await
    }

    async fn stays_in_house(&self, limit: u32) -> Reply<Vec<Stay>> {
        let call = self.requests.stays_in_house(limit);
        let rows = self.rows(Priority::Normal, &call).await;
        rows.map(|rows| {
            responses::complete(rows, BookingFilter::CheckedIn, &self.config.vocabulary)
        })
    }

    async fn paid_folios(&self, query: &PaidFolioQuery) -> Reply<Vec<PaidFolio>> {
        let call = self.requests.paid_folios(query);
        let rows = self.rows(Priority::Normal, &call).await;
        then(rows, |rows| {
            responses::paid_folios(rows, &self.config.vocabulary)
                .map_or_else(responses::unread, Reply::Done)
        })
    }

    async fn change_probe(&self) -> Reply<ChangeProbe> {
        let call = self.requests.change_probe();
        let parts = self
            .read(Priority::Normal, &call, responses::composite)
            .await;
        then(parts, |parts| responses::change_probe(&parts))
    }

    /// Used by the sweep, which looks for guests who are owed money: neither the breaker nor the
    /// concurrency limit holds it back. One query for up to a hundred bookings; a URL holds no
    /// more.
    async fn stays_by_number(&self, numbers: &[BookingNumber]) -> Reply<Vec<Stay>> {
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
                Reply::Done(stays) => all.extend(stays),
                other => return other,
            }
        }
        Reply::Done(all)
    }

    fn record_text(&self, note: &SentTextRecord) -> Call {
        self.requests.record_text(note)
    }

    async fn send_record_text(&self, call: &Call) -> Reply<()> {
        front_desk_ports::duplicate(self.write(Priority::Normal, call, responses::made).await)
    }

    async fn record_text_end(&self, sid: &str, end: &TextEnd) -> Reply<()> {
        match self.requests.record_text_end(sid, end) {
            Some(call) => self.write(Priority::Normal, &call, responses::made).await,
            None => Reply::Done(()),
        }
    }

    async fn contacts(&self, email: &EmailAddress) -> Reply<Vec<Contact>> {
        self.contact_rows(email)
            .await
            .map(|rows| responses::contacts(rows, self.config.country))
    }
}
