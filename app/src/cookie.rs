//! Cookies of preferences, set without a script.

use axum::http::{HeaderMap, HeaderValue, header};
use leptos_axum::ResponseOptions;

/// One year.
const KEEP_SECONDS: u32 = 31_536_000;

/// Value of a request's cookie.
#[must_use]
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// Stores a value for a year. It must be one of the program's own.
pub fn set(answer: &ResponseOptions, name: &str, value: &str) {
    let cookie = format!("{name}={value}; Path=/; Max-Age={KEEP_SECONDS}; SameSite=Lax; HttpOnly");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.append_header(header::SET_COOKIE, cookie);
    }
}
