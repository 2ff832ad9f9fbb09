//! What the hotel needs from the world, as traits: others implement them, tests replace them.

mod clock;
mod transport;

pub use clock::{Clock, Entropy};
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError};
