//! HTTP/1.1 messages as bytes: enough to forward and to corrupt one.

use std::{fmt::Write as _, io};

use tokio::io::{AsyncRead, AsyncReadExt};

/// Maximum size of a message head.
const LARGEST_HEAD: usize = 64 * 1024;

/// Request or response, with its body read by its announced length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Request line or status line.
    pub first_line: String,
    /// Header names as sent, and values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Message {
    /// Reads one message; `None` when the peer closed before it was complete.
    pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            if from.read_buf(&mut bytes).await? == 0 || bytes.len() > LARGEST_HEAD {
                return Ok(None);
            }
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let first_line = lines.next().unwrap_or_default().to_owned();
        let pair = |line: &str| {
            line.split_once(':')
                .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        };
        let mut message = Self {
            first_line,
            headers: lines.filter_map(pair).collect(),
            body: bytes.split_off(end + 4),
        };
        let length = message
            .header("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        while message.body.len() < length {
            if from.read_buf(&mut message.body).await? == 0 {
                return Ok(None);
            }
        }
        Ok(Some(message))
    }

    /// Value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn method(&self) -> &str {
        self.first_line.split(' ').next().unwrap_or_default()
    }

    /// Path of a request, with its query string.
    pub fn path(&self) -> &str {
        self.first_line.split(' ').nth(1).unwrap_or_default()
    }

    /// Bytes to send. `length` is the announced length of the body; `close` sets whether the
    /// connection ends with it.
    pub fn bytes(&self, length: usize, close: bool) -> Vec<u8> {
        let mut head = format!("{}\r\n", self.first_line);
        for (name, value) in &self.headers {
            if !name.eq_ignore_ascii_case("content-length")
                && !name.eq_ignore_ascii_case("connection")
            {
                // Writing to a string can't fail.
                let _ = write!(head, "{name}: {value}\r\n");
            }
        }
        let connection = if close { "connection: close\r\n" } else { "" };
        let _ = write!(head, "content-length: {length}\r\n{connection}\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// A gateway's page for a failed upstream.
    pub fn bad_gateway() -> Self {
        Self {
            first_line: "HTTP/1.1 502 Bad Gateway".to_owned(),
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
                .to_vec(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_message_is_framed_by_its_length() {
        let mut wire: &[u8] =
            b"POST /v1/refunds HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\na=b";
        let message = Message::read(&mut wire).await.unwrap().unwrap();
        assert_eq!(
            (message.method(), message.path(), message.header("host")),
            ("POST", "/v1/refunds", Some("h"))
        );
        let sent = String::from_utf8(message.bytes(9, true)).unwrap();
        assert_eq!(
            sent,
            "POST /v1/refunds HTTP/1.1\r\nHost: h\r\ncontent-length: 9\r\nconnection: close\r\n\r\na=b"
        );
    }

    #[tokio::test]
    async fn an_incomplete_message_is_none() {
        for half in [
            "HTTP/1.1 200 OK\r\ncontent-",
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab",
        ] {
            assert_eq!(Message::read(&mut half.as_bytes()).await.unwrap(), None);
        }
    }
}
