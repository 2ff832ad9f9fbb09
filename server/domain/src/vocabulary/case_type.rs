//! What a case is about, which determines who handles it.

super::words! {
    /// What a case is about, which determines who handles it.
    CaseType {
        /// Cleaning and linen.
        Housekeeping = "Housekeeping",
        /// Food and drink.
        RoomService = "Room Service",
        /// A defect in a room.
        Maintenance = "Maintenance",
        /// Anything else a guest wants.
        Concierge = "Concierge",
        /// A defect in the building.
        Facilities = "Facilities",
    }
}

impl CaseType {
    /// Whether it serves a guest in their room, so that it ends when they leave.
    #[must_use]
    pub const fn ends_with_the_stay(&self) -> bool {
        matches!(self, Self::Housekeeping | Self::RoomService)
    }
}
