//! What the hotel needs from the world, as traits: others implement them, tests replace them.

mod clock;
mod crm;
mod front;
mod payments;
mod texts;
mod transport;

pub use clock::{Clock, Entropy};
pub use crm::{
    ChargeOrder, CheckInOrder, CheckOutOrder, Contact, Crm, Marker, PaidBy, RefundLine, RevertOrder, StayQuery,
    TextNote, Trace, TraceQuery, VoidOrder, Wanted,
};
pub use front::{Dispatcher, DoorError, Doorman, SessionView, SignedIn, Watch};
pub use payments::Payments;
pub use texts::{Sent, Texts};
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError};
