//! Appearance of pages: the selected theme, and readable colors.

use dewy_app::STYLE;

use super::Visitor;

#[tokio::test]
async fn the_theme_is_right_in_the_first_paint() {
    let visitor = Visitor::new();
    assert!(
        visitor
            .get("/")
            .await
            .text
            .contains("<html lang=\"en\" data-theme=\"system\">")
    );
    let page = visitor
        .post(
            "look",
            "theme=dark&back=%2Fguest%2Fsign-in%3Fnext%3D%2Fguest",
        )
        .await;
    assert_eq!(page.location, "/guest/sign-in?next=/guest");
    assert_eq!(
        page.cookies,
        ["dewy_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"]
    );
    let page = visitor.get_with("/guest/sign-in", "dewy_theme=dark").await;
    assert!(
        page.text.contains("data-theme=\"dark\"")
            && page.text.contains("name=\"color-scheme\" content=\"dark\"")
    );
    let page = visitor
        .get_with("/staff/sign-in", "dewy_density=roomy")
        .await;
    assert!(page.text.contains("data-density=\"roomy\""));
    assert!(
        visitor
            .post("look", "theme=<script>&back=%2F%2Fevil.example")
            .await
            .cookies
            .is_empty()
    );
    assert_eq!(
        visitor
            .post("look", "theme=dark&back=%2F%2Fevil.example")
            .await
            .location,
        "/"
    );
}

/// Every text and background pair, in both themes, for guests and staff, meets the contrast of WCAG
/// AA.
#[test]
fn text_can_be_read() {
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
                let contrast = contrast(&color(tokens, text, night), &color(tokens, ground, night));
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
