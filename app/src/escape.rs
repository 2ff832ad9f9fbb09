//! Escapes text for the two places where Leptos doesn't: the document title and text areas.

/// Text in which nothing starts or ends an element. A browser reads it back unchanged.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
