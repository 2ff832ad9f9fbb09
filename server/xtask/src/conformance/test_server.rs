//! Hotel with the fixture persona and its sandbox, in a temporary folder.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use crate::{
    folders::Folders,
    output,
    process::{cargo, must, output, server_path},
};

/// Longer than a first start takes.
const OPEN_WITHIN: Duration = Duration::from_secs(60);

/// Running hotel; stopped on drop.
#[derive(Debug)]
pub struct TestServer {
    program: PathBuf,
    folder: PathBuf,
    address: String,
    server: Child,
}

impl TestServer {
    /// Builds it and starts it on a free port.
    pub fn open(folders: &Folders) -> anyhow::Result<Self> {
        output::step("The server with the fixtures", || {
            let build = ["build", "--package", "dewy", "--features", "conformance"];
            must(cargo().current_dir(&folders.root).args(build))
        })?;
        let program = server_path(folders, "dev");
        let folder = folders
            .target
            .join(format!("conformance-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        // Released at once and used by the server a moment later; nothing else starts here
        // meanwhile.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let log = File::create(folder.join("dewy.log"))?;
        let mut serve = command(&program, &folder);
        serve
            .arg("serve")
            .env("LEPTOS_SITE_ADDR", &address)
            .env("SANDBOX_ADDR", "127.0.0.1:0");
        // A suite calls faster than any person; the limits have their own tests.
        serve
            .env("CALLS_PER_MINUTE", "1000000")
            .env("SALESFORCE_CALLS_PER_GUEST", "1000000");
        let server = serve
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("the server could not be started")?;
        let mut house = Self {
            program,
            folder,
            address,
            server,
        };
        house.ready()?;
        Ok(house)
    }

    fn ready(&mut self) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !self.answers() {
            if self.server.try_wait()?.is_some() || begun.elapsed() > OPEN_WITHIN {
                bail!(
                    "it did not open; see {}",
                    self.folder.join("dewy.log").display()
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn answers(&self) -> bool {
        let mut said = String::new();
        TcpStream::connect(&self.address)
            .and_then(|mut wire| {
                wire.write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
                wire.read_to_string(&mut said)
            })
            .is_ok_and(|_| said.starts_with("HTTP/1") && said.contains(" 200 "))
    }

    /// URL of a persona's endpoint.
    pub fn url(&self, persona: &str) -> String {
        format!("http://{}/mcp/{persona}", self.address)
    }

    /// Token for an account of the seed.
    pub fn token(&self, persona: &str) -> anyhow::Result<String> {
        let who = match persona {
            "guest" => ["--guest", "beth.gibbs@email.com"],
            _ => ["--staff", "manager@dewy.example"],
        };
        output(
            command(&self.program, &self.folder)
                .args(["token", "create"])
                .args(who),
        )
        .context("no token was created")
    }

    /// Stops the server and deletes its files.
    pub fn close(self) {
        drop(self);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Without the developer's own configuration: a suite must never reach a live system.
fn command(program: &std::path::Path, folder: &std::path::Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command.env(
        "DATABASE_URL",
        format!("sqlite://{}", folder.join("dewy.db").display()),
    );
    command.env("SANDBOX_DATA", folder.join("sandbox.db"));
    command
}
