//! Sandbox server: in this process, or standalone as `dewy sandbox`.

use std::{net::SocketAddr, path::Path, sync::Arc};

use anyhow::Context;
use dewy_domain::ports::Clock;
use dewy_sandbox::{Latency, Sandbox, salesforce::OrgSettings, serve};
use dewy_store::{create_private_file, make_private};
use jiff::civil::Date;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{config::HotelConfig, web::warm_up};

/// Number of ports to try after the requested one.
const PORTS_TO_TRY: u16 = 50;

#[derive(Debug)]
pub struct RunningSandbox {
    pub url: String,
    /// Date of the seed, if it isn't today: arrivals and departures are relative to that date.
    pub stale_since: Option<Date>,
    pub sandbox: Sandbox,
    stop: CancellationToken,
    task: JoinHandle<std::io::Result<()>>,
}

/// Opens the file and serves it.
///
/// # Errors
/// When the file or the port can't be used.
pub async fn start(
    listener: TcpListener,
    data: &Path,
    house: &HotelConfig,
    reference_latency: bool,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<RunningSandbox> {
    warm_up::begin(warm_up::SANDBOX);
    let today = house.calendar().today(clock.now());
    // Readable by this user alone, as it holds what guests typed; the sandbox says what went wrong
    drop(create_private_file(data));
    make_private(data);
    let opened = Sandbox::open_in(clock, data, house.calendar()).await;
    let sandbox = opened.with_context(|| {
        format!(
            "the sandbox's file {} can't be used (SANDBOX_DATA)",
            data.display()
        )
    })?;
    let url = format!("http://{}", listener.local_addr()?);
    sandbox.set_public_base(&url);
    sandbox.set_org_settings(OrgSettings {
        currency: house.currency.code().to_ascii_uppercase(),
        ..sandbox.org_settings()
    });
    sandbox.set_latency(if reference_latency {
        Latency::reference()
    } else {
        Latency::none()
    });
    let stop = CancellationToken::new();
    let task = tokio::spawn(serve(
        listener,
        sandbox.clone(),
        stop.clone().cancelled_owned(),
    ));
    let stale_since = Some(sandbox.seed_day()).filter(|day| *day != today);
    Ok(RunningSandbox {
        url,
        stale_since,
        sandbox,
        stop,
        task,
    })
}

/// Binds the address, or the next free port after it.
///
/// # Errors
/// When no port is free.
pub async fn bind_or_next(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let mut port = address.port();
    loop {
        match TcpListener::bind((address.ip(), port)).await {
            Ok(listener) => return Ok(listener),
            Err(error)
                if error.kind() == std::io::ErrorKind::AddrInUse
                    && port - address.port() < PORTS_TO_TRY
                    && port < u16::MAX =>
            {
                port += 1
            }
            Err(error) => {
                return Err(error).with_context(|| {
                    format!("the sandbox can't listen on {address} (SANDBOX_ADDR)")
                });
            }
        }
    }
}

impl RunningSandbox {
    /// Waits until the server ends by itself, which only happens on a failure.
    ///
    /// # Errors
    /// The failure.
    pub async fn ended(&mut self) -> anyhow::Result<()> {
        Ok((&mut self.task).await??)
    }

    /// Stops it; all answered changes are on disk.
    pub async fn stop(self) {
        self.stop.cancel();
        if tokio::time::timeout(std::time::Duration::from_secs(5), self.task)
            .await
            .is_err()
        {
            tracing::warn!("the sandbox did not stop in time");
        }
    }
}
