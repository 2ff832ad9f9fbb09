//! Pages of the same size by others: one of Leptos, rendered like ours, and one of maud, both
//! served by axum. They read nothing, know nobody, and say as much.

mod leptos_page;
mod maud_page;

use std::sync::OnceLock;

use anyhow::Context;
use axum::Router;
use clap::{Args, ValueEnum};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
};

/// Facts on the page: what they are called, and what they are.
static FACTS: OnceLock<Vec<(String, String)>> = OnceLock::new();

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Leptos,
    Maud,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leptos => "leptos",
            Self::Maud => "maud",
        }
    }
}

/// Options of the process that serves one.
#[derive(Debug, Args)]
pub struct Options {
    /// Kind of page.
    kind: Kind,
    /// Its size, about.
    bytes: usize,
}

/// Serves the page; prints its address and its size.
pub async fn serve(options: &Options) -> anyhow::Result<()> {
    // Both pages spend about as much on a fact
    let one = maud_page::html(&facts(1)).len() - maud_page::html(&[]).len();
    let count = options.bytes.saturating_sub(maud_page::html(&[]).len()) / one;
    let facts = FACTS.get_or_init(|| facts(count));
    let router: Router = match options.kind {
        Kind::Leptos => leptos_page::router(),
        Kind::Maud => maud_page::router(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!(
        "{} {}",
        listener.local_addr()?,
        maud_page::html(facts).len()
    );
    axum::serve(listener, router).await?;
    Ok(())
}

fn facts(count: usize) -> Vec<(String, String)> {
    let fact = |n| {
        (
            format!("Fact {n:03}"),
            "Breakfast is at eight, & by the sea.".to_owned(),
        )
    };
    (0..count).map(fact).collect()
}

/// Process that serves one; it ends when this is dropped.
#[derive(Debug)]
pub struct Peer {
    pub address: String,
    /// Size of the page.
    pub bytes: String,
    /// Process id.
    pub id: u32,
    _process: Child,
}

impl Peer {
    pub async fn start(kind: Kind, bytes: usize) -> anyhow::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["peer", kind.name(), &bytes.to_string()])
            .stdout(std::process::Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let line = lines.next_line().await?.context("it did not start")?;
        let (address, bytes) = line.split_once(' ').context("no address")?;
        Ok(Self {
            address: address.to_owned(),
            bytes: bytes.to_owned(),
            id: process.id().context("it has ended")?,
            _process: process,
        })
    }
}
