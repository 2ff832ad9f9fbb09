//! Public checks and clients at the versions of end2end/mcp/package.json, in a folder under target/.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail};

use crate::{
    npm_packages, progress_output,
    run_program::{node_program, output, path_with, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// Includes Node itself.
const NODE: &str = "node@22";
/// Suite and Inspector need `fs.globSync`.
const OLDEST_NODE: (u32, u32) = (22, 19);

#[derive(Debug)]
pub struct Suite {
    folder: PathBuf,
    path: OsString,
    proxy: PathBuf,
    results: PathBuf,
}

impl Suite {
    /// Installs what is missing.
    pub fn install(folders: &WorkspacePaths) -> anyhow::Result<Self> {
        let folder = folders.tools.join("mcp");
        fs::create_dir_all(&folder)?;
        for name in ["package.json", "package-lock.json", "clients.mjs"] {
            fs::copy(folders.end2end.join("mcp").join(name), folder.join(name))?;
        }
        npm_packages::ensure_in(&folder)?;
        let path = if new_enough() {
            env::var_os("PATH").unwrap_or_default()
        } else {
            let node = folders.tools.join("node22");
            fetch(&node, NODE)?;
            path_with(&node.join("node_modules/node/bin"))?
        };
        let proxy = folders.end2end.join("mcp/bearer.mjs");
        Ok(Self {
            folder,
            path,
            proxy,
            results: folders.target.join("conformance"),
        })
    }

    fn program(&self, name: &str) -> Command {
        let mut program = Command::new(self.folder.join("node_modules/.bin").join(name));
        program.env("PATH", &self.path).stdin(Stdio::null());
        program
    }

    /// Runs the tests of one revision and prints the suite's summary.
    pub fn run_revision(
        &self,
        url: &str,
        token: &str,
        revision: &str,
        expected: Option<&Path>,
        name: &str,
    ) -> anyhow::Result<()> {
        let proxy = Proxy::before(url, token, self)?;
        let results = self.results.join(format!("{name}-{revision}"));
        drop(fs::remove_dir_all(&results));
        fs::create_dir_all(&results)?;
        let mut suite = self.program("conformance");
        suite
            .args([
                "server",
                "--url",
                &proxy.url,
                "--requirements",
                revision,
                "-o",
            ])
            .arg(&results);
        if let Some(expected) = expected {
            suite.arg("--expected-failures").arg(expected);
        }
        let run = suite.output().context("the suite could not be started")?;
        let said = String::from_utf8_lossy(&run.stdout).into_owned()
            + &String::from_utf8_lossy(&run.stderr);
        fs::write(results.join("said.txt"), &said)?;
        let summary = said
            .find("=== SUMMARY")
            .unwrap_or_else(|| said.len().saturating_sub(2000));
        progress_output::line(said.get(summary..).unwrap_or_default().trim_end());
        if !run.status.success() {
            bail!(
                "{}; its full output is in {}",
                run.status,
                results.join("said.txt").display()
            );
        }
        Ok(())
    }

    /// Runs the clients that people use, as a guest who is in house.
    pub fn run_clients(&self, url: &str, token: &str) -> anyhow::Result<()> {
        let mut clients = Command::new("node");
        clients
            .current_dir(&self.folder)
            .args(["clients.mjs", url, token])
            .env("PATH", &self.path)
            .stdin(Stdio::null());
        run_or_fail(&mut clients)
    }

    /// Connects with every protocol generation and checks every schema.
    pub fn inspect(&self, url: &str, token: &str) -> anyhow::Result<()> {
        for era in ["modern", "legacy", "auto"] {
            let mut inspector = self.program("mcp-inspector");
            inspector.args([
                "--cli",
                url,
                "--transport",
                "http",
                "--stored-auth-only",
                "--format",
                "json",
            ]);
            inspector.args([
                "--header",
                &format!("Authorization: Bearer {token}"),
                "--protocol-era",
                era,
            ]);
            inspector.args(["--method", "tools/list", "--strict"]);
            let run = inspector
                .output()
                .context("the Inspector could not be started")?;
            let said = String::from_utf8_lossy(&run.stderr);
            if !run.status.success() {
                bail!(
                    "{era}: {}: {said} {}",
                    run.status,
                    String::from_utf8_lossy(&run.stdout)
                );
            }
            let warnings = said
                .lines()
                .filter(|line| !line.trim().is_empty())
                .collect::<Vec<_>>()
                .join("\n  ");
            let tools = String::from_utf8_lossy(&run.stdout)
                .matches("\"inputSchema\"")
                .count();
            progress_output::line(&format!(
                "  {era}: {tools} tools{}{warnings}",
                if warnings.is_empty() { "" } else { "\n  " }
            ));
            if tools == 0 {
                bail!("{era}: the Inspector found no tools");
            }
        }
        Ok(())
    }
}

/// Proxy that adds the token, until it is dropped.
struct Proxy {
    url: String,
    process: Child,
}

impl Proxy {
    fn before(url: &str, token: &str, suite: &Suite) -> anyhow::Result<Self> {
        let mut node = Command::new("node");
        node.arg(&suite.proxy)
            .args([url, token])
            .env("PATH", &suite.path);
        let mut process = node
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("node could not be started")?;
        let mut line = String::new();
        let told = process.stdout.take().context("the proxy printed nothing")?;
        BufReader::new(told).read_line(&mut line)?;
        Ok(Self {
            url: line.trim().to_owned(),
            process,
        })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn new_enough() -> bool {
    let version = output(Command::new("node").arg("--version")).unwrap_or_default();
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|n| n.parse().unwrap_or(0));
    let major = numbers.next().unwrap_or(0);
    (major, numbers.next().unwrap_or(0)) >= OLDEST_NODE
}

/// Installs a package unless this version is installed.
fn fetch(folder: &Path, package: &str) -> anyhow::Result<()> {
    let stamp = folder.join(".installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == package) {
        return Ok(());
    }
    progress_output::step(package, || {
        fs::create_dir_all(folder)?;
        // Its own project; otherwise npm would look for one further up.
        fs::write(folder.join("package.json"), r#"{ "private": true }"#)?;
        let mut npm = node_program("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
            .arg(package);
        run_or_fail(npm.current_dir(folder))?;
        Ok(fs::write(&stamp, package)?)
    })
}
