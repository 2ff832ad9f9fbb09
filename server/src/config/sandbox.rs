//! Location of the sandbox, for the systems that are not configured.

use std::{net::SocketAddr, path::PathBuf};

use url::Url;

use super::variable_reader::{Reader, is_loopback};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxConfig {
    /// `SANDBOX_URL`: a sandbox that runs on its own; `None` starts one in this process.
    pub url: Option<Url>,
    /// `SANDBOX_ADDR`: address of the in-process sandbox.
    pub address: SocketAddr,
    /// `SANDBOX_DATA`: path of its file.
    pub data: PathBuf,
    /// `SANDBOX_LATENCY`: true to use the reference latencies.
    pub reference_latency: bool,
}

impl SandboxConfig {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        let url = from.url("SANDBOX_URL").filter(|url| {
            let near = is_loopback(url);
            if !near {
                from.problem(
                    "SANDBOX_URL",
                    "must be on this machine: the sandbox binds only to loopback",
                );
            }
            near
        });
        let address = from
            .parsed("SANDBOX_ADDR", "an address and port such as 127.0.0.1:4010")
            .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 4010)));
        if !address.ip().is_loopback() {
            from.problem(
                "SANDBOX_ADDR",
                "must be a loopback address such as 127.0.0.1:4010: anyone who can reach the sandbox controls it",
            );
        }
        let latency = from.text("SANDBOX_LATENCY");
        if latency
            .as_deref()
            .is_some_and(|l| l != "0" && l != "reference")
        {
            from.problem("SANDBOX_LATENCY", "must be 0 or reference");
        }
        Self {
            url,
            address,
            data: from
                .text("SANDBOX_DATA")
                .unwrap_or_else(|| "data/sandbox.db".to_owned())
                .into(),
            reference_latency: latency.as_deref() == Some("reference"),
        }
    }
}
