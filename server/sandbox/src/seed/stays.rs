//! All bookings, in the order of their numbers.

use Status::{Cancelled, CheckedIn, CheckedOut, NoShow, Reserved};

/// Booking, with days relative to the seed day.
pub struct Stay {
    /// `BK-0042` is 42; the org numbers bookings in this order.
    pub number: u32,
    /// Full name of the guest.
    pub guest: &'static str,
    pub room: &'static str,
    /// Arrival day: 0 is today.
    pub arrives: i32,
    pub nights: i32,
    pub guests: u8,
    pub status: Status,
    /// First booking of a shared opportunity.
    pub shares_with: Option<u32>,
    /// Special_Requests__c.
    pub request: Option<&'static str>,
}

/// Status__c of a booking.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Expected.
    Reserved,
    /// In house.
    CheckedIn,
    /// Departed and paid.
    CheckedOut,
    /// Canceled.
    Cancelled,
    NoShow,
}

/// All bookings.
pub static ALL: &[Stay] = &[
    stay(1, "Carlos Mendes", "101", -14, 3, 1, CheckedOut),
    stay(2, "Yuki Tanaka", "207", -13, 2, 2, CheckedOut),
    stay(3, "Hannah Weiss", "305", -12, 4, 2, CheckedOut),
    stay(4, "Daniel Cohen", "110", -12, 2, 4, CheckedOut),
    stay(5, "Chloé Dubois", "408", -11, 3, 3, CheckedOut),
    stay(6, "Priya Raman", "105", -30, 2, 1, CheckedOut),
    stay(7, "Olivia Martin", "310", -60, 3, 2, CheckedOut),
    stay(8, "Samuel Adeyemi", "204", -9, 1, 1, Cancelled),
    stay(9, "Elena Rossi", "109", -9, 5, 2, CheckedOut),
    stay(10, "Jack Turner", "303", -8, 2, 4, CheckedOut),
    stay(11, "Mei Lin", "404", -8, 3, 2, CheckedOut),
    stay(12, "Ahmed Saleh", "202", -7, 2, 1, NoShow),
    stay(13, "Katarzyna Nowak", "306", -7, 4, 4, CheckedOut),
    stay(14, "Peter Novak", "403", -6, 2, 3, CheckedOut),
    stay(15, "Rosa D'Angelo", "208", -6, 3, 2, CheckedOut),
    stay(16, "Carlos Mendes", "300", -5, 2, 1, Cancelled),
    // Departed this morning; their rooms are being cleaned.
    stay(17, "Yuki Tanaka", "201", -4, 4, 1, CheckedOut),
    stay(18, "Hannah Weiss", "206", -3, 3, 2, CheckedOut),
    stay(19, "Daniel Cohen", "309", -2, 2, 2, CheckedOut),
    // Yesterday's no-shows: one recorded, one still to be recorded by staff.
    stay(20, "Ingrid Svensson", "207", -1, 2, 2, NoShow),
    stay(21, "Dmitri Volkov", "106", -1, 2, 2, Reserved),
    // One guest, two rooms, two folios.
    stay(22, "Wei Chen", "102", -1, 3, 2, CheckedIn),
    stay(23, "Wei Chen", "103", -1, 3, 3, CheckedIn),
    Stay {
        request: Some("A quiet room, please: it's our anniversary"),
        ..stay(24, "Nora O'Brien", "104", -2, 4, 2, CheckedIn)
    },
    // Two bookings on one opportunity, as another program might create them.
    stay(25, "James Brown", "401", -1, 2, 2, CheckedIn),
    Stay {
        shares_with: Some(25),
        ..stay(26, "James Brown", "402", -1, 2, 1, CheckedIn)
    },
    // The folio has a posted charge.
    stay(27, "Marcus Reed", "308", -2, 3, 2, CheckedIn),
    // Should have left yesterday.
    stay(28, "Henrik Larsen", "203", -3, 2, 1, CheckedIn),
    stay(29, "Amara Okafor", "209", 0, 2, 2, CheckedIn),
    stay(30, "Olivia Martin", "310", -1, 4, 4, CheckedIn),
    stay(31, "José Núñez", "407", -2, 2, 2, CheckedIn),
    stay(32, "Priya Raman", "105", -3, 5, 1, CheckedIn),
    stay(33, "Zoë Müller", "304", -1, 1, 2, CheckedIn),
    // Arriving today; 206 is still being cleaned.
    stay(34, "Sarah Johnson", "205", 0, 3, 2, Reserved),
    stay(35, "Grace Kim", "206", 0, 2, 3, Reserved),
    stay(36, "Liam Walsh", "301", 0, 1, 1, Reserved),
    Stay {
        request: Some("Crib for a baby"),
        ..stay(37, "Fatima Hassan", "405", 0, 4, 2, Reserved)
    },
    stay(38, "Chloé Dubois", "200", 1, 2, 1, Reserved),
    stay(39, "Samuel Adeyemi", "410", 1, 3, 4, Reserved),
    stay(40, "Elena Rossi", "101", 2, 2, 2, Reserved),
    stay(41, "Jack Turner", "303", 1, 2, 4, Reserved),
    // Guest of all examples: departs today, owes exactly $250.00.
    stay(42, "Beth Gibbs", "302", -2, 2, 1, CheckedIn),
    stay(43, "Mei Lin", "404", 3, 3, 2, Reserved),
    stay(44, "Ahmed Saleh", "202", 4, 1, 1, Reserved),
    stay(45, "Katarzyna Nowak", "306", 5, 2, 2, Cancelled),
    stay(46, "Peter Novak", "403", 6, 4, 2, Reserved),
    stay(47, "Rosa D'Angelo", "208", 7, 2, 2, Reserved),
    stay(48, "Carlos Mendes", "109", 10, 3, 1, Reserved),
];

/// Posted charges: booking number, and cents.
pub static CHARGES: &[(u32, i64)] = &[(27, 4_250)];

impl Stay {
    /// Departure day.
    pub fn departs(&self) -> i32 {
        self.arrives + self.nights
    }
}

impl Status {
    /// Picklist value.
    pub fn name(self) -> &'static str {
        match self {
            Reserved => "Reserved",
            CheckedIn => "Checked In",
            CheckedOut => "Checked Out",
            Cancelled => "Cancelled",
            NoShow => "No Show",
        }
    }

    /// Stage of its opportunity.
    pub fn stage(self) -> &'static str {
        match self {
            Reserved => "Booking Confirmed",
            CheckedIn => "Checked In",
            CheckedOut => "Closed Won",
            Cancelled | NoShow => "Closed Lost",
        }
    }
}

const fn stay(
    number: u32,
    guest: &'static str,
    room: &'static str,
    arrives: i32,
    nights: i32,
    guests: u8,
    status: Status,
) -> Stay {
    Stay {
        number,
        guest,
        room,
        arrives,
        nights,
        guests,
        status,
        shares_with: None,
        request: None,
    }
}
