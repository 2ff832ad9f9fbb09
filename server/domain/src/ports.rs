//! What the hotel needs from the world, as traits: others implement them, tests replace them.

mod clock;
mod crm;
mod front;
mod payments;
mod transport;

pub use clock::{Clock, Entropy};
pub use crm::{CheckOutOrder, Contact, Crm, Marker, PaidBy, RefundLine, RevertOrder, StayQuery, Trace, TraceQuery};
pub use front::{Dispatcher, DoorError, Doorman, SignedIn, Watch};
pub use payments::Payments;
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError};
