//! A room's status.

super::words! {
    /// A room's status.
    RoomStatus {
        /// Clean and free.
        Vacant = "Vacant",
        /// A guest is in it.
        Occupied = "Occupied",
        /// To be cleaned.
        Cleaning = "Cleaning",
        /// To be repaired.
        Maintenance = "Maintenance",
        /// Not for sale.
        OutOfService = "Out of Service",
    }
}
