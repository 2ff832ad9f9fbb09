//! Style sheet, assembled from its layers.

use std::sync::LazyLock;

use crate::asset_path::asset_path;

/// URL path of the style sheet.
pub static STYLE_PATH: LazyLock<String> = LazyLock::new(|| asset_path("dewy", "css", STYLE));

pub const STYLE: &str = concat!(
    include_str!("../../style/layers.css"),
    include_str!("../../style/reset.css"),
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/parts/frame.css"),
    include_str!("../../style/parts/text.css"),
    include_str!("../../style/parts/form.css"),
    include_str!("../../style/parts/panel.css"),
    include_str!("../../style/parts/pill.css"),
    include_str!("../../style/parts/timeline.css"),
    include_str!("../../style/parts/money.css"),
    include_str!("../../style/parts/table.css"),
    include_str!("../../style/parts/live.css"),
    include_str!("../../style/parts/guest-nav.css"),
    include_str!("../../style/parts/conversation.css"),
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
    fn each_css_class_is_defined_in_one_file() {
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

    /// Every text and background pair, in both themes, for guests and staff, meets the contrast of WCAG
    /// AA.
    #[test]
    fn text_has_enough_contrast() {
        let root = block(":root {");
        let staff = format!("{}{}", block("body.staff {"), root);
        let pairs = [
            ("text", "ground"),
            ("text", "surface"),
            ("text", "sunken"),
            ("muted", "ground"),
            ("muted", "surface"),
            ("muted", "sunken"),
            ("accent", "ground"),
            ("accent", "surface"),
            ("on-accent", "accent"),
            ("on-accent", "accent-strong"),
            ("on-key", "key"),
            ("on-key", "key-deep"),
            ("good", "good-fill"),
            ("good", "ground"),
            ("calm", "calm-fill"),
            ("today", "today-fill"),
            ("urgent", "urgent-fill"),
            ("urgent", "ground"),
            ("bad", "bad-fill"),
            ("bad", "ground"),
            ("bad", "surface"),
        ];
        for (who, tokens) in [("guest", &root), ("staff", &staff)] {
            for (text, ground) in pairs {
                for night in [false, true] {
                    let contrast =
                        contrast(&color(tokens, text, night), &color(tokens, ground, night));
                    assert!(
                        contrast >= 4.5,
                        "{who}, night {night}: {text} on {ground} is {contrast:.2}"
                    );
                }
            }
        }
    }

    fn block(selector: &str) -> String {
        let from = STYLE.find(&format!("  {selector}\n")).unwrap();
        let end = STYLE[from..].find("\n  }").unwrap();
        STYLE[from..from + end].to_owned()
    }

    /// Resolves a color token to its six digits.
    fn color(tokens: &str, name: &str, night: bool) -> String {
        let root = block(":root {");
        let found = |within: &str| {
            let from = within.find(&format!("--{name}: "))? + name.len() + 4;
            within[from..].split(';').next().map(str::to_owned)
        };
        let value = found(tokens)
            .or_else(|| found(&root))
            .unwrap_or_else(|| panic!("{name} has no value"));
        let value = match value.strip_prefix("light-dark(") {
            Some(both) => both
                .trim_end_matches(')')
                .split(", ")
                .nth(usize::from(night))
                .unwrap()
                .to_owned(),
            None => value,
        };
        match value.strip_prefix("var(--") {
            Some(raw) => color(tokens, raw.trim_end_matches(')'), night),
            None => value,
        }
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (a, b) = (luminance(one), luminance(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(hex: &str) -> f64 {
        let part = |n: usize| {
            let value = f64::from(u8::from_str_radix(&hex[n..n + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }
}
