//! `cargo xtask test`: everything CI checks.

use anyhow::{anyhow, bail};

use crate::{bundle, chromium, e2e, node, packages, places::Places, postgres, process, say};

/// Sets up what is missing, then the Rust tests, then the browser's. Both are run whatever the first one says.
pub fn run() -> anyhow::Result<()> {
    let places = Places::find();
    node::ensure()?;
    packages::ensure(&places)?;
    chromium::ensure(&places)?;
    let path = postgres::ensure(&places)?;
    bundle::build(&places)?;
    let rust = say::step("The Rust tests", || {
        let mut cargo = process::cargo();
        if let Some(path) = path {
            cargo.env("PATH", path);
        }
        process::must(cargo.current_dir(&places.root).args(["test", "--workspace", "--no-fail-fast"]))
    });
    let browser = e2e::play(&places, &[]);
    let failed: Vec<_> =
        [rust, browser].into_iter().filter_map(Result::err).map(|why| anyhow!("{why:#}").to_string()).collect();
    if failed.is_empty() { Ok(()) } else { bail!("{}", failed.join("; ")) }
}
