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

impl RoomStatus {
    /// Statuses in which a room can be let for tonight.
    pub const LETTABLE: [Self; 3] = [Self::Vacant, Self::Occupied, Self::Cleaning];

    /// Whether the room can be let for tonight. A status that we don't know may mean anything, so it
    /// can't.
    #[must_use]
    pub fn is_lettable(&self) -> bool {
        Self::LETTABLE.contains(self)
    }

    /// Status after the guest has left a room in this one: to be cleaned, unless somebody closed the
    /// room during the stay, or the org has a word of its own for it.
    #[must_use]
    pub fn after_departure(&self) -> Self {
        match self {
            Self::Maintenance | Self::OutOfService => self.clone(),
            Self::Other(word) if !word.is_empty() => self.clone(),
            _ => Self::Cleaning,
        }
    }

    /// Statuses that housekeeping and maintenance may set next, the usual one first. They never set
    /// Occupied; what the org means by a word of its own is unknown, and a missing one can be set.
    #[must_use]
    pub fn next(&self) -> &'static [Self] {
        use RoomStatus::{Cleaning, Maintenance, Occupied, OutOfService, Vacant};
        match self {
            Vacant => &[Cleaning, Maintenance, OutOfService],
            Cleaning | Maintenance | OutOfService => &[Vacant],
            Self::Other(word) if word.is_empty() => &[Cleaning, Vacant, Maintenance, OutOfService],
            Occupied | Self::Other(_) => &[],
        }
    }

    /// The status as people read it; a missing one says so.
    #[must_use]
    pub fn text(&self) -> &str {
        match self.as_str() {
            "" => "Status missing",
            word => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_statuses_change_through_vacant() {
        use RoomStatus::{Cleaning, Maintenance, Occupied, OutOfService, Vacant};
        assert_eq!(Cleaning.next(), [Vacant]);
        assert_eq!(Vacant.next(), [Cleaning, Maintenance, OutOfService]);
        let other: RoomStatus = "Deep Clean".into();
        for status in [&Occupied, &other] {
            assert!(status.next().is_empty(), "{status}");
        }
        let missing: RoomStatus = "".into();
        assert_eq!(missing.next().len(), 4, "a missing status can be set");
        assert!(!missing.next().contains(&Occupied));
    }
}
