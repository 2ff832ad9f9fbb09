//! Cookies that a browser sent.

use http::{HeaderMap, header};

/// Value of the cookie with this name.
#[must_use]
pub fn request_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(other, value)| (other == name).then_some(value))
}
