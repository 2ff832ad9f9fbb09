//! One kept connection: minimal HTTP/1.1, so that this program uses as little of the cores as
//! possible.

use std::time::Instant;

use anyhow::{Context, bail};
use dewy_test_kit::Browser;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Connection and its read buffer.
#[derive(Debug)]
pub struct HttpConnection {
    stream: TcpStream,
    read: Vec<u8>,
    /// Arrival of the response's first byte.
    pub first_byte: Instant,
}

impl HttpConnection {
    pub async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)
            .await
            .with_context(|| format!("nobody listens at {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            read: Vec::with_capacity(64 * 1024),
            first_byte: Instant::now(),
        })
    }

    /// Sends a request and reads its response: the status and the body, which stays readable until
    /// the next one.
    pub async fn send(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.read.clear();
        self.stream.write_all(request).await?;
        let (head, length) = loop {
            let begins = self.read.is_empty();
            self.more().await?;
            if begins {
                self.first_byte = Instant::now();
            }
            if let Some(end) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = std::str::from_utf8(&self.read[..end])?;
                let values = |wanted: &'static str| {
                    head.lines().filter_map(move |line| {
                        let (name, value) = line.split_once(':')?;
                        name.eq_ignore_ascii_case(wanted)
                            .then(|| value.trim().to_owned())
                    })
                };
                let length = values("content-length").find_map(|value| value.parse::<usize>().ok());
                let chunked =
                    values("transfer-encoding").any(|value| value.eq_ignore_ascii_case("chunked"));
                if length.is_none() && !chunked {
                    bail!("an answer without a length");
                }
                break (end + 4, length);
            }
        };
        match length {
            Some(length) => {
                while self.read.len() < head + length {
                    self.more().await?;
                }
            }
            // Good enough for text search: the chunk sizes stay in the text
            None => {
                while !self.read.ends_with(b"0\r\n\r\n") {
                    self.more().await?;
                }
            }
        }
        let status = std::str::from_utf8(self.read.get(9..12).unwrap_or_default())?.parse()?;
        Ok((status, &self.read[head..]))
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.read).await? == 0 {
            bail!("the connection was closed in the middle of an answer");
        }
        Ok(())
    }
}

pub fn page_request(address: &str, visitor: &Browser, path: &str) -> Vec<u8> {
    let cookies = visitor.cookies();
    format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/html\r\nCookie: {cookies}\r\n\r\n"
    )
    .into_bytes()
}
