//! Part of a composite.

use serde_json::Value;

/// Unresolved call of a composite.
#[derive(Clone, Debug)]
pub struct Part {
    /// Reference id.
    pub id: String,
    /// `GET`, `POST`, `PATCH`, `DELETE`.
    pub method: String,
    pub url: String,
    /// Body; null if there is none.
    pub body: Value,
    /// Headers of the part, with lowercase names.
    pub headers: Vec<(String, String)>,
}
