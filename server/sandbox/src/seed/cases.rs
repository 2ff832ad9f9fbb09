//! Cases of guests and staff.

/// Case.
pub struct Case {
    /// Room.
    pub room: &'static str,
    /// Full name of the guest; none if staff opened it.
    pub guest: Option<&'static str>,
    /// Type.
    pub kind: &'static str,
    /// Priority.
    pub priority: &'static str,
    /// Status.
    pub status: &'static str,
    /// Origin.
    pub origin: &'static str,
    /// Subject.
    pub subject: &'static str,
    /// Description.
    pub description: &'static str,
}

/// All cases.
pub static ALL: &[Case] = &[
    Case {
        room: "108",
        guest: None,
        kind: "Maintenance",
        priority: "Urgent",
        status: "In Progress",
        origin: "Internal",
        subject: "Ceiling leaks in the bathroom of 108",
        description: "Water comes through above the shower. The plumber is booked.",
    },
    Case {
        room: "210",
        guest: None,
        kind: "Maintenance",
        priority: "High",
        status: "New",
        origin: "Internal",
        subject: "Air conditioning of 210 does not cool",
        description: "Blows warm air whatever is set.",
    },
    Case {
        room: "409",
        guest: None,
        kind: "Facilities",
        priority: "Low",
        status: "Working",
        origin: "Internal",
        subject: "New carpet for 409",
        description: "Out of service until the carpet is laid.",
    },
    Case {
        room: "104",
        guest: Some("Nora O'Brien"),
        kind: "Housekeeping",
        priority: "Medium",
        status: "New",
        origin: "Phone",
        subject: "Extra towels for 104",
        description: "Two more bath towels, please.",
    },
    Case {
        room: "310",
        guest: Some("Olivia Martin"),
        kind: "Room Service",
        priority: "Low",
        status: "In Progress",
        origin: "Web",
        subject: "Late breakfast in 310",
        description: "Breakfast for two at half past ten.",
    },
    Case {
        room: "203",
        guest: Some("Henrik Larsen"),
        kind: "Concierge",
        priority: "Medium",
        status: "New",
        origin: "Web",
        subject: "A taxi to the airport",
        description: "For two o'clock.",
    },
    Case {
        room: "305",
        guest: None,
        kind: "Maintenance",
        priority: "Low",
        status: "Closed",
        origin: "Internal",
        subject: "Lamp flickers in 305",
        description: "Bulb replaced.",
    },
];
