//! Templates for common requests, which prefill the form.

/// Common request.
#[derive(Debug, PartialEq, Eq)]
pub struct RequestTemplate {
    /// Name in URLs.
    pub name: &'static str,
    /// Message of the chip's label.
    pub title: &'static str,
    /// The tool's `type`.
    pub kind: &'static str,
    /// The tool's `priority`.
    pub priority: &'static str,
    /// Message of the prefilled text, which the guest can change; empty for none.
    pub text: &'static str,
}

/// All templates; the first ones are on the requests page.
pub const WISHES: [RequestTemplate; 10] = [
    wish(
        "towels",
        "wish-towels",
        "Housekeeping",
        "Medium",
        "wish-towels-text",
    ),
    wish("late", "wish-late", "Concierge", "Medium", "wish-late-text"),
    wish("broken", "wish-broken", "Maintenance", "High", ""),
    wish("taxi", "wish-taxi", "Concierge", "Medium", "wish-taxi-text"),
    wish("food", "wish-food", "Room Service", "Medium", ""),
    wish(
        "clean",
        "wish-clean",
        "Housekeeping",
        "Medium",
        "wish-clean-text",
    ),
    wish(
        "luggage",
        "wish-luggage",
        "Concierge",
        "Medium",
        "wish-luggage-text",
    ),
    wish("wish", "wish-stay", "Concierge", "Low", ""),
    wish("lost", "wish-lost", "Concierge", "Medium", "wish-lost-text"),
    wish("question", "wish-question", "Concierge", "Medium", ""),
];

/// Number of templates on the requests page.
pub const COMMON: usize = 6;

const fn wish(
    name: &'static str,
    title: &'static str,
    kind: &'static str,
    priority: &'static str,
    text: &'static str,
) -> RequestTemplate {
    RequestTemplate {
        name,
        title,
        kind,
        priority,
        text,
    }
}

impl RequestTemplate {
    /// Template with that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        WISHES.iter().find(|wish| wish.name == name)
    }
}
