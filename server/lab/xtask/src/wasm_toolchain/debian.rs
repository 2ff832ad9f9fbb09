//! Way B: Debian's compiler with the standard library built from source. Nothing under /usr is
//! changed.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};

use super::TARGET;
use crate::{
    apt, progress_output,
    run_program::{cargo, find, output, run_or_fail},
};

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";

/// Minimum minor version for these crates (`rust-version` in Cargo.toml).
const MIN_VERSION: u32 = 95;

/// Cargo with the private sysroot.
pub fn compiler() -> anyhow::Result<Command> {
    if !good_enough() {
        // The newest version is in the security updates, so an outdated list would install one that
        // is too old
        progress_output::line("  apt-get install rustc-web cargo-web rust-web-src");
        apt::update()?;
        apt::install(&["rustc-web", "cargo-web", "rust-web-src"])?;
        if !good_enough() {
            bail!("Debian's rustc is older than 1.{MIN_VERSION}");
        }
    }
    let version = output(Command::new(RUSTC).arg("-V")).context("Debian's rustc does not run")?;
    let cache = env::var_os("WASM_SYSROOT_DIR")
        .map(PathBuf::from)
        .or_else(|| cache_home().map(|dir| dir.join("wasm-sysroot")));
    let home = cache
        .context("neither HOME nor XDG_CACHE_HOME is set")?
        .join(version.replace([' ', '(', ')'], "_"));
    if !home.join("done").exists() {
        progress_output::line(&format!(
            "  building the standard library for {TARGET} with {version}, once"
        ));
        build(&home)?;
    }
    let mut command = cargo_of(&home)?;
    command.env("RUSTC", home.join("bin/rustc"));
    Ok(command)
}

fn good_enough() -> bool {
    let version = output(Command::new(RUSTC).arg("-V")).unwrap_or_default();
    let minor = version
        .split('.')
        .nth(1)
        .and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= MIN_VERSION)
        && sources().is_some()
        && Path::new(CARGO).exists()
}

fn cache_home() -> Option<PathBuf> {
    env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
}

fn sources() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/src").ok()?;
    folders
        .filter_map(Result::ok)
        .map(|f| f.path())
        .find(|path| {
            path.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with("rustc-"))
                && path.join("library").is_dir()
        })
}

/// Debian's cargo, without the variables that rustup and this cargo have set.
fn cargo_of(home: &Path) -> anyhow::Result<Command> {
    let mut command = Command::new(CARGO);
    for (name, _) in cargo().get_envs() {
        command.env_remove(name);
    }
    for name in [
        "RUSTUP_TOOLCHAIN",
        "RUSTFLAGS",
        "RUSTC",
        "CARGO",
        "LD_LIBRARY_PATH",
    ] {
        command.env_remove(name);
    }
    command.env("PATH", crate::run_program::path_with(&home.join("bin"))?);
    Ok(command)
}

fn build(home: &Path) -> anyhow::Result<()> {
    let _ = fs::remove_dir_all(home);
    let package = home.join("build");
    fs::create_dir_all(package.join("src"))?;
    fs::create_dir_all(home.join("bin"))?;
    fs::write(
        package.join("Cargo.toml"),
        "[package]\nname = \"std-for-wasm\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"src/lib.rs\"\n[workspace]\n",
    )?;
    fs::write(package.join("src/lib.rs"), "")?;
    let linker = linker()?;
    symlink(&linker, home.join("bin/rust-lld"))?;
    if !linker.ends_with("rust-lld") {
        symlink(&linker, home.join("bin/wasm-ld"))?;
    }
    let mut std = cargo_of(home)?;
    std.current_dir(&package)
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1");
    run_or_fail(std.args([
        "build",
        "--release",
        "-Zbuild-std=std,panic_abort",
        "--target",
        TARGET,
        "--target-dir",
        "target",
    ]))?;
    place(
        home,
        &package.join("target").join(TARGET).join("release/deps"),
    )?;
    fs::remove_dir_all(&package)?;
    fs::write(home.join("done"), "")?;
    Ok(())
}

/// Creates a sysroot: links to the host's parts, the wasm parts as built, and a rustc that uses it.
fn place(home: &Path, built: &Path) -> anyhow::Result<()> {
    let sysroot = home.join("sysroot");
    let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&libraries)?;
    let host = PathBuf::from(
        output(Command::new(RUSTC).args(["--print", "sysroot"])).context("no sysroot")?,
    )
    .join("lib/rustlib");
    for part in fs::read_dir(host)? {
        let part = part?;
        if part.file_name() != TARGET {
            symlink(
                part.path(),
                sysroot.join("lib/rustlib").join(part.file_name()),
            )?;
        }
    }
    for file in fs::read_dir(built)? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libstd_for_wasm") {
            fs::copy(file.path(), libraries.join(name))?;
        }
    }
    let rustc = home.join("bin/rustc");
    fs::write(
        &rustc,
        format!(
            "#!/bin/sh\nexec {RUSTC} --sysroot '{}' \"$@\"\n",
            sysroot.display()
        ),
    )?;
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Linker of rustup or of Debian.
fn linker() -> anyhow::Result<PathBuf> {
    let of_rustup = output(Command::new("rustc").args(["--print", "sysroot"]))
        .and_then(|sysroot| fs::read_dir(Path::new(&sysroot).join("lib/rustlib")).ok())
        .and_then(|hosts| {
            hosts
                .filter_map(Result::ok)
                .map(|host| host.path().join("bin/rust-lld"))
                .find(|file| file.is_file())
        });
    if let Some(found) = of_rustup.or_else(of_debian) {
        return Ok(found);
    }
    apt::install(&["lld"])?;
    match of_debian() {
        Some(found) => Ok(found),
        None => bail!("neither rust-lld nor wasm-ld is installed"),
    }
}

fn of_debian() -> Option<PathBuf> {
    let numbered = || {
        let files = fs::read_dir("/usr/bin")
            .ok()?
            .filter_map(Result::ok)
            .map(|file| file.path());
        files
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("wasm-ld-"))
            })
            .max()
    };
    find("wasm-ld").or_else(numbered)
}
