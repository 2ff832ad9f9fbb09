//! The file with the installation's key: 64 hexadecimal digits, readable by its owner alone.

use std::{
    fs::File,
    io::{ErrorKind, Write},
    path::Path,
    time::Duration,
};

use anyhow::{Context, bail};
use dewy_domain::ports::Entropy;
use dewy_store::private;

/// How often a file that another process is writing is read again, and the pause before it.
const RETRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(20);

/// Reads the key; creates the file if it is missing and this process may.
///
/// # Errors
/// When there is no file, or it can't be read or written, or holds no key.
pub fn read_or_create(
    path: &Path,
    may_create: bool,
    entropy: &dyn Entropy,
) -> anyhow::Result<[u8; 32]> {
    let about = || format!("DEWY_KEY_FILE: {}", path.display());
    if may_create && !path.exists() {
        create(path, entropy).with_context(about)?;
    }
    for _ in 0..RETRIES {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => bail!(
                "{} does not exist. Make one, and give every instance the same: (umask 077; openssl rand -hex 32 > {})",
                about(),
                path.display()
            ),
            Err(error) => return Err(error).with_context(about),
        };
        let mut key = [0; 32];
        if hex::decode_to_slice(text.trim(), &mut key).is_ok() {
            warn_if_shared(path);
            return Ok(key);
        }
        if !text.trim().is_empty() {
            break;
        }
        // Another process has just created it
        std::thread::sleep(PAUSE);
    }
    bail!(
        "{} holds no key: it must be 64 hexadecimal digits, such as the output of: openssl rand -hex 32",
        about()
    )
}

/// Creates the file, unless another process does so at the same moment.
fn create(path: &Path, entropy: &dyn Entropy) -> std::io::Result<()> {
    let mut key = [0; 32];
    entropy.fill(&mut key);
    let mut options = File::options();
    options.write(true).create_new(true);
    private(&mut options);
    let mut file = match options.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(error),
    };
    file.write_all(format!("{}\n", hex::encode(key)).as_bytes())?;
    file.sync_all()?;
    // Also its name: the store must never outlive it in a power loss
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        File::open(folder)?.sync_all()?;
    }
    tracing::info!(file = %path.display(), "the key of this installation was created; back it up apart from the store");
    Ok(())
}

#[cfg(unix)]
fn warn_if_shared(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let shared = std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o007 != 0);
    if shared {
        tracing::warn!(file = %path.display(), "every user of this machine can read the key file; run: chmod 600");
    }
}

#[cfg(not(unix))]
fn warn_if_shared(_path: &Path) {}
