//! Files that only their owner may read: the store holds what guests and staff entrust to the hotel.

use std::{fs, io, path::Path};

/// Creates a file that only its owner may read, unless it exists, with its folders; a folder that is
/// created is the owner's alone as well. SQLite gives the files beside it the same mode.
///
/// # Errors
/// When a folder or the file can't be created.
pub fn create_private_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        create_private_folder(folder)?;
    }
    let mut options = fs::File::options();
    options.create(true).append(true);
    private(&mut options);
    options.open(path).map(drop)
}

/// Creates a folder that is the owner's alone, with its parents, unless it exists.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

pub fn private(options: &mut fs::OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Makes an existing file readable for its owner only: earlier releases left it readable for all.
/// A file of another user keeps its mode.
pub fn make_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let shared = fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0);
        if shared && fs::set_permissions(path, fs::Permissions::from_mode(0o600)).is_ok() {
            tracing::info!(file = %path.display(), "only this user may read the file from now on");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
