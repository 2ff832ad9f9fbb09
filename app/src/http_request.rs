//! The request that a page answers.

use axum::http::request::Parts;
use leptos::prelude::with_context;

/// Reads the request where it is; taking it out of the context copies every header and extension.
pub fn with_request<T>(read: impl FnOnce(&Parts) -> T) -> Option<T> {
    with_context(read)
}

pub fn with_path<T>(read: impl FnOnce(&str) -> T) -> Option<T> {
    with_request(|parts| read(parts.uri.path()))
}

pub fn is_staff_page() -> bool {
    with_path(|path| path.starts_with("/staff")).unwrap_or_default()
}
