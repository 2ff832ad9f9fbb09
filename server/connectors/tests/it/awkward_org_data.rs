//! Realistic orgs: incomplete records, long lists in pages, text that looks like a reference,
//! duplicate rules, phone numbers in any format, and a token endpoint that asks for a retry.

use dewy_domain::{
    case::OpenCaseRequest,
    inventory::MissingField,
    ports::Reservations,
    reservation::{BookingQuery, NewGuest},
    stay_overview::StayOverviewQuery,
};

use crate::prelude::*;

fn set(hotel: &Hotel, settings: &Value) {
    let merged = hotel
        .sandbox
        .org_settings()
        .merged(settings.as_object().unwrap())
        .unwrap();
    hotel.sandbox.set_org_settings(merged);
}

fn every_room() -> RoomQuery {
    RoomQuery {
        limit: 400,
        ..RoomQuery::default()
    }
}

fn rows(hotel: &Hotel, object: &str) -> Vec<Value> {
    hotel.sandbox.state()["salesforce"][object]
        .as_array()
        .unwrap()
        .clone()
}

fn with(hotel: &Hotel, change: impl FnOnce(&mut SalesforceConfig)) -> Salesforce {
    let mut config = SalesforceConfig::new("http://sandbox", "client", "secret".to_owned().into());
    change(&mut config);
    Salesforce::new(config, Arc::new(hotel.sandbox.clone()), hotel.clock.clone())
}

fn guest(email: &str, phone: &str) -> NewGuest {
    NewGuest {
        email: email.into(),
        without_email: false,
        first_name: "Beth".to_owned(),
        last_name: "Gibbs".to_owned(),
        phone: Some(phone.to_owned()),
        kind: "Guest".to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_without_status_rate_or_beds_names_what_is_missing() {
    let hotel = hotel();
    let id = rows(&hotel, "Hotel_Room__c")
        .into_iter()
        .find(|room| room["Room_Number__c"] == "204")
        .unwrap()["Id"]
        .clone();
    hotel
        .sandbox
        .blank("Hotel_Room__c", id.as_str(), None)
        .unwrap();
    let rooms = done(hotel.crm.rooms(&every_room()).await);
    assert_eq!(rooms.len(), 44);
    let room = rooms.iter().find(|room| room.room.number == "204").unwrap();
    assert_eq!(
        room.missing,
        [
            MissingField::Status,
            MissingField::NightlyRate,
            MissingField::MaxOccupancy
        ]
    );
    assert_eq!(room.problems()[0], "Room 204: status is empty");
    assert!(
        rooms
            .iter()
            .all(|other| other.room.number == "204" || other.missing.is_empty())
    );
}

#[tokio::test(start_paused = true)]
async fn any_optional_field_of_any_record_may_be_empty_in_lists() {
    for object in [
        "Hotel_Room__c",
        "Booking__c",
        "Contact",
        "Opportunity",
        "Case",
        "Payment_Transaction__c",
        "Account",
    ] {
        let hotel = hotel();
        hotel.sandbox.blank(object, None, None).unwrap();
        let rooms = done(hotel.crm.rooms(&every_room()).await);
        assert_eq!(rooms.len(), 44);
        let bookings = done(
            hotel
                .crm
                .bookings(&BookingQuery {
                    limit: 400,
                    ..BookingQuery::default()
                })
                .await,
        );
        assert_eq!(bookings.len(), rows(&hotel, "Booking__c").len());
        assert!(matches!(
            hotel
                .crm
                .cases(&CaseQuery {
                    limit: 400,
                    ..CaseQuery::default()
                })
                .await,
            Outcome::Done(_)
        ));
        assert!(
            matches!(hotel.crm.stays_in_house(400).await, Outcome::Done(_)),
            "{object}: stays in house"
        );
        let overview = StayOverviewQuery {
            guest: "beth.gibbs@email.com".into(),
            max_bookings: 100,
            max_cases: 30,
        };
        assert!(
            matches!(hotel.crm.stay_overview(&overview).await, Outcome::Done(_)),
            "{object}: overview"
        );
        assert!(
            matches!(hotel.crm.change_probe().await, Outcome::Done(_)),
            "{object}: change probe"
        );
        assert!(
            matches!(
                hotel.crm.contacts(&"beth.gibbs@email.com".into()).await,
                Outcome::Done(_)
            ),
            "{object}: contact"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_without_a_status_hides_no_stay() {
    let hotel = hotel();
    let query = StayQuery::in_house("wei.chen@example.com".into());
    let both = done(hotel.crm.stays(&query).await);
    assert_eq!(both.len(), 2);
    hotel
        .sandbox
        .blank(
            "Hotel_Room__c",
            Some(&both[0].room.id),
            Some(&["Status__c".to_owned()]),
        )
        .unwrap();
    let found = done(hotel.crm.stays(&query).await);
    let numbers = |stays: &[Stay]| {
        let all = stays.iter().map(|stay| stay.booking.number.clone());
        all.collect::<Vec<_>>()
    };
    assert_eq!(numbers(&found), numbers(&both));
}

#[tokio::test(start_paused = true)]
async fn lists_are_read_to_their_last_page() {
    let whole = hotel();
    let cut = hotel();
    set(&cut, &json!({"page_size": 2}));
    let query = BookingQuery {
        limit: 400,
        ..BookingQuery::default()
    };
    assert_eq!(
        whole.crm.bookings(&query).await,
        cut.crm.bookings(&query).await
    );
    assert_eq!(
        whole.crm.rooms(&every_room()).await,
        cut.crm.rooms(&every_room()).await
    );
    assert_eq!(
        whole.crm.stays_in_house(400).await,
        cut.crm.stays_in_house(400).await
    );
    assert_eq!(whole.crm.change_probe().await, cut.crm.change_probe().await);
}

#[tokio::test(start_paused = true)]
async fn text_that_looks_like_a_reference_is_unchanged() {
    let hotel = hotel();
    for (number, text) in [
        "@{contact.id}",
        "Call @{me} at 8, or @{you}",
        "a lone @{ brace",
        "@@{case.id}",
        "plain",
    ]
    .iter()
    .enumerate()
    {
        let order = OpenCaseRequest {
            execution_id: format!("exe_{number}"),
            subject: format!("{text} please"),
            description: (*text).to_owned(),
            kind: "Housekeeping".into(),
            priority: "Medium".into(),
            origin: "Web".into(),
            contact_id: None,
            booking_id: None,
            room_id: None,
        };
        let reply = hotel.crm.send_case(&hotel.crm.open_case(&order)).await;
        let case = done(reply);
        assert_eq!(
            (case.description.as_str(), case.subject),
            (*text, format!("{text} please"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn duplicate_guests_are_created_or_refused_by_policy() {
    let hotel = hotel();
    let twin = guest("beth.two@example.com", "+12125550101");
    let there = rows(&hotel, "Contact")
        .into_iter()
        .find(|c| c["Email"] == "beth.gibbs@email.com")
        .unwrap();
    let twin = NewGuest {
        phone: there["MobilePhone"].as_str().map(str::to_owned),
        ..twin
    };
    let id = there["Id"].as_str().unwrap();
    hotel
        .sandbox
        .edit(
            "Contact",
            id,
            json!({"MobilePhone": "+12125550177"}).as_object().unwrap(),
        )
        .unwrap();
    let twin = NewGuest {
        phone: Some("(212) 555-0177".to_owned()),
        ..twin
    };
    let strict = with(&hotel, |config| config.allow_duplicates = false);
    let error = refused(
        strict
            .send_create_contact(&strict.create_contact(&twin))
            .await,
    );
    assert_eq!(error.code, "DUPLICATES_DETECTED");
    assert_eq!(
        (&error.details["records"], error.details["rule"].as_str()),
        (&json!([id]), Some("Standard_Contact_Duplicate_Rule"))
    );
    assert_eq!(
        hotel
            .crm
            .send_create_contact(&hotel.crm.create_contact(&twin))
            .await,
        Outcome::Done(())
    );
}

#[tokio::test(start_paused = true)]
async fn phones_are_read_and_written_as_e164() {
    let hotel = hotel();
    assert_eq!(
        hotel
            .crm
            .send_create_contact(
                &hotel
                    .crm
                    .create_contact(&guest("new@example.com", "(212) 555-0188"))
            )
            .await,
        Outcome::Done(())
    );
    let made = rows(&hotel, "Contact")
        .into_iter()
        .find(|c| c["Email"] == "new@example.com")
        .unwrap();
    assert_eq!(made["MobilePhone"], "+12125550188");
    let edit = json!({"MobilePhone": "212.555.0123"});
    hotel
        .sandbox
        .edit(
            "Contact",
            made["Id"].as_str().unwrap(),
            edit.as_object().unwrap(),
        )
        .unwrap();
    let contacts = done(hotel.crm.contacts(&"new@example.com".into()).await);
    let contact = &contacts[0];
    assert_eq!(contact.phone.as_deref(), Some("+12125550123"));
    let british = with(&hotel, |config| config.country = "GB".parse().unwrap());
    let edit = json!({"MobilePhone": "020 7946 0018"});
    hotel
        .sandbox
        .edit(
            "Contact",
            made["Id"].as_str().unwrap(),
            edit.as_object().unwrap(),
        )
        .unwrap();
    let contacts = done(british.contacts(&"new@example.com".into()).await);
    let contact = &contacts[0];
    assert_eq!(contact.phone.as_deref(), Some("+442079460018"));
}

#[tokio::test(start_paused = true)]
async fn a_new_guest_belongs_to_the_account_that_was_named() {
    let hotel = hotel();
    let account = rows(&hotel, "Account")[0]["Id"]
        .as_str()
        .unwrap()
        .to_owned();
    let crm = with(&hotel, |config| {
        config.guest_account = Some(account.clone())
    });
    assert_eq!(
        crm.send_create_contact(&crm.create_contact(&guest("new@example.com", "+12125550188")))
            .await,
        Outcome::Done(())
    );
    let made = rows(&hotel, "Contact")
        .into_iter()
        .find(|c| c["Email"] == "new@example.com")
        .unwrap();
    assert_eq!(made["AccountId"], account);
}

#[tokio::test(start_paused = true)]
async fn a_retryable_token_error_is_not_a_wrong_secret() {
    let hotel = hotel();
    hotel.sandbox.add_fault(
        Fault::new(System::Salesforce, "token", FaultKind::Status)
            .status(400)
            .count(0),
    );
    assert!(
        matches!(hotel.crm.rooms(&every_room()).await, Outcome::TryLater(t) if t.code == "unknown_error")
    );
    hotel.sandbox.clear_faults();
    assert!(matches!(
        hotel.crm.rooms(&every_room()).await,
        Outcome::Done(_)
    ));
    let wrong = SalesforceConfig::new("http://sandbox", "wrong", "secret".to_owned().into());
    let wrong = Salesforce::new(wrong, Arc::new(hotel.sandbox.clone()), hotel.clock.clone());
    assert!(
        matches!(wrong.rooms(&every_room()).await, Outcome::TryLater(t) if t.code == "invalid_client_id")
    );
}
