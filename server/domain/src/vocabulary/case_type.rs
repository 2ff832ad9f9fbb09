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
