//! Paths of files that come with the program.

use std::hash::{DefaultHasher, Hasher};

/// Path of a file. The name contains a hash of the content, so browsers cache it forever.
pub fn asset_path(name: &str, ending: &str, content: &str) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(content.as_bytes());
    format!("/pkg/{name}-{:016x}.{ending}", hasher.finish())
}
