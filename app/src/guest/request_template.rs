//! Templates for common requests, which prefill the form.

/// Common request.
#[derive(Debug, PartialEq, Eq)]
pub struct RequestTemplate {
    /// Name in URLs.
    pub name: &'static str,
    /// Label of the chip.
    pub title: &'static str,
    /// The tool's `type`.
    pub kind: &'static str,
    /// The tool's `priority`.
    pub priority: &'static str,
    /// Prefilled text; the guest can change it.
    pub text: &'static str,
}

/// All templates; the first ones are on the requests page.
pub const WISHES: [RequestTemplate; 10] = [
    wish(
        "towels",
        "Fresh towels",
        "Housekeeping",
        "Medium",
        "Two fresh bath towels, please.",
    ),
    wish(
        "late",
        "Late check-out",
        "Concierge",
        "Medium",
        "I would like to check out later, at two o'clock if possible.",
    ),
    wish("broken", "Something is broken", "Maintenance", "High", ""),
    wish(
        "taxi",
        "A taxi",
        "Concierge",
        "Medium",
        "A taxi to the airport, please, at ",
    ),
    wish("food", "Something to eat", "Room Service", "Medium", ""),
    wish(
        "clean",
        "Clean my room",
        "Housekeeping",
        "Medium",
        "Please clean my room while I am out.",
    ),
    wish(
        "luggage",
        "Keep my luggage",
        "Concierge",
        "Medium",
        "Please keep my luggage after I have checked out.",
    ),
    wish("wish", "A request for my stay", "Concierge", "Low", ""),
    wish(
        "lost",
        "I left something behind",
        "Concierge",
        "Medium",
        "I think I left something in my room: ",
    ),
    wish("question", "Ask a question", "Concierge", "Medium", ""),
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
