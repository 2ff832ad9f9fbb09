//! What the hotel needs from the world, as traits: others implement them, tests replace them.

mod account_memory;
mod attention;
mod backstage;
mod board;
mod books;
mod cases;
mod clock;
mod concierge;
mod crm;
mod front;
mod guests;
mod ledger;
mod model;
mod payments;
mod quote;
mod reservations;
mod rooms;
mod stay_notes;
mod texts;
mod token_desk;
mod transport;

pub use account_memory::AccountMemory;
pub use attention::{Attention, AttentionView, EmergencyLine, both};
pub use backstage::{AccessAlarm, Backstage, Connection, DialError, DialView, FaultOrder, Health, SystemView};
pub use board::{Board, Glance, Latest};
pub use books::{Books, BooksRow, BooksView, Drift, KnownView, TakenView, WrittenView};
pub use cases::Cases;
pub use clock::{Clock, Entropy};
pub use concierge::{Concierge, Decision, UsageView};
pub use crm::{
    ChargeOrder, CheckInOrder, CheckOutOrder, Contact, Crm, Marker, PaidBy, RefundLine, RevertOrder, StayQuery,
    TextNote, Trace, TraceQuery, VoidOrder, Wanted,
};
pub use front::{Dispatcher, DoorError, Doorman, SessionView, SignedIn, Watch};
pub use guests::Guests;
pub use ledger::{CallList, CallQuery, CallView, Ledger, LedgerError};
pub use model::{Model, ModelAnswer, ModelCall, ModelMessage, ModelRequest, ModelTool, ModelTrouble};
pub use payments::Payments;
pub use quote::{Quote, Quotes};
pub use reservations::Reservations;
pub use rooms::Rooms;
pub use stay_notes::{LONGEST_NOTE, StayNote, StayNotes};
pub use texts::{Sent, Texts};
pub use token_desk::{TokenDesk, TokenError, TokenOrder, TokenView};
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError};
