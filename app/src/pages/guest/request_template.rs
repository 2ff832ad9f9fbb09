//! Templates for common requests, which prefill the form.

#[derive(Debug, PartialEq, Eq)]
pub struct RequestTemplate {
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
pub const REQUEST_TEMPLATES: [RequestTemplate; 10] = [
    template(
        "towels",
        "wish-towels",
        "Housekeeping",
        "Medium",
        "wish-towels-text",
    ),
    template("late", "wish-late", "Concierge", "Medium", "wish-late-text"),
    template("broken", "wish-broken", "Maintenance", "High", ""),
    template("taxi", "wish-taxi", "Concierge", "Medium", "wish-taxi-text"),
    template("food", "wish-food", "Room Service", "Medium", ""),
    template(
        "clean",
        "wish-clean",
        "Housekeeping",
        "Medium",
        "wish-clean-text",
    ),
    template(
        "luggage",
        "wish-luggage",
        "Concierge",
        "Medium",
        "wish-luggage-text",
    ),
    template("wish", "wish-stay", "Concierge", "Low", ""),
    template("lost", "wish-lost", "Concierge", "Medium", "wish-lost-text"),
    template("question", "wish-question", "Concierge", "Medium", ""),
];

/// Number of templates on the requests page.
pub const COMMON: usize = 6;

const fn template(
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
    pub fn named(name: &str) -> Option<&'static Self> {
        REQUEST_TEMPLATES.iter().find(|wish| wish.name == name)
    }
}
