//! nginx, for the browser tests behind a proxy: installed on the machine, or from Debian.

use std::path::Path;

use crate::{apt, progress_output, run_program::find};

/// Installs it where it is missing and that is permitted. Without it those tests are skipped, except
/// in CI.
pub fn ensure() {
    if installed() {
        return;
    }
    let done = progress_output::step("nginx", || apt::install(&["nginx-light", "openssl"]));
    if let Err(why) = done {
        progress_output::line(&format!(
            "  warning: {why:#}; the tests behind a proxy need nginx (apt-get install nginx-light)"
        ));
    }
}

fn installed() -> bool {
    find("openssl").is_some() && (find("nginx").is_some() || Path::new("/usr/sbin/nginx").is_file())
}
