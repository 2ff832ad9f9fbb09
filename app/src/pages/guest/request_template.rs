//! Templates for common requests, which prefill the form.

#[derive(Debug, PartialEq, Eq)]
pub struct RequestTemplate {
    /// Name in URLs, and in the names of its messages.
    pub name: &'static str,
    /// The tool's `type`.
    pub kind: &'static str,
    /// The tool's `priority`.
    pub priority: &'static str,
}

/// All templates; the first ones are on the requests page.
pub const REQUEST_TEMPLATES: [RequestTemplate; 10] = [
    template("towels", "Housekeeping", "Medium"),
    template("late", "Concierge", "Medium"),
    template("broken", "Maintenance", "High"),
    template("taxi", "Concierge", "Medium"),
    template("food", "Room Service", "Medium"),
    template("clean", "Housekeeping", "Medium"),
    template("luggage", "Concierge", "Medium"),
    template("wish", "Concierge", "Low"),
    template("lost", "Concierge", "Medium"),
    template("question", "Concierge", "Medium"),
];

/// Number of templates on the requests page.
pub const COMMON: usize = 6;

const fn template(
    name: &'static str,
    kind: &'static str,
    priority: &'static str,
) -> RequestTemplate {
    RequestTemplate {
        name,
        kind,
        priority,
    }
}

impl RequestTemplate {
    pub fn named(name: &str) -> Option<&'static Self> {
        REQUEST_TEMPLATES.iter().find(|wish| wish.name == name)
    }

    /// Prefilled text, which the guest can change.
    pub fn text(&self) -> Option<&'static str> {
        crate::language::message_of("ask", &format!("{} text", self.name))
    }
}
