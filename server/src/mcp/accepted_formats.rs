//! Response formats that a client accepts. rmcp requires both formats in `Accept`; this server
//! accepts either one.

use axum::{
    body::{Body, to_bytes},
    response::Response,
};
use http::{HeaderMap, HeaderValue, header};

/// Upper limit; responses are far smaller.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Formats allowed by `Accept`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// Plain JSON and an event stream.
    Both,
    /// A single JSON object, so no progress notifications.
    JsonOnly,
    /// An event stream whose last event is the response.
    EventsOnly,
    /// No supported format.
    Neither,
}

impl Accepted {
    /// Reads the request's headers; no header means no preference.
    pub fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(header::ACCEPT) {
            return Self::Both;
        }
        let lines = headers
            .get_all(header::ACCEPT)
            .iter()
            .filter_map(|line| line.to_str().ok());
        let (mut json, mut events) = (false, false);
        for range in lines.flat_map(|line| line.split(',')) {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
            let refused = parts.any(|parameter| {
                parameter.split_once('=').is_some_and(|(name, weight)| {
                    name.trim().eq_ignore_ascii_case("q")
                        && weight.trim().parse::<f32>().is_ok_and(|q| q <= 0.0)
                })
            });
            if !refused {
                json |= matches!(kind.as_str(), "*/*" | "application/*" | "application/json");
                events |= matches!(kind.as_str(), "*/*" | "text/*" | "text/event-stream");
            }
        }
        match (json, events) {
            (true, true) => Self::Both,
            (true, false) => Self::JsonOnly,
            (false, true) => Self::EventsOnly,
            (false, false) => Self::Neither,
        }
    }

    /// Converts a JSON response to the accepted format.
    pub async fn convert(self, response: Response) -> Response {
        let kind = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        if self != Self::EventsOnly
            || !kind.is_some_and(|kind| kind.starts_with("application/json"))
        {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(message) = to_bytes(body, MAX_BYTES).await else {
            return Response::from_parts(parts, Body::empty());
        };
        let mut event = b"event: message\ndata: ".to_vec();
        event.extend_from_slice(&message);
        event.extend_from_slice(b"\n\n");
        parts.headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        );
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, Body::from(event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_accepted_format_is_enough() {
        for (accept, accepted) in [
            ("application/json, text/event-stream", Accepted::Both),
            ("*/*", Accepted::Both),
            ("application/json", Accepted::JsonOnly),
            ("Application/JSON;q=0.9, text/html", Accepted::JsonOnly),
            ("application/*, text/event-stream;q=0", Accepted::JsonOnly),
            ("text/event-stream", Accepted::EventsOnly),
            ("text/html", Accepted::Neither),
            ("", Accepted::Neither),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(Accepted::of(&headers), accepted, "{accept}");
        }
        assert_eq!(Accepted::of(&HeaderMap::new()), Accepted::Both);
    }
}
