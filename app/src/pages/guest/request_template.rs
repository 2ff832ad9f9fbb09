//! Templates for common requests, which prefill the form.

use crate::{language::t, page_url};

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

/// Link to the form about something that was left behind in this room.
pub fn lost_in(room: Option<&str>, booking: Option<&str>) -> String {
    let text = match (room, booking) {
        (Some(room), Some(booking)) => t!("ask-lost-room", room = room, booking = booking),
        _ => t!("ask-lost-text").trim().to_owned(),
    };
    let href = page_url::with_query("/guest/requests", [("ask", "lost"), ("text", &text)]);
    format!("{href}#ask")
}

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
