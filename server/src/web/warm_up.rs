//! What the first request would otherwise wait for: parsed, trained or compressed once, when a process
//! starts, on a thread that no request uses. Each part takes over 20 ms in the build that people try
//! first, which is not optimized.

use dewy_connectors::RealClock;
use dewy_domain::{emergency, ports::Clock};

use crate::web::static_files;

/// A part, and its name in the log.
pub(crate) type Part = (&'static str, fn());

pub(crate) const HOTEL: &[Part] = &[
    ("languages", dewy_languages::warm_up),
    ("words of danger", emergency::warm_up),
    ("static files", static_files::warm_up),
    ("phrases of the concierge", dewy_concierge::warm_up),
];

pub(crate) const SANDBOX: &[Part] = &[("the offline model", dewy_sandbox::llm::warm_up)];

/// Prepares the parts in the background.
pub(crate) fn begin(parts: &'static [Part]) {
    let work = move || {
        for (name, prepare) in parts {
            let begun = RealClock.uptime();
            prepare();
            let took = RealClock.uptime().saturating_sub(begun);
            tracing::debug!(name, ms = took.as_millis(), "prepared");
        }
    };
    let thread = std::thread::Builder::new().name("warm-up".to_owned());
    if let Err(error) = thread.spawn(work) {
        // The first request prepares what it needs
        tracing::warn!(%error, "nothing was prepared for the first request");
    }
}
