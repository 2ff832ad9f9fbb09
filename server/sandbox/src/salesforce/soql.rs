//! SOQL, as far as a hotel asks: text → [`lexer`] → [`parser`] → [`ast`] → [`plan`] (names resolved, types checked) →
//! rows. What is legal SOQL but not spoken here answers `MALFORMED_QUERY`, never a guess.

mod ast;
mod filter;
mod lexer;
mod like;
mod parser;
mod plan;
mod select;
mod shape;

use serde_json::Value;

use super::error::ApiResult;
use super::world::World;

/// What a query came to, before it is cut into pages.
#[derive(Debug, Default)]
pub struct Found {
    /// How many there are; a bare `COUNT()` has a total and no records.
    pub total: usize,
    /// The records as an answer shows them.
    pub records: Vec<Value>,
}

/// Runs a query. `base` is the path that record addresses begin with, such as
/// `/services/data/v62.0`.
///
/// # Errors
/// `MALFORMED_QUERY`, `INVALID_FIELD`, `INVALID_TYPE` and their kin.
pub fn run(world: &World, text: &str, base: &str) -> ApiResult<Found> {
    let query = parser::parse(text)?;
    select::run(world, &query, base)
}
