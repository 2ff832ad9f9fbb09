//! Ports: traits for the outside world, implemented by other crates and replaced in tests.

mod attention;
mod audit_reader;
mod authenticator;
mod board;
mod booking_links;
mod cases;
mod clock;
mod concierge;
mod confirmation_prompt;
mod crm;
mod dispatcher;
mod entropy;
mod execution_feed;
mod guests;
mod language_model;
mod mail;
mod payment_account_store;
mod payment_reconciliation;
mod payments;
mod public_inventory;
mod reservations;
mod rooms;
mod saved_cards;
mod saved_views;
mod staff_directory;
mod stay_notes;
mod system_status;
mod text_messages;
mod text_refusals;
mod token_admin;
mod transport;

pub use attention::{
    Attention, AttentionView, EmergencyItem, UnsettledPayment, combine_change_numbers,
};
pub use audit_reader::{AuditLogError, AuditReader, CallList, CallQuery, CallView};
pub use authenticator::{
    AcceptedCode, Authenticator, CodeRoute, Registration, RegistrationError, RequestedCode,
    SessionView, SignInError, SignedIn,
};
pub use board::{Board, GUEST_ACTIVITIES, HotelSnapshot, Latest};
pub use booking_links::{BookingLink, BookingLinks};
pub use cases::Cases;
pub use clock::Clock;
pub use concierge::{Concierge, Decision, UsageView};
pub use confirmation_prompt::{Confirmation, ConfirmationPrompt, ConfirmationPrompts};
pub use crm::{
    ChargeOrder, CheckInOrder, CheckOutMarker, CheckOutOrder, CheckOutRecords,
    CheckOutRecordsQuery, Contact, Crm, RecordedPayment, RefundLine, RevertOrder, SentTextRecord,
    SettleOrder, StayQuery, StaySelection, StayWrite, VoidOrder,
};
pub use dispatcher::Dispatcher;
pub use entropy::Entropy;
pub use execution_feed::ExecutionFeed;
pub use guests::{Guests, ReadPhone};
pub use language_model::{
    Model, ModelAnswer, ModelCall, ModelError, ModelMessage, ModelRequest, ModelTool,
};
pub use mail::{Email, EmailStatus, EmailWriter, Mail};
pub use payment_account_store::PaymentAccountStore;
pub use payment_reconciliation::{
    CrmRecord, Discrepancy, JournalRecord, PaymentReconciliation, ProcessorRecord,
    ReconciliationRow, ReconciliationView,
};
pub use payments::Payments;
pub use public_inventory::{PublicInventory, PublicRoom, PublicRooms};
pub use reservations::Reservations;
pub use rooms::Rooms;
pub use saved_cards::SavedCards;
pub use saved_views::{MAX_VIEW_NAME_LENGTH, SavedView, SavedViews};
pub use staff_directory::StaffDirectory;
pub use stay_notes::{MAX_NOTE_LENGTH, StayNote, StayNotes};
pub use system_status::{
    AccessAlarm, Connection, FaultInjectionError, FaultInjectionView, FaultSpec, Health,
    HiddenField, SystemStatus, SystemView, WithoutField,
};
pub use text_messages::{SentText, TextEnd, TextMessages};
pub use text_refusals::TextRefusals;
pub use token_admin::{TokenAdmin, TokenError, TokenOrder, TokenView};
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError};
