//! Small disk that can be filled.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// In-memory file system, mounted until it is dropped.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of this size, or returns the reason why that isn't possible here.
    pub fn mount(folder: &Path, size: &str) -> Result<Self, String> {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(folder)
            .output();
        match mounted {
            Ok(done) if done.status.success() => Ok(Self(folder.to_owned())),
            Ok(done) => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Mount point.
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn fill(&self) -> std::io::Result<()> {
        let mut filling = File::create(self.0.join("filling"))?;
        let mut piece = 64 * 1024;
        while piece > 0 {
            if filling.write_all(&vec![1; piece]).is_err() {
                piece /= 2;
            }
        }
        Ok(())
    }

    /// Frees the space again.
    pub fn free(&self) -> std::io::Result<()> {
        std::fs::remove_file(self.0.join("filling"))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // It is unmounted once no process has a file open on it.
        drop(Command::new("umount").arg("-l").arg(&self.0).status());
    }
}
