//! The hotel's own photos, read once: a missing file fails at startup rather than in front of
//! guests.

use std::path::Path;

use anyhow::Context;
use axum::body::Bytes;

use crate::config::{HotelConfig, PHOTO_PATH, photo_type, room_photo_path};

/// Maximum size of a photo in bytes: guests load it over mobile connections.
const MAX_PHOTO_BYTES: usize = 2_000_000;

/// A photo that pages show.
#[derive(Clone, Debug)]
pub struct Photo {
    pub path: String,
    /// Media type.
    pub kind: &'static str,
    /// Content.
    pub bytes: Bytes,
}

/// All configured photos.
///
/// # Errors
/// A file that can't be read or is too large, with the variable that names it.
pub async fn photos(house: &HotelConfig) -> anyhow::Result<Vec<Photo>> {
    let own = house
        .photo
        .iter()
        .map(|file| ("HOTEL_PHOTO", PHOTO_PATH.to_owned(), file));
    let of_rooms = house
        .room_photos
        .iter()
        .map(|(kind, file)| ("HOTEL_ROOM_PHOTOS", room_photo_path(kind), file));
    let mut photos = Vec::new();
    for (variable, path, file) in own.chain(of_rooms) {
        photos.push(read(variable, path, file).await?);
    }
    Ok(photos)
}

async fn read(variable: &str, path: String, file: &Path) -> anyhow::Result<Photo> {
    let read = tokio::fs::read(file)
        .await
        .with_context(|| format!("{variable}: can't read {}", file.display()))?;
    anyhow::ensure!(
        read.len() <= MAX_PHOTO_BYTES,
        "{variable}: {} is larger than 2 MB",
        file.display()
    );
    let kind = photo_type(file)
        .with_context(|| format!("{variable}: {} is not a photo", file.display()))?;
    Ok(Photo {
        path,
        kind,
        bytes: read.into(),
    })
}
