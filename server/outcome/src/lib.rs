//! What a request to an outside system came to. A connector answers it, a step decides on it, and
//! the journal stores it, in the same words.

mod fault;
mod outcome;

pub use fault::Fault;
pub use outcome::Outcome;
