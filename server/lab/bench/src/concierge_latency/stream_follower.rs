//! Open event stream of a conversation.

use std::time::Instant;

use anyhow::{Context, bail, ensure};
use dewy_test_kit::Browser;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::http_connection::page_request;

/// Stream and its read buffer.
#[derive(Debug)]
pub struct StreamFollower {
    stream: TcpStream,
    read: Vec<u8>,
    /// Last state.
    last: Value,
}

impl StreamFollower {
    /// Subscribes to that conversation, whose page this browser may see, and reads its state.
    pub async fn open(address: &str, browser: &Browser, place: &str) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let request = page_request(address, browser, &format!("{place}/events"));
        stream.write_all(&request).await?;
        let mut follower = Self {
            stream,
            read: Vec::with_capacity(1024),
            last: Value::Null,
        };
        follower.next().await?;
        ensure!(
            follower.last["busy"] == false,
            "{place} is busy before anything was said: {}",
            follower.last
        );
        Ok(follower)
    }

    /// Arrival of the next answer's first word, or of the whole answer if the model was faster than
    /// the poll.
    pub async fn first_word(&mut self) -> anyhow::Result<Instant> {
        loop {
            self.next().await?;
            if self.last["busy"] == false
                || self.last["text"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty())
            {
                return Ok(Instant::now());
            }
        }
    }

    /// Reads until nothing is being written.
    pub async fn quiet(&mut self) -> anyhow::Result<()> {
        while self.last["busy"] != false {
            self.next().await?;
        }
        Ok(())
    }

    /// Next event.
    async fn next(&mut self) -> anyhow::Result<()> {
        loop {
            if let Some(end) = self.read.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = self.read.drain(..end + 2).collect();
                let text = String::from_utf8_lossy(&event).into_owned();
                if let Some(data) = text.lines().find_map(|line| line.strip_prefix("data:")) {
                    self.last = serde_json::from_str(data.trim()).with_context(|| text.clone())?;
                    return Ok(());
                }
                continue;
            }
            if self.stream.read_buf(&mut self.read).await? == 0 {
                bail!("the stream ended: {}", String::from_utf8_lossy(&self.read));
            }
        }
    }
}
