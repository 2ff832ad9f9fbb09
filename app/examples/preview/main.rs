//! Shows the pages without the server behind them: `cargo run -p dewy-app --features ssr --example preview`.

mod double;
mod serve;

use std::{net::SocketAddr, sync::Arc};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let house = Arc::new(double::House::new(false));
    for (n, card) in [
        "pm_card_visa",
        "pm_card_mastercard",
        "pm_card_amex",
        "pm_card_refundFail",
        "pm_card_visa_chargeDeclined",
        "pm_card_authenticationRequired",
    ]
    .iter()
    .enumerate()
    {
        house.plant(&format!("exe_{n:032x}"), card);
    }
    let site = std::env::var("PREVIEW_SITE").map_or_else(|_| serve::root().join("target/site"), Into::into);
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 3300))).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, serve::router(house, site)).await
}
