//! Body of a call: declared as JSON, within the size limit, and received in time.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use dewy_domain::error_code::ErrorCode;
use http::{HeaderMap, header};

use crate::{mcp::BODY_LIMIT, web::BODY_TIMEOUT};

pub async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, ErrorCode> {
    read_within(headers, body, BODY_TIMEOUT).await
}

async fn read_within(
    headers: &HeaderMap,
    body: Body,
    within: Duration,
) -> Result<Bytes, ErrorCode> {
    // A missing body is an empty input, whatever its declared type.
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    if !is_json(headers) {
        return Err(ErrorCode::UnsupportedMediaType);
    }
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > BODY_LIMIT) {
        return Err(ErrorCode::TooLarge);
    }
    match tokio::time::timeout(within, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        // `to_bytes` adds only the limit error; if the body broke off, there is nobody to answer.
        Ok(Err(_)) => Err(ErrorCode::TooLarge),
        Err(_) => Err(ErrorCode::BodyTimeout),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
    else {
        return false;
    };
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn slow_bodies_time_out() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            "Application/JSON; charset=utf-8".parse().unwrap(),
        );
        let slow = futures::stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Some((Ok::<_, std::io::Error>(" "), ()))
        });
        let read = read_within(&headers, Body::from_stream(slow), Duration::from_secs(20)).await;
        assert_eq!(read, Err(ErrorCode::BodyTimeout));
        assert_eq!(
            read_within(&headers, Body::from("{}"), BODY_TIMEOUT).await,
            Ok(Bytes::from("{}"))
        );
        headers.insert(
            header::CONTENT_TYPE,
            "application/json-patch+json".parse().unwrap(),
        );
        assert_eq!(
            read_within(&headers, Body::from("{}"), BODY_TIMEOUT).await,
            Err(ErrorCode::UnsupportedMediaType)
        );
        assert_eq!(
            read_within(&headers, Body::empty(), BODY_TIMEOUT).await,
            Ok(Bytes::new())
        );
    }
}
