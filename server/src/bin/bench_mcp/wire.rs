//! One kept connection: HTTP/1.1 by hand, so that this program takes as little of the cores as it can.

use anyhow::{Context, bail};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The connection and what was read of it.
#[derive(Debug)]
pub struct Wire {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A GET of this path.
pub fn get(address: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").into_bytes()
}

impl Wire {
    /// Opens it.
    pub async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("nobody listens at {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a request and reads its answer: the status and the body, which stays readable until the next one.
    pub async fn send(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.read.clear();
        self.stream.write_all(request).await?;
        let (head, length) = loop {
            if self.stream.read_buf(&mut self.read).await? == 0 {
                bail!("the connection was closed");
            }
            if let Some(end) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = std::str::from_utf8(&self.read[..end])?;
                let length = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
                });
                break (end + 4, length.context("an answer without a length")?);
            }
        };
        while self.read.len() < head + length {
            if self.stream.read_buf(&mut self.read).await? == 0 {
                bail!("the connection was closed in the middle of an answer");
            }
        }
        let status = std::str::from_utf8(self.read.get(9..12).unwrap_or_default())?.parse()?;
        Ok((status, &self.read[head..head + length]))
    }
}
