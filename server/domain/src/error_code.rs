//! The error table: code, status, messages and next step for every error shown to a person or
//! program.

use serde::{Deserialize, Serialize};

macro_rules! error_codes {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $code:literal, $status:literal, retry_safe: $safe:literal,
        guest: $guest:literal, staff: $staff:literal, next: $next:literal; )*) => {
        /// A stable error code. Programs match on it; people read its message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ErrorCode { $( $(#[doc = $doc])+ #[serde(rename = $code)] $variant, )* }

        impl ErrorCode {
            /// Every code, in table order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// As sent: `BOOKING_NOT_FOUND`.
            #[must_use]
            pub const fn code(self) -> &'static str { match self { $(Self::$variant => $code),* } }

            #[must_use]
            pub const fn status(self) -> u16 { match self { $(Self::$variant => $status),* } }

            /// Whether the identical call may be retried safely and may succeed.
            #[must_use]
            pub const fn retry_safe(self) -> bool { match self { $(Self::$variant => $safe),* } }

            #[must_use]
            pub const fn for_guest(self) -> &'static str { match self { $(Self::$variant => $guest),* } }

            #[must_use]
            pub const fn for_staff(self) -> &'static str { match self { $(Self::$variant => $staff),* } }

            /// Next step, for people and models.
            #[must_use]
            pub const fn next(self) -> &'static str { match self { $(Self::$variant => $next),* } }

            /// The code with that name.
            #[must_use]
            pub fn from_code(code: &str) -> Option<Self> { Self::ALL.iter().copied().find(|c| c.code() == code) }
        }
    };
}

error_codes! {
    /// The input violates the tool's rules; `details.problems` names every field.
    ValidationFailed = "VALIDATION_FAILED", 400, retry_safe: false,
        guest: "Some of your entries need to be corrected.", staff: "Some of the entries need to be corrected.",
        next: "Correct the fields named in details.problems and send it again.";
    /// More than one stay matches.
    MultipleBookings = "MULTIPLE_BOOKINGS", 400, retry_safe: false,
        guest: "You have more than one stay with us right now.", staff: "More than one stay fits.",
        next: "Send it again with the room_number or booking_number of one of the stays in details.bookings.";
    /// Missing or invalid credentials.
    NotSignedIn = "NOT_SIGNED_IN", 401, retry_safe: false,
        guest: "Please sign in first.", staff: "Sign in first.", next: "Sign in, or send a valid bearer token.";
    /// Another guest's data.
    NotYourStay = "NOT_YOUR_STAY", 403, retry_safe: false,
        guest: "That stay is not yours.", staff: "A guest may act on their own stay only.",
        next: "Leave guest_email out, or use the email you signed in with.";
    /// Several guests have the email of a token.
    SharedEmail = "SHARED_EMAIL", 403, retry_safe: false,
        guest: "Several of our guests use this email address, so we can't tell who you are. Please ask the front desk.",
        staff: "Several contacts with different phone numbers have this email, so a token for it would open the stays of all of them. Give each contact an email of their own in Salesforce first.",
        next: "Ask the hotel to give each guest an email of their own, and for a new token.";
    /// No such tool for this caller.
    UnknownTool = "UNKNOWN_TOOL", 404, retry_safe: false,
        guest: "There is no such action.", staff: "There is no such tool.", next: "Call one of the tools in your list.";
    /// No guest has this email.
    GuestNotFound = "GUEST_NOT_FOUND", 404, retry_safe: false,
        guest: "We couldn't find a guest with that email.", staff: "No contact has this email.",
        next: "Check the spelling of guest_email.";
    /// The guest has no matching stay.
    BookingNotFound = "BOOKING_NOT_FOUND", 404, retry_safe: false,
        guest: "We could not find a matching booking.", staff: "No booking that fits was found.",
        next: "Check booking_number and room_number, or leave them out.";
    /// No such execution for this caller.
    ExecutionNotFound = "EXECUTION_NOT_FOUND", 404, retry_safe: false,
        guest: "We could not find that request.", staff: "There is no such execution.",
        next: "Check the execution_id or idempotency_token.";
    /// No such conversation for this caller.
    ConversationNotFound = "CONVERSATION_NOT_FOUND", 404, retry_safe: false,
        guest: "We could not find that conversation.", staff: "There is no such conversation.",
        next: "Choose one from the list, or begin a new one.";
    /// The concierge is still answering in this conversation.
    ConciergeBusy = "CONCIERGE_BUSY", 409, retry_safe: true,
        guest: "The concierge is still answering. Stop it, or wait a moment.", staff: "The concierge is still answering here.",
        next: "Wait until the answer is complete, or stop it, and send it again.";
    /// A manager has switched the concierge off.
    ConciergeOff = "CONCIERGE_OFF", 409, retry_safe: false,
        guest: "The concierge is off right now. Nothing was done. You can do everything on our pages instead.",
        staff: "A manager has switched the concierge off; nothing was done.",
        next: "Use the page for it, or ask the front desk.";
    /// A proposal that was answered, expired or superseded, or belongs to another person.
    ProposalNotOpen = "PROPOSAL_NOT_OPEN", 409, retry_safe: false,
        guest: "That question is no longer open. Nothing was done a second time.",
        staff: "That proposal is no longer open; nothing was done a second time.",
        next: "See the conversation: it says how the proposal ended.";
    /// The CRM keeps refusing the write that follows a payment, so no payment is taken.
    CheckoutPaused = "CHECKOUT_PAUSED", 503, retry_safe: true,
        guest: "Check-out is paused because our booking system isn't accepting it right now. Nothing was charged this time. Please see the front desk or try again later.",
        staff: "Check-outs are paused: Salesforce refused the last ones after the payment. Nothing was charged this time.",
        next: "Wait as long as Retry-After says, then send it again. Outside systems shows why; a manager can lift the pause.";
    /// The card was declined.
    PaymentFailed = "PAYMENT_FAILED", 402, retry_safe: false,
        guest: "Your card was declined. You were not charged.", staff: "The card was declined; nothing was charged.",
        next: "Try another card: send it again with a new idempotency_token.";
    /// A person was asked and did not approve.
    NotConfirmed = "NOT_CONFIRMED", 409, retry_safe: false,
        guest: "You did not confirm it, so nothing was done and nothing was charged.",
        staff: "It was not confirmed; nothing was done.",
        next: "Ask the person what they would like instead; send it again only if they ask for it.";
    /// The approved amount is not the balance.
    AmountMismatch = "AMOUNT_MISMATCH", 409, retry_safe: false,
        guest: "Your balance has changed since you last saw it, so nothing was charged this time.",
        staff: "The amount is not the folio's balance; nothing was charged.",
        next: "Read the folio again and confirm the amount in details.balance.";
    /// The approved price is not the stay's price.
    PriceChanged = "PRICE_CHANGED", 409, retry_safe: false,
        guest: "The price has changed since you last saw it. Nothing was booked or changed.",
        staff: "The price is another one than what was agreed to; nothing was booked or changed.",
        next: "Tell the person the price in details.price, and send it as amount only if they agree.";
    /// The email is another person's, by the name on file.
    EmailOfAnotherGuest = "EMAIL_OF_ANOTHER_GUEST", 409, retry_safe: false,
        guest: "This email address belongs to another guest. Nothing was booked.",
        staff: "This email belongs to a guest with another name; nothing was booked.",
        next: "Ask who it is for. For details.guest_name, send that name; for anybody else, send another email.";
    /// The guest is not on file, and the phone number is somebody's who is.
    PhoneOfAnotherGuest = "PHONE_OF_ANOTHER_GUEST", 409, retry_safe: false,
        guest: "This phone number belongs to another guest. Nothing was booked.",
        staff: "A guest on file has this phone number; nothing was booked.",
        next: "Ask who it is for. For one of details.guests, send its same_guest_as and no email; for somebody new, send details.similar.number as repeat_of.";
    /// The same was done before, and may be meant once.
    PossibleDuplicate = "POSSIBLE_DUPLICATE", 409, retry_safe: false,
        guest: "You have the same already. Nothing was done a second time.",
        staff: "The same was done before; nothing was done a second time.",
        next: "Ask whether it is meant twice. Only then send it again, with details.similar.number as repeat_of.";
    /// Several bookings share one folio.
    SharedFolio = "SHARED_FOLIO", 409, retry_safe: false,
        guest: "Your stay shares its bill with another one, so the front desk has to check you out. Nothing was charged this time.",
        staff: "Several bookings share one opportunity, so the balance isn't one guest's; nothing was charged.",
        next: "In Salesforce, give each booking an opportunity of its own, then check out again.";
    /// The folio is overpaid, or the balance is less than the minimum charge.
    BalanceNeedsDesk = "BALANCE_NEEDS_DESK", 409, retry_safe: false,
        guest: "This balance cannot be settled by card here. Please come to the front desk.",
        staff: "The folio is overpaid, or its balance is below the minimum card charge; nothing was charged.",
        next: "Guests: go to the front desk. Front desk: correct the folio, or send the balance as amount with leave_open: true, which checks out and leaves the balance to be settled.";
    /// The booking's state does not allow this.
    InvalidTransition = "INVALID_TRANSITION", 409, retry_safe: false,
        guest: "That is no longer possible for this stay.", staff: "The current status does not allow this.",
        next: "See the current status in details.";
    /// The guest has no matching reservation.
    ReservationNotFound = "RESERVATION_NOT_FOUND", 404, retry_safe: false,
        guest: "We could not find a matching reservation.", staff: "The guest has no matching reservation.",
        next: "Check booking_number, room_number and check_in_date, or leave them out.";
    /// More than one reservation matches.
    MultipleReservations = "MULTIPLE_RESERVATIONS", 409, retry_safe: false,
        guest: "More than one of your reservations matches.", staff: "More than one reservation matches.",
        next: "Send it again with the booking_number of one of the reservations in details.reservations.";
    /// More than one contact has this email.
    MultipleGuests = "MULTIPLE_GUESTS", 409, retry_safe: false,
        guest: "More than one guest of ours has this email, so the front desk has to check you in.",
        staff: "More than one contact has this email.",
        next: "Send it again with the booking_number of the right one, or merge the contacts.";
    /// The room is not ready.
    RoomNotVacant = "ROOM_NOT_VACANT", 409, retry_safe: true,
        guest: "Your room is not ready yet. Please come to the front desk or try again a little later.",
        staff: "The room is not Vacant.", next: "Look at details.room_status; set the room Vacant when it is clean, or move the booking.";
    /// Too early or too late for this check-in.
    OutsideCheckInWindow = "OUTSIDE_CHECK_IN_WINDOW", 409, retry_safe: false,
        guest: "Check-in is open from your day of arrival until the end of your day of departure.",
        staff: "The date is outside the booking's days.", next: "Compare check_in_date with details.check_in_date and details.check_out_date.";
    /// The room is taken for one of the nights.
    RoomAlreadyBooked = "ROOM_ALREADY_BOOKED", 409, retry_safe: false,
        guest: "That room is taken for these nights.", staff: "The room is taken for at least one of these nights; nothing was changed.",
        next: "Call search_available_rooms with the same dates and choose another room, or other dates.";
    /// The room is out of service, under repair, or in a status that only the org knows.
    RoomOutOfService = "ROOM_OUT_OF_SERVICE", 409, retry_safe: false,
        guest: "That room can’t be booked at the moment. Please choose another one.",
        staff: "The room is closed, so it can't be booked; nothing was changed.",
        next: "Call search_available_rooms and choose another room, or set the room's status first: details.room_status.";
    /// The guest has reached the hotel's limit of bookings or nights for self-service booking.
    BookingLimit = "BOOKING_LIMIT", 409, retry_safe: false,
        guest: "That is more than one guest can book online at a time. Our front desk is happy to book the rest for you.",
        staff: "The guest has reached the number of open bookings or nights that guests may book by themselves.",
        next: "Cancel an open booking that is not needed, or ask the front desk: details.open_bookings, details.nights and their limits.";
    /// More guests than the room's maximum occupancy.
    TooManyGuests = "TOO_MANY_GUESTS", 400, retry_safe: false,
        guest: "That room is too small for that many people.", staff: "More people than the room holds.",
        next: "Choose a larger room: details.max_occupancy is what this one holds.";
    /// Dates that cannot be booked.
    DatesInvalid = "DATES_INVALID", 400, retry_safe: false,
        guest: "These dates cannot be booked.", staff: "The dates cannot be booked.",
        next: "Correct the dates named in details.problems: ISO days, departure after arrival, not in the past.";
    /// The room is occupied.
    RoomOccupied = "ROOM_OCCUPIED", 409, retry_safe: false,
        guest: "Somebody is staying in that room.", staff: "A guest is in the room; nothing was changed.",
        next: "Check the guest out or move them first.";
    /// A record lacks a field that a decision needs.
    RecordIncomplete = "RECORD_INCOMPLETE", 409, retry_safe: false,
        guest: "Something is missing in our records, so the front desk has to help you with this. Nothing was changed.",
        staff: "A record in Salesforce lacks a field that this needs. Nothing was changed.",
        next: "Fill in the field that details.problem names in Salesforce, then send it again.";
    /// The CRM considers a new contact a duplicate of an existing one.
    DuplicateGuest = "DUPLICATE_GUEST", 409, retry_safe: false,
        guest: "We may know you by another email address, so the front desk has to help you with this.",
        staff: "One of the org's duplicate rules matched this guest to an existing contact; nothing was created.",
        next: "Look at the contacts in details.records: use the email of the right one, or merge them in Salesforce.";
    /// No such case.
    CaseNotFound = "CASE_NOT_FOUND", 404, retry_safe: false,
        guest: "We found no such request.", staff: "There is no such case.", next: "Check case_number, or search for it.";
    /// No room has this number, or nobody is staying in it.
    RoomNotFound = "ROOM_NOT_FOUND", 404, retry_safe: false,
        guest: "We have no such room.", staff: "There is no such room, or none that matches.",
        next: "Check room_number.";
    /// No charge has this number on this folio.
    ChargeNotFound = "CHARGE_NOT_FOUND", 404, retry_safe: false,
        guest: "There is no such charge.", staff: "This folio has no such charge.", next: "Read the folio and send the charge's number.";
    /// The payment system knows no such payment.
    PaymentNotFound = "PAYMENT_NOT_FOUND", 404, retry_safe: false,
        guest: "We found no such payment.", staff: "The payment system knows no such payment.", next: "Check payment_intent_id.";
    /// The payment belongs to another guest.
    PaymentGuestMismatch = "PAYMENT_GUEST_MISMATCH", 409, retry_safe: false,
        guest: "That payment is not yours.", staff: "The payment belongs to another guest; nothing was refunded.",
        next: "Check guest_email and payment_intent_id.";
    /// The payment's check-out was completed.
    CheckoutCompleted = "CHECKOUT_COMPLETED", 409, retry_safe: false,
        guest: "That check-out was completed.", staff: "The check-out of this payment was completed; nothing was refunded.",
        next: "There is nothing to fix here. Issue a goodwill refund in the payment system's dashboard.";
    /// The payment cannot be refunded.
    PaymentNotRefundable = "PAYMENT_NOT_REFUNDABLE", 422, retry_safe: false,
        guest: "That payment cannot be refunded here.", staff: "The payment cannot be refunded here.",
        next: "See details.cause. A second payment of a check-out is refunded in the payment system's dashboard.";
    /// Only a manager may refund this amount.
    OverRefundLimit = "OVER_REFUND_LIMIT", 403, retry_safe: false,
        guest: "The front desk has to decide this.", staff: "The amount is over the limit; a manager has to do it.",
        next: "Ask a manager.";
    /// The charge was refunded. The identical request may be sent again if no token stands for this
    /// answer.
    CheckoutCompensated = "CHECKOUT_COMPENSATED", 409, retry_safe: true,
        guest: "We could not finish your check-out, so we refunded your payment in full. You are still checked in.",
        staff: "The check-out could not be finished; the payment was refunded and everything put back.",
        next: "Try again with a new idempotency_token, or come to the front desk.";
    /// A person has to check it.
    NeedsAttention = "NEEDS_ATTENTION", 409, retry_safe: false,
        guest: "Our front desk is looking into your check-out and will come back to you.",
        staff: "The execution needs a person; see its record.", next: "Do not send it again; the front desk decides.";
    /// A person resolved it outside this program.
    SettledByStaff = "SETTLED_BY_STAFF", 409, retry_safe: false,
        guest: "Our front desk has settled this with you in person. Please ask them if anything is unclear.",
        staff: "A staff member settled this by hand; its record says who and why.",
        next: "Do not send it again; ask the front desk what was agreed.";
    /// Another execution holds the lease on the booking.
    OperationInProgress = "OPERATION_IN_PROGRESS", 409, retry_safe: true,
        guest: "Something is already being done with this stay.",
        staff: "Something else is still being done with this stay or room, so this was not started. Wait a moment, then try again.",
        next: "Follow details.execution_id, or try again in a moment.";
    /// The token was used before with different input.
    IdempotencyMismatch = "IDEMPOTENCY_MISMATCH", 409, retry_safe: false,
        guest: "This form was already used for something else. Please start again.",
        staff: "This form was sent before with other entries, so nothing was done now. See what became of that first. If this is meant as well, send it again.",
        next: "Use a new idempotency_token for a new request.";
    /// The route does not support this HTTP method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405, retry_safe: false,
        guest: "That cannot be done this way.", staff: "Tools are called with POST.", next: "Send it with POST.";
    /// The request body did not arrive in time.
    BodyTimeout = "BODY_TIMEOUT", 408, retry_safe: true,
        guest: "That took too long to arrive. Please try again.", staff: "The body did not arrive in time.",
        next: "Send it again at once.";
    /// The content type is not JSON.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", 415, retry_safe: false,
        guest: "We cannot read that kind of message.", staff: "The body must be application/json.",
        next: "Send JSON with Content-Type: application/json.";
    /// The request body is too large.
    TooLarge = "TOO_LARGE", 413, retry_safe: false,
        guest: "That was too long.", staff: "The body is too large.", next: "Send less.";
    /// Too many requests.
    RateLimited = "RATE_LIMITED", 429, retry_safe: true,
        guest: "That was a little too fast. Please wait two minutes and try again.", staff: "Too many calls.",
        next: "Wait as long as Retry-After says, then send it again.";
    /// The CRM's daily calls are nearly used up; the rest is for stays, money, and staff.
    QuotaReserved = "QUOTA_RESERVED", 503, retry_safe: true,
        guest: "Our booking system has nearly used up its allowance for today, and we keep the rest for check-in and check-out. Please try again in a quarter of an hour, or ask the front desk.",
        staff: "More than 85 % of Salesforce's calls of the last 24 hours are used: guests' searches wait.",
        next: "Wait as long as Retry-After says, then send it again. Folio, stays, check-in and check-out still work.";
    /// All workers are busy.
    Overloaded = "OVERLOADED", 503, retry_safe: true,
        guest: "We are very busy right now and did not take this request. Please try again in a moment.",
        staff: "All workers are busy; the call was not accepted.", next: "Wait as long as Retry-After says, then send it again.";
    /// An outside system refuses our access: it stays so until an operator changes it.
    AccessRefused = "ACCESS_REFUSED", 503, retry_safe: false,
        guest: "Our booking or payment system does not let us in, and sending it again won't help. Please ask the front desk.",
        staff: "Salesforce or Stripe refuses our access, until an operator restores it.",
        next: "An operator has to restore the access: Outside systems says what is refused. Then send it again.";
    /// An outside system did not answer. This says nothing about money: `details.charged` is false
    /// only where that was verified.
    UpstreamUnavailable = "UPSTREAM_UNAVAILABLE", 503, retry_safe: true,
        guest: "We can't reach our booking or payment system right now. Please try again in a moment.",
        staff: "Salesforce or Stripe can't be used right now; Outside systems says why.", next: "Try again in a moment.";
    /// An outside system permanently refused the request: the identical request would be refused
    /// again.
    UpstreamRefused = "UPSTREAM_REFUSED", 422, retry_safe: false,
        guest: "Our systems did not accept this, and sending it again won't help. Please see the front desk.",
        staff: "Salesforce or Stripe permanently refused this.",
        next: "Change the request, or fix the cause in details; the same request would be refused again.";
    /// The CRM hides a field from our user that this needs: it stays so until an administrator shows it.
    FieldHidden = "FIELD_HIDDEN", 503, retry_safe: false,
        guest: "Our booking system keeps something from us that we need for this. Please ask the front desk.",
        staff: "Salesforce hides a field from our user that this needs.",
        next: "An administrator has to let our user see and write the field (field-level security). Outside systems names it.";
    /// An internal error.
    Internal = "INTERNAL", 500, retry_safe: true,
        guest: "Something went wrong on our side. Sending it again with the same token is safe.",
        staff: "An internal fault; the log has it.", next: "Send it again with the same idempotency_token.";
}

impl ErrorCode {
    /// Message for a program's log, whatever the token's persona: the fact, without references to
    /// pages, forms or who owns the systems.
    #[must_use]
    pub const fn for_program(self) -> &'static str {
        match self {
            Self::NotSignedIn => {
                "The bearer token is missing, unknown, expired, or for the other persona."
            }
            Self::IdempotencyMismatch => "The idempotency token was used with another input.",
            Self::NotYourStay => "guest_email is not the one that the token is for.",
            Self::SharedEmail => {
                "Several guests have the email that the token is for, so it stands for none of them."
            }
            Self::UnknownTool => "There is no such tool for this token.",
            Self::NeedsAttention => {
                "A person has to look at this execution; nothing more happens by itself."
            }
            Self::CheckoutPaused => {
                "Check-outs are paused by an outside system's refusals; nothing was charged this time."
            }
            Self::RecordIncomplete => {
                "A record lacks a field that this needs; nothing was changed."
            }
            Self::DuplicateGuest => {
                "A duplicate rule matched this guest to an existing contact; nothing was created."
            }
            Self::UpstreamUnavailable => {
                "An outside system is temporarily unavailable; the hotel knows."
            }
            Self::UpstreamRefused => "An outside system permanently refused the request.",
            Self::AccessRefused => {
                "An outside system refuses the hotel's access; an operator has to restore it."
            }
            Self::FieldHidden => "An outside system hides a field that this needs.",
            Self::UnsupportedMediaType => "The body must be application/json.",
            _ => self.for_staff(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_parse_back() {
        for (n, code) in ErrorCode::ALL.iter().enumerate() {
            assert_eq!(ErrorCode::from_code(code.code()), Some(*code));
            assert!(
                ErrorCode::ALL
                    .iter()
                    .skip(n + 1)
                    .all(|c| c.code() != code.code())
            );
            assert!((400..600).contains(&code.status()));
            assert_eq!(serde_json::to_value(code).unwrap(), code.code());
        }
    }
}
