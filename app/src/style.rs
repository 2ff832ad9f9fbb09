//! Style sheet, assembled from its layers.

use std::{
    hash::{DefaultHasher, Hasher},
    sync::LazyLock,
};

/// Its path. The name contains a hash of the content, so browsers cache it forever.
pub static STYLE_PATH: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    hasher.write(STYLE.as_bytes());
    format!("/pkg/dewy-{:016x}.css", hasher.finish())
});

/// Its text.
pub const STYLE: &str = concat!(
    include_str!("../../style/layers.css"),
    include_str!("../../style/reset.css"),
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/parts/frame.css"),
    include_str!("../../style/parts/words.css"),
    include_str!("../../style/parts/form.css"),
    include_str!("../../style/parts/panel.css"),
    include_str!("../../style/parts/pill.css"),
    include_str!("../../style/parts/timeline.css"),
    include_str!("../../style/parts/money.css"),
    include_str!("../../style/parts/table.css"),
    include_str!("../../style/parts/live.css"),
    include_str!("../../style/parts/places.css"),
    include_str!("../../style/parts/talk.css"),
    include_str!("../../style/pages/guest.css"),
    include_str!("../../style/pages/public.css"),
    include_str!("../../style/pages/guest-stay.css"),
    include_str!("../../style/pages/guest-bookings.css"),
    include_str!("../../style/pages/guest-requests.css"),
    include_str!("../../style/pages/staff.css"),
    include_str!("../../style/pages/find.css"),
    include_str!("../../style/pages/system_status.css"),
    include_str!("../../style/pages/boards.css"),
    include_str!("../../style/pages/rooms.css"),
    include_str!("../../style/pages/stays.css"),
    include_str!("../../style/pages/tape.css"),
    include_str!("../../style/pages/wall.css"),
    include_str!("../../style/print.css"),
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A class that two components use for themselves gives each the other's look.
    #[test]
    fn each_class_is_laid_out_in_one_file() {
        let (screen, _) = STYLE.rsplit_once("@media print {").unwrap();
        let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let parts = screen.split("@layer ").enumerate();
        let rules = parts.flat_map(|(file, text)| text.lines().map(move |line| (file, line)));
        for (file, line) in rules {
            let name = line
                .strip_prefix("  .")
                .and_then(|rule| rule.split_once(" {"))
                .map(|(name, _)| name);
            let class = |name: &&str| !name.contains([' ', '.', ',', ':', '[', '>', '+']);
            if let Some(name) = name.filter(class) {
                files.entry(name).or_default().push(file);
            }
        }
        assert!(
            files.len() > 100,
            "the style sheet is read: {}",
            files.len()
        );
        files.retain(|_, files| {
            files.dedup();
            files.len() > 1
        });
        assert!(files.is_empty(), "{files:?}");
    }
}
