//! Signed-in visitors, each on one page.

use crate::support::browser::{self, Browser};

/// Visitor with a session, on one page.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Name of the page.
    pub name: &'static str,
    /// Head of the request, without its last empty line.
    pub head: String,
    /// Body of the request.
    pub body: String,
    /// Expected status.
    pub status: u16,
    /// Text that only this page contains.
    pub sign: &'static str,
    /// Its size, uncompressed.
    pub bytes: usize,
}

/// Beth, on the page of her stay.
pub async fn guest(address: &str) -> anyhow::Result<Visitor> {
    before(
        browser::guest(address).await?,
        "Guest home",
        "/guest",
        "Room 302",
    )
    .await
}

/// The manager, on the today board.
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
    Ok(Visitor {
        name,
        head: browser.head("GET", path),
        body: String::new(),
        status: 200,
        sign,
        bytes,
    })
}
