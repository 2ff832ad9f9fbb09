//! People who are signed in, each in front of one page.

use crate::support::browser::{self, Browser};

/// Somebody with a session, in front of one page.
#[derive(Debug)]
pub struct Visitor {
    /// Which page.
    pub name: &'static str,
    /// Asks for it.
    pub request: Vec<u8>,
    /// Words that only this page has.
    pub sign: &'static str,
    /// Its size, uncompressed.
    pub bytes: usize,
}

/// Beth, in front of her stay.
pub async fn guest(address: &str) -> anyhow::Result<Visitor> {
    before(
        browser::guest(address).await?,
        "Guest home",
        "/guest",
        "Room 302",
    )
    .await
}

/// The manager, in front of the day.
pub async fn manager(address: &str) -> anyhow::Result<Visitor> {
    before(
        browser::manager(address).await?,
        "Staff Today",
        "/staff",
        "Arrivals",
    )
    .await
}

async fn before(
    mut browser: Browser,
    name: &'static str,
    path: &str,
    sign: &'static str,
) -> anyhow::Result<Visitor> {
    let bytes = browser.get(path).await?.len();
    let request = format!("{}\r\n", browser.head("GET", path)).into_bytes();
    Ok(Visitor {
        name,
        request,
        sign,
        bytes,
    })
}
