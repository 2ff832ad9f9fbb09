//! Text for the two places that Leptos writes as they are: a document's title, and a text area.

/// The text in which nothing begins or ends an element. A browser reads it back as it was.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
