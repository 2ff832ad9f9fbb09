mod modes;
mod outside_systems;

use std::{collections::BTreeMap, path::PathBuf};

use dewy_domain::money::Cents;
use jiff::civil::time;

use super::*;

fn read(variables: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    read_whole(variables).map_err(|p| p.0.into_iter().map(|p| p.variable).collect())
}

fn read_whole(variables: &[(&str, &str)]) -> Result<Config, Problems> {
    let map: BTreeMap<String, String> = variables
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect();
    Config::read(&|name| map.get(name).cloned())
}

#[test]
fn an_empty_configuration_embeds_everything() {
    let config = read(&[]).unwrap();
    assert_eq!(config.database_url, "sqlite://data/dewy.db");
    assert_eq!(
        config.web.public_url("127.0.0.1:3000".parse().unwrap()),
        "http://127.0.0.1:3000"
    );
    assert_eq!(config.engine.request_wait.as_secs(), 25);
    assert!(config.demo() && config.needs_sandbox() && config.texts() && config.model());
    assert_eq!(config.hotel.day_changes_at, time(4, 0, 0, 0));
    assert!(config.hotel.hold_per_night.is_none());
    assert_eq!(
        config.hotel.time_zone.iana_name(),
        Some("America/New_York"),
        "a hotel's time"
    );
}

#[test]
fn every_fault_is_named_at_once() {
    let faults = read(&[
        ("WORKERS", "many"),
        ("HOTEL_CURRENCY", "jpy"),
        ("HOTEL_TIME_ZONE", "Middle-earth"),
        ("HOTEL_DAY_CHANGES_AT", "25:00"),
        ("HOTEL_CHECK_OUT_BY", "after breakfast"),
        ("HOTEL_HOLD_CENTS", "100001"),
        ("HOTEL_LOCALE", "klingon"),
        ("DATABASE_URL", "mysql://x"),
        ("PUBLIC_URL", "https://hotel.example/app"),
        ("SANDBOX_ADDR", "0.0.0.0:4010"),
        ("LEASE_SECONDS", "0"),
        ("HOTEL_WALL_TOKEN", "short"),
        ("TRUSTED_PROXIES", "127.0.0.1, proxy"),
    ])
    .unwrap_err();
    assert_eq!(
        faults,
        [
            "PUBLIC_URL",
            "HOTEL_WALL_TOKEN",
            "TRUSTED_PROXIES",
            "DATABASE_URL",
            "SANDBOX_ADDR",
            "HOTEL_TIME_ZONE",
            "HOTEL_DAY_CHANGES_AT",
            "HOTEL_CURRENCY",
            "HOTEL_HOLD_CENTS",
            "HOTEL_CHECK_OUT_BY",
            "HOTEL_LOCALE",
            "LEASE_SECONDS",
            "WORKERS"
        ]
    );
}

#[test]
fn the_message_about_an_address_does_not_repeat_its_password() {
    let key = ("OPENAI_API_KEY", "key");
    for wrong in [
        "ftp://me:secret@host",
        "https//me:secret@host",
        "http://me:secret@host",
    ] {
        let faults = read_whole(&[key, ("OPENAI_BASE_URL", wrong)]).unwrap_err();
        let faults = faults.to_string();
        assert!(faults.contains("OPENAI_BASE_URL"), "{wrong}: {faults}");
        assert!(!faults.contains("secret"), "{wrong}: {faults}");
    }
}

#[test]
fn the_hotel_profile_is_configurable() {
    let config = read(&[]).unwrap();
    assert_eq!(
        config.hotel.profile.line(),
        "Dewy Resort · +1 (212) 555-0190",
        "a demo has a phone to show"
    );
    assert_eq!(
        config.hotel.profile.emergency_number.as_deref(),
        Some("911")
    );
    let own = [
        ("DEWY_MODE", "trial"),
        ("HOTEL_NAME", "Haus am See"),
        ("HOTEL_ADDRESS", "Seeweg 1, Konstanz"),
        ("HOTEL_COUNTRY", "DE"),
        ("HOTEL_LOCALE", "de-DE"),
        ("HOTEL_CHECK_IN_FROM", "3:30 p.m."),
        ("HOTEL_CHECK_OUT_BY", "11:00"),
    ];
    let config = read(&own).unwrap();
    let hours = [
        config.hotel.profile.check_in_from,
        config.hotel.profile.check_out_by,
    ];
    let told = [time(15, 30, 0, 0), time(11, 0, 0, 0)];
    assert_eq!(hours, told.map(Some));
    assert_eq!(
        config.hotel.profile.line(),
        "Haus am See · Seeweg 1, Konstanz"
    );
    assert_eq!(config.hotel.profile.locale.tag(), "de-DE");
    assert_eq!(
        (
            config.hotel.profile.phone,
            config.hotel.profile.emergency_number
        ),
        (None, None)
    );
    let config = read(&[
        ("HOTEL_EMERGENCY_NUMBER", "112"),
        ("HOTEL_PHOTO", "lake.avif"),
        ("HOTEL_ROOM_PHOTOS", "Suite=a/suite.webp; Standard = b.jpg"),
        ("HOTEL_AMENITIES", "Free Wi-Fi, Minibar"),
        ("HOTEL_ROOM_AMENITIES", "Suite = Bathtub ,Balcony;"),
        ("HOTEL_WIFI_NETWORK", "See"),
        ("HOTEL_HOLD_CENTS", "0"),
    ])
    .unwrap();
    let profile = &config.hotel.profile;
    assert_eq!(profile.emergency_number.as_deref(), Some("112"));
    assert_eq!(profile.photo.as_deref(), Some(PHOTO_PATH));
    assert_eq!(config.hotel.hold_per_night, Some(Cents(0)));
    let of = |kind| profile.amenities_of(kind).collect::<Vec<_>>().join(", ");
    assert_eq!(of("Suite"), "Bathtub, Balcony, Free Wi-Fi, Minibar");
    assert_eq!(of("Standard"), "Free Wi-Fi, Minibar");
    let suite = config.hotel.profile.room_photos.get("Suite");
    assert_eq!(suite.map(String::as_str), Some("/hotel-photo/suite"));
    assert_eq!(config.hotel.room_photos["Standard"], PathBuf::from("b.jpg"));
    assert_eq!(config.hotel.profile.wifi_network.as_deref(), Some("See"));
    let faults = read(&[
        ("HOTEL_PHONE", "ask Beth"),
        ("HOTEL_PHOTO", "lake.txt"),
        ("HOTEL_ROOM_PHOTOS", "Cellar=lake.png; Suite=suite.webp"),
        ("HOTEL_ROOM_AMENITIES", "Cellar=Wine"),
        ("HOTEL_MAP_URL", "the corner"),
        ("HOTEL_PRIVACY", "no/such/privacy.txt"),
        ("HOTEL_NAME", "a\nb"),
    ])
    .unwrap_err();
    assert_eq!(
        faults,
        [
            "HOTEL_PHOTO",
            "HOTEL_ROOM_PHOTOS",
            "HOTEL_NAME",
            "HOTEL_PHONE",
            "HOTEL_ROOM_AMENITIES",
            "HOTEL_MAP_URL",
            "HOTEL_PRIVACY"
        ]
    );
}

const SALESFORCE: [(&str, &str); 3] = [
    ("SALESFORCE_LOGIN_URL", "https://org.example"),
    ("SALESFORCE_CLIENT_ID", "id"),
    ("SALESFORCE_CLIENT_SECRET", "secret"),
];

fn stripe(kind: &str) -> Vec<(&'static str, String)> {
    vec![
        ("STRIPE_SECRET_KEY", format!("sk_{kind}_hush")),
        ("STRIPE_PUBLISHABLE_KEY", format!("pk_{kind}_1")),
        ("STRIPE_WEBHOOK_SECRET", "whsec_hush".to_owned()),
    ]
}

/// Names of the variables at fault, given Salesforce, Stripe keys of this kind, and the rest.
fn faults(mode: &str, kind: &str, more: &[(&str, &str)]) -> Vec<String> {
    let keys = stripe(kind);
    let keys: Vec<(&str, &str)> = keys
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    read(&[&SALESFORCE[..], &keys, &[("DEWY_MODE", mode)], more].concat())
        .err()
        .unwrap_or_default()
}

#[test]
fn the_org_vocabulary_is_read_with_its_keys() {
    let with = |words: &'static str| {
        read(
            &[
                &SALESFORCE[..],
                &[
                    ("DEWY_MODE", "trial"),
                    ("SALESFORCE_PICKLIST_VALUES", words),
                ],
            ]
            .concat(),
        )
    };
    let config = with("booking_checked_in=In House; room_cleaning=Dirty").unwrap();
    let words = config.salesforce.unwrap().vocabulary;
    let own: Vec<_> = words
        .all()
        .filter(|word| word.ours != word.theirs)
        .map(|word| (word.ours, word.theirs))
        .collect();
    assert_eq!(own, [("Checked In", "In House"), ("Cleaning", "Dirty")]);
    assert_eq!(
        with("room_vacan=Free; room_cleaning=Vacant").unwrap_err(),
        ["SALESFORCE_PICKLIST_VALUES", "SALESFORCE_PICKLIST_VALUES"]
    );
    assert_eq!(
        read(&[("SALESFORCE_PICKLIST_VALUES", "room_vacant=Free")])
            .unwrap_err()
            .len(),
        3,
        "words of no org"
    );
}

#[test]
fn what_people_read_about_a_payment_is_checked_at_the_start() {
    assert_eq!(
        read(&[]).unwrap().payment_texts,
        dewy_orchestrators::PaymentTextSettings::default()
    );
    let texts = read(&[
        ("STRIPE_DESCRIPTION", "{hotel}, booking {booking}"),
        ("STRIPE_STATEMENT_SUFFIX", "STAY"),
        ("STRIPE_RECEIPTS", "guest"),
    ])
    .unwrap()
    .payment_texts;
    assert!(texts.stripe_receipts && texts.statement_suffix.is_some());
    let faults = read(&[
        ("STRIPE_DESCRIPTION", "Booking {number}"),
        ("STRIPE_STATEMENT_SUFFIX", "O'HARE"),
        ("STRIPE_RECEIPTS", "yes"),
    ]);
    assert_eq!(faults.unwrap_err().len(), 3);
}

#[test]
fn the_example_names_every_variable() {
    let example = include_str!("../../../.env.example");
    let asked = std::cell::RefCell::new(Vec::new());
    let _ = Config::read(&|name| {
        asked.borrow_mut().push(name.to_owned());
        None
    });
    for name in asked.into_inner() {
        assert!(
            example.contains(&format!("{name}=")),
            "{name} is not in .env.example"
        );
    }
}
