//! Guests, staff of each role, and vendors.

pub struct Person {
    /// First name.
    pub first: &'static str,
    /// Last name.
    pub last: &'static str,
    /// Lowercase email.
    pub email: &'static str,
    /// Contact_Type__c; staff other than managers have none, because the org's picklist has no
    /// value for them.
    pub kind: Option<&'static str>,
    /// Employee_ID__c.
    pub employee: Option<&'static str>,
    /// Loyalty_Number__c.
    pub loyalty: Option<&'static str>,
    pub account: Account,
}

#[derive(Clone, Copy)]
pub enum Account {
    Hotel,
    /// Household of their own.
    Household,
    /// Company.
    Vendor(&'static str),
}

static GUESTS: [(&str, &str, &str, Option<&str>); 30] = [
    ("Beth", "Gibbs", "beth.gibbs@email.com", Some("DR-10042")),
    ("Sarah", "Johnson", "sarah@example.com", None),
    ("Wei", "Chen", "wei.chen@example.com", Some("DR-10057")),
    ("Nora", "O'Brien", "nora.o'brien@example.com", None),
    ("James", "Brown", "james.brown@example.com", None),
    ("Marcus", "Reed", "marcus.reed@example.com", None),
    ("Henrik", "Larsen", "henrik.larsen@example.com", None),
    (
        "Amara",
        "Okafor",
        "amara.okafor@example.com",
        Some("DR-10101"),
    ),
    (
        "Olivia",
        "Martin",
        "olivia.martin@example.com",
        Some("DR-10007"),
    ),
    ("José", "Núñez", "jose.nunez@example.com", None),
    (
        "Priya",
        "Raman",
        "priya.raman@example.com",
        Some("DR-10019"),
    ),
    ("Zoë", "Müller", "zoe.mueller@example.com", None),
    ("Grace", "Kim", "grace.kim@example.com", None),
    ("Liam", "Walsh", "liam.walsh@example.com", None),
    ("Fatima", "Hassan", "fatima.hassan@example.com", None),
    ("Dmitri", "Volkov", "dmitri.volkov@example.com", None),
    ("Ingrid", "Svensson", "ingrid.svensson@example.com", None),
    (
        "Carlos",
        "Mendes",
        "carlos.mendes@example.com",
        Some("DR-10033"),
    ),
    ("Yuki", "Tanaka", "yuki.tanaka@example.com", None),
    ("Hannah", "Weiss", "hannah.weiss@example.com", None),
    ("Daniel", "Cohen", "daniel.cohen@example.com", None),
    ("Chloé", "Dubois", "chloe.dubois@example.com", None),
    ("Samuel", "Adeyemi", "samuel.adeyemi@example.com", None),
    ("Elena", "Rossi", "elena.rossi@example.com", None),
    ("Jack", "Turner", "jack.turner@example.com", None),
    ("Mei", "Lin", "mei.lin@example.com", Some("DR-10064")),
    ("Ahmed", "Saleh", "ahmed.saleh@example.com", None),
    ("Katarzyna", "Nowak", "katarzyna.nowak@example.com", None),
    ("Peter", "Novak", "peter.novak@example.com", None),
    ("Rosa", "D'Angelo", "rosa.d'angelo@example.com", None),
];

static STAFF: [(&str, &str, &str, &str, Option<&str>); 4] = [
    (
        "Margaret",
        "Stone",
        "manager@dewy.example",
        "E-001",
        Some("Manager"),
    ),
    ("Felix", "Dawson", "frontdesk@dewy.example", "E-002", None),
    (
        "Harriet",
        "Quinn",
        "housekeeping@dewy.example",
        "E-003",
        None,
    ),
    ("Mateo", "Rivera", "maintenance@dewy.example", "E-004", None),
];

static VENDORS: [(&str, &str, &str, &str); 4] = [
    (
        "Alan",
        "Pipe",
        "service@clearwater-plumbing.example",
        "Clearwater Plumbing",
    ),
    (
        "Greta",
        "Frost",
        "dispatch@northwind-hvac.example",
        "Northwind HVAC",
    ),
    (
        "Tom",
        "Linden",
        "orders@linden-laundry.example",
        "Linden Laundry",
    ),
    (
        "Ruth",
        "Bell",
        "office@bell-electric.example",
        "Bell Electric",
    ),
];

/// Everybody: guests, then staff, then vendors.
pub fn all() -> impl Iterator<Item = Person> {
    let guests = GUESTS.iter().map(|&(first, last, email, loyalty)| Person {
        first,
        last,
        email,
        kind: Some("Guest"),
        employee: None,
        loyalty,
        account: Account::Household,
    });
    let staff = STAFF
        .iter()
        .map(|&(first, last, email, employee, kind)| Person {
            first,
            last,
            email,
            kind,
            employee: Some(employee),
            loyalty: None,
            account: Account::Hotel,
        });
    let vendors = VENDORS.iter().map(|&(first, last, email, firm)| Person {
        first,
        last,
        email,
        kind: Some("Vendor"),
        employee: None,
        loyalty: None,
        account: Account::Vendor(firm),
    });
    guests.chain(staff).chain(vendors)
}
