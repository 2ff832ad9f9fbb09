//! Objects of the reference org: its deployed fields, and the standard ones a hotel uses.
//!
//! Child relationships: Opportunity → `Bookings__r`, `Payment_Transactions__r`, `SMS_Notifications__r`; Contact →
//! `Bookings__r`, `Hotel_Rooms__r`, `Cases`; `Hotel_Room__c` → `Bookings__r`, `Cases__r`; `Booking__c` → `Cases__r`;
//! Case → `SMS_Notifications__r`, `CaseComments`; Account → `Contacts`, `Opportunities`.

mod define;

use define::{default, external, f, only, open, required, to, unique};

use super::{Computed, Field, Kind, Object, OnDelete};
use Kind::{AutoNumber, Bool, Currency, Date, DateTime, Email, LongText, Number, Phone, Text, Url};

/// Currency of a record's amounts; exists only in an org with several currencies.
pub const CURRENCY_FIELD: &str = "CurrencyIsoCode";

/// Default currency of records created by a user.
pub const DEFAULT_CURRENCY_FIELD: &str = "DefaultCurrencyIsoCode";

/// Number of objects.
pub const COUNT: usize = 12;

/// All objects, parents before their children.
pub static OBJECTS: [Object; COUNT] = [
    Object {
        index: 0,
        name: "User",
        prefix: "005",
        fields: USER,
        read_only: true,
    },
    Object {
        index: 1,
        name: "Account",
        prefix: "001",
        fields: ACCOUNT,
        read_only: false,
    },
    Object {
        index: 2,
        name: "Contact",
        prefix: "003",
        fields: CONTACT,
        read_only: false,
    },
    Object {
        index: 3,
        name: "Hotel_Room__c",
        prefix: "a02",
        fields: ROOM,
        read_only: false,
    },
    Object {
        index: 4,
        name: "Opportunity",
        prefix: "006",
        fields: OPPORTUNITY,
        read_only: false,
    },
    Object {
        index: 5,
        name: "Booking__c",
        prefix: "a01",
        fields: BOOKING,
        read_only: false,
    },
    Object {
        index: 6,
        name: "Case",
        prefix: "500",
        fields: CASE,
        read_only: false,
    },
    Object {
        index: 7,
        name: "Payment_Transaction__c",
        prefix: "a03",
        fields: PAYMENT,
        read_only: false,
    },
    Object {
        index: 8,
        name: "SMS_Notification__c",
        prefix: "a04",
        fields: SMS,
        read_only: false,
    },
    Object {
        index: 9,
        name: "CaseComment",
        prefix: "00a",
        fields: COMMENT,
        read_only: false,
    },
    Object {
        index: 10,
        name: "Organization",
        prefix: "00D",
        fields: ORGANIZATION,
        read_only: true,
    },
    Object {
        index: 11,
        name: "CurrencyType",
        prefix: "01L",
        fields: CURRENCY,
        read_only: true,
    },
];

static ORGANIZATION: &[Field] = &[
    f("Name", Text(80)),
    f("DefaultLocaleSidKey", Text(40)),
    f("IsSandbox", Bool),
    f("OrganizationType", Text(40)),
    f("TimeZoneSidKey", Text(40)),
];

/// Exists only in an org with several currencies: see [`Object::needs_multi_currency`].
static CURRENCY: &[Field] = &[
    f("IsoCode", Text(3)),
    f("ConversionRate", Number(12, 6)),
    f("DecimalPlaces", Number(1, 0)),
    f("IsActive", Bool),
    f("IsCorporate", Bool),
];

static USER: &[Field] = &[
    f("Username", Text(80)),
    f("FirstName", Text(40)),
    f("LastName", Text(80)),
    f("Name", Kind::Computed(Computed::FullName)),
    f("Email", Email),
    f("IsActive", Bool),
    f(DEFAULT_CURRENCY_FIELD, Text(3)),
];

static ACCOUNT: &[Field] = &[
    required(f("Name", Text(255))),
    f("Type", open(&["Guest", "Hotel", "Vendor"])),
    f("Phone", Phone),
];

static CONTACT: &[Field] = &[
    f("FirstName", Text(40)),
    required(f("LastName", Text(80))),
    f("Name", Kind::Computed(Computed::FullName)),
    f("Email", Email),
    f("Phone", Phone),
    f("MobilePhone", Phone),
    f(
        "AccountId",
        to("Account", "Account", "Contacts", OnDelete::SetNull),
    ),
    f("Contact_Type__c", only(&["Guest", "Manager", "Vendor"])),
    f("Employee_ID__c", Text(20)),
    f("Loyalty_Number__c", Text(20)),
    f(
        "Preferred_Contact_Method__c",
        only(&["SMS", "Email", "Phone"]),
    ),
    Field {
        case_sensitive: true,
        ..unique(external(f("Unique_Email__c", Email)))
    },
];

static ROOM: &[Field] = &[
    f("Name", Text(80)),
    f("Accessible__c", Bool),
    f(
        "Bed_Configuration__c",
        only(&["1 King", "1 Queen", "2 Queens", "2 Doubles"]),
    ),
    f(
        "Current_Guest__c",
        to(
            "Contact",
            "Current_Guest__r",
            "Hotel_Rooms__r",
            OnDelete::SetNull,
        ),
    ),
    f("Floor__c", Number(2, 0)),
    f("Max_Occupancy__c", Number(1, 0)),
    f("Nightly_Rate__c", Currency(8, 2)),
    f(CURRENCY_FIELD, Text(3)),
    required(unique(external(f("Room_Number__c", Text(5))))),
    f(
        "Room_Type__c",
        only(&["Standard", "Deluxe", "Suite", "Penthouse"]),
    ),
    f("Square_Footage__c", Number(5, 0)),
    default(
        "Vacant",
        f(
            "Status__c",
            only(&[
                "Vacant",
                "Occupied",
                "Cleaning",
                "Maintenance",
                "Out of Service",
            ]),
        ),
    ),
    f(
        "View_Type__c",
        only(&["City", "Ocean", "Garden", "Mountain"]),
    ),
];

static OPPORTUNITY: &[Field] = &[
    required(f("Name", Text(120))),
    required(f("StageName", open(STAGES))),
    f("Amount", Currency(16, 2)),
    f(CURRENCY_FIELD, Text(3)),
    required(f("CloseDate", Date)),
    f(
        "AccountId",
        to("Account", "Account", "Opportunities", OnDelete::SetNull),
    ),
    f("IsClosed", Kind::Computed(Computed::OpportunityClosed)),
    f("IsWon", Kind::Computed(Computed::OpportunityWon)),
    f("Arrival_Date__c", Date),
    f("Departure_Date__c", Date),
    external(f("Payment_ID__c", Text(100))),
    f(
        "Total_Nights__c",
        Kind::Computed(Computed::OpportunityNights),
    ),
];

static STAGES: &[&str] = &[
    "Prospecting",
    "Qualification",
    "Booking Confirmed",
    "Checked In",
    "Negotiation/Review",
    "Closed Won",
    "Closed Lost",
];

static BOOKING: &[Field] = &[
    f("Name", AutoNumber("BK-", 4)),
    f(CURRENCY_FIELD, Text(3)),
    f("Check_In_Date__c", Date),
    f("Check_Out_Date__c", Date),
    external(f("External_ID__c", Text(50))),
    f("Number_of_Guests__c", Number(2, 0)),
    required(f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "Bookings__r",
            OnDelete::Cascade,
        ),
    )),
    f(
        "Primary_Guest__c",
        to(
            "Contact",
            "Primary_Guest__r",
            "Bookings__r",
            OnDelete::Restrict,
        ),
    ),
    f(
        "Room__c",
        to(
            "Hotel_Room__c",
            "Room__r",
            "Bookings__r",
            OnDelete::Restrict,
        ),
    ),
    f("Special_Requests__c", LongText(32768)),
    default(
        "Reserved",
        f(
            "Status__c",
            only(&[
                "Reserved",
                "Checked In",
                "Checked Out",
                "Cancelled",
                "No Show",
            ]),
        ),
    ),
    f("Total_Nights__c", Kind::Computed(Computed::BookingNights)),
];

static CASE: &[Field] = &[
    f("CaseNumber", AutoNumber("", 8)),
    f("Subject", Text(255)),
    f("Description", LongText(32000)),
    default(
        "New",
        f(
            "Status",
            open(&["New", "In Progress", "Working", "Escalated", "Closed"]),
        ),
    ),
    default(
        "Medium",
        f("Priority", open(&["Low", "Medium", "High", "Urgent"])),
    ),
    f("Origin", open(&["Web", "Phone", "Email", "Internal"])),
    f(
        "Type",
        open(&[
            "Housekeeping",
            "Room Service",
            "Maintenance",
            "Concierge",
            "Facilities",
            "Service Request",
        ]),
    ),
    f(
        "ContactId",
        to("Contact", "Contact", "Cases", OnDelete::SetNull),
    ),
    f("IsClosed", Kind::Computed(Computed::CaseClosed)),
    f(
        "Booking__c",
        to("Booking__c", "Booking__r", "Cases__r", OnDelete::SetNull),
    ),
    unique(external(f("External_ID__c", Text(50)))),
    f(
        "Room__c",
        to("Hotel_Room__c", "Room__r", "Cases__r", OnDelete::SetNull),
    ),
];

static PAYMENT: &[Field] = &[
    f("Name", AutoNumber("PT-", 5)),
    f("Amount__c", Currency(8, 2)),
    f(CURRENCY_FIELD, Text(3)),
    f("Error_Message__c", LongText(32768)),
    external(f("External_ID__c", Text(50))),
    f("Last_4_Digits__c", Text(4)),
    required(f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "Payment_Transactions__r",
            OnDelete::Cascade,
        ),
    )),
    f(
        "Payment_Method__c",
        only(&["Credit Card", "Debit Card", "Cash", "Check", "Other"]),
    ),
    f("Receipt_URL__c", Url),
    f(
        "Status__c",
        only(&["Pending", "Completed", "Failed", "Cancelled", "Refunded"]),
    ),
    external(f("Stripe_Transaction_ID__c", Text(100))),
    f("Transaction_Date__c", DateTime),
    f(
        "Transaction_Type__c",
        only(&["Charge", "Payment", "Refund"]),
    ),
];

static SMS: &[Field] = &[
    f("Name", AutoNumber("SMS-", 5)),
    f(
        "Case__c",
        to("Case", "Case__r", "SMS_Notifications__r", OnDelete::SetNull),
    ),
    f("Cost__c", Currency(6, 4)),
    f("Delivered_Date__c", DateTime),
    f("Direction__c", only(&["Outbound", "Inbound"])),
    f("Error_Code__c", Text(10)),
    f("Error_Message__c", LongText(32768)),
    f("Message_Body__c", LongText(32768)),
    f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "SMS_Notifications__r",
            OnDelete::SetNull,
        ),
    ),
    f("Sent_Date__c", DateTime),
    f(
        "Status__c",
        only(&["Queued", "Sent", "Delivered", "Failed", "Undelivered"]),
    ),
    f("To_Phone_Number__c", Phone),
    unique(external(f("Twilio_Message_SID__c", Text(100)))),
];

static COMMENT: &[Field] = &[
    required(f(
        "ParentId",
        to("Case", "Parent", "CaseComments", OnDelete::Cascade),
    )),
    f("CommentBody", LongText(4000)),
    f("IsPublished", Bool),
];
