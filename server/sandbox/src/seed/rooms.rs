//! 44 rooms on four floors, eleven per floor, with the same layout.

pub struct Room {
    /// `302`
    pub number: String,
    /// 1 to 4.
    pub floor: u8,
    pub plan: &'static Layout,
}

pub struct Layout {
    /// Room_Type__c.
    pub kind: &'static str,
    /// Price per night.
    pub rate_cents: i64,
    /// Bed_Configuration__c.
    pub beds: &'static str,
    /// Maximum number of guests.
    pub sleeps: u8,
    pub square_feet: u16,
    /// View_Type__c.
    pub view: &'static str,
    pub accessible: bool,
}

/// Layouts by the last two digits of the room number.
static PLANS: [Layout; 11] = [
    plan("Standard", 12_500, "1 Queen", 2, 280, "City", true),
    plan("Standard", 12_500, "1 King", 2, 300, "City", false),
    plan("Standard", 12_500, "1 King", 2, 300, "Garden", false),
    plan("Standard", 13_950, "2 Queens", 4, 340, "Garden", false),
    plan("Standard", 13_950, "2 Doubles", 4, 330, "City", false),
    plan("Deluxe", 17_500, "1 King", 2, 380, "Garden", false),
    plan("Deluxe", 17_500, "2 Queens", 4, 420, "Mountain", true),
    plan("Deluxe", 19_999, "1 King", 3, 400, "Ocean", false),
    plan("Deluxe", 19_999, "2 Queens", 4, 440, "Ocean", false),
    plan("Suite", 29_999, "1 King", 4, 650, "Ocean", false),
    plan("Suite", 34_999, "2 Queens", 6, 720, "Ocean", true),
];

/// Only 410.
static PENTHOUSE: Layout = plan("Penthouse", 89_900, "1 King", 6, 1400, "Ocean", false);

pub fn all() -> impl Iterator<Item = Room> {
    (1..=4_u8).flat_map(|floor| {
        PLANS.iter().enumerate().map(move |(at, plan)| {
            let number = format!("{floor}{at:02}");
            let plan = if number == "410" { &PENTHOUSE } else { plan };
            Room {
                number,
                floor,
                plan,
            }
        })
    })
}

/// Price per night of a room.
pub fn rate_cents(number: &str) -> i64 {
    all()
        .find(|r| r.number == number)
        .map_or(0, |r| r.plan.rate_cents)
}

pub fn status_of_empty(number: &str) -> &'static str {
    match number {
        // Vacated today and not cleaned yet.
        "201" | "206" | "309" => "Cleaning",
        "108" | "210" => "Maintenance",
        "409" => "Out of Service",
        _ => "Vacant",
    }
}

const fn plan(
    kind: &'static str,
    rate_cents: i64,
    beds: &'static str,
    sleeps: u8,
    square_feet: u16,
    view: &'static str,
    accessible: bool,
) -> Layout {
    Layout {
        kind,
        rate_cents,
        beds,
        sleeps,
        square_feet,
        view,
        accessible,
    }
}
