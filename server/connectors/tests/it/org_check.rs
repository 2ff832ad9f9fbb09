//! The org check reports everything that is missing before the first guest.

use std::collections::BTreeSet;

use async_trait::async_trait;
use dewy_connectors::{MissingRequirement, OrgVocabulary};
use dewy_domain::{
    case::OpenCaseRequest,
    guest::GuestQuery,
    inventory::{AvailabilityQuery, RoomFacts, RoomStatusOrder},
    nights::Nights,
    ports::{ChargeOrder, CheckInOrder, Reservations, SentTextRecord, VoidOrder},
    reservation::{
        BookingGuest, BookingOrder, BookingQuery, BookingTarget, ChangeOrder, NewGuest,
        Reservation, WhichBooking,
    },
};
use percent_encoding::percent_decode_str;

use crate::{canned_transport::salesforce_config, prelude::*, wire_responses};

type Change = Box<dyn Fn(&str, &mut Value) + Send + Sync>;

/// The sandbox's org with a modified description.
struct Otherwise(Sandbox, Change);

impl std::fmt::Debug for Otherwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Otherwise")
    }
}

#[async_trait]
impl Transport for Otherwise {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let object = request
            .url
            .split("/sobjects/")
            .nth(1)
            .and_then(|rest| rest.strip_suffix("/describe"))
            .map(str::to_owned);
        let mut response = self.0.send(request, deadline).await?;
        if let Some(object) = object {
            let mut body = serde_json::from_slice(&response.body).unwrap();
            (self.1)(&object, &mut body);
            response.body = body.to_string().into_bytes();
        }
        Ok(response)
    }
}

async fn lacks(
    vocabulary: OrgVocabulary,
    change: impl Fn(&str, &mut Value) + Send + Sync + 'static,
) -> Vec<MissingRequirement> {
    let clock = Arc::new(TestClock::new());
    let org = Otherwise(Sandbox::in_memory(clock.clone(), 1), Box::new(change));
    let mut config = salesforce_config();
    config.login_url = "http://sandbox".to_owned();
    config.vocabulary = vocabulary;
    match Salesforce::new(config, Arc::new(org), clock)
        .check_org()
        .await
    {
        Outcome::Done(check) => check.lacks,
        other => panic!("{other:?}"),
    }
}

fn field<'a>(described: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    described["fields"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find(|field| field["name"] == name)
}

#[tokio::test(start_paused = true)]
async fn the_reference_org_meets_all_requirements() {
    assert_eq!(lacks(OrgVocabulary::default(), |_, _| {}).await, []);
}

#[tokio::test(start_paused = true)]
async fn words_that_the_org_added_are_named_from_its_picklists_and_its_records() {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let line = sandbox.records("Payment_Transaction__c").remove(0);
    let id = line["Id"].as_str().unwrap();
    let set = sandbox.set_word(
        "Payment_Transaction__c",
        id,
        "Transaction_Type__c",
        "Goodwill",
    );
    set.unwrap();
    let change = |object: &str, described: &mut Value| {
        if let Some(status) = field(described, "Status__c").filter(|_| object == "Hotel_Room__c") {
            let values = status["picklistValues"].as_array_mut().unwrap();
            values.push(json!({ "value": "Deep Clean", "active": true }));
            values.push(json!({ "value": "Long Ago", "active": false }));
        }
    };
    let org = Otherwise(sandbox, Box::new(change));
    let mut config = salesforce_config();
    config.login_url = "http://sandbox".to_owned();
    let checked = Salesforce::new(config, Arc::new(org), clock)
        .check_org()
        .await;
    let checked = done(checked);
    let told: Vec<String> = checked
        .unknown_words
        .iter()
        .map(ToString::to_string)
        .collect();
    for words in [
        "Payment_Transaction__c.Transaction_Type__c: Goodwill",
        "Hotel_Room__c.Status__c: Deep Clean",
        "Case.Status: Escalated, Working",
    ] {
        assert!(told.iter().any(|one| one == words), "{words}: {told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_missing_picklist_values_are_named_with_the_existing_ones() {
    let words = OrgVocabulary::parse(
        "booking_checked_in=In House; room_cleaning=Dirty; stage_won=Won; line_refund=Back",
    )
    .unwrap();
    let found = lacks(words, |object, described| {
        if object == "Booking__c" {
            let values = field(described, "Status__c").unwrap()["picklistValues"]
                .as_array_mut()
                .unwrap();
            values
                .iter_mut()
                .find(|value| value["value"] == "No Show")
                .unwrap()["active"] = false.into();
        }
    })
    .await;
    let names: Vec<&str> = found
        .iter()
        .map(|lack| match lack {
            MissingRequirement::Word { name, .. } => *name,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "booking_checked_in",
            "booking_no_show",
            "room_cleaning",
            "stage_won",
            "line_refund"
        ]
    );
    assert_eq!(
        found[2].to_string(),
        "Hotel_Room__c.Status__c has no value \"Dirty\" (room_cleaning); it has Vacant, Occupied, Cleaning, Maintenance, Out of Service"
    );
}

#[tokio::test(start_paused = true)]
async fn unwritable_and_non_key_fields_are_named() {
    let found = lacks(OrgVocabulary::default(), |object, described| {
        let mut set = |name: &str, what: &str| {
            if let Some(field) = field(described, name) {
                field[what] = false.into();
            }
        };
        match object {
            "Opportunity" => set("Payment_ID__c", "updateable"),
            "Hotel_Room__c" => set("Nightly_Rate__c", "updateable"),
            "Payment_Transaction__c" => set("Amount__c", "createable"),
            "SMS_Notification__c" => set("Twilio_Message_SID__c", "unique"),
            _ => {}
        }
    })
    .await;
    assert_eq!(
        found,
        [
            MissingRequirement::Right("Opportunity", "Payment_ID__c"),
            MissingRequirement::Right("Payment_Transaction__c", "Amount__c"),
            MissingRequirement::Key("SMS_Notification__c", "Twilio_Message_SID__c"),
        ],
        "and a room's rate is only read"
    );
}

#[tokio::test]
async fn a_missing_object_is_named_and_no_response_is_not_one() {
    let missing = || status(404, &wire_responses::errors("NOT_FOUND"));
    let found = done(
        salesforce(Canned::new((0..8).map(|_| missing())))
            .check_org()
            .await,
    );
    let found = found.lacks;
    assert_eq!(
        found.len(),
        8,
        "each once, and none of its fields: {found:?}"
    );
    assert!(
        found
            .iter()
            .all(|lack| matches!(lack, MissingRequirement::Object(_)))
    );
    assert_eq!(
        arm(&salesforce(Canned::new([Err(TransportError::Timeout)]))
            .check_org()
            .await),
        "unknown timeout"
    );
}

/// All requests, decoded.
async fn requests() -> String {
    let empty = r#"{"totalSize":0,"done":true,"records":[]}"#;
    let canned = Canned::new((0..16).map(|_| status(200, empty)));
    let crm = salesforce(canned.clone());
    let stay = example_check_out::stay();
    let charge = ChargeOrder {
        execution_id: "x".into(),
        stay: stay.clone(),
        amount: Cents(1),
        at: example_check_out::revert().at,
    };
    let note = SentTextRecord {
        sid: "SM1".into(),
        to: "+1".into(),
        body: "b".into(),
        status: "Queued".into(),
        at: example_check_out::revert().at,
        opportunity_id: Some(example_check_out::OPPORTUNITY.into()),
    };
    let calls = [
        crm.check_in(&CheckInOrder { stay: stay.clone() }),
        crm.check_out(&CheckOutOrder {
            ..example_check_out::check_out()
        }),
        crm.revert(&example_check_out::revert()),
        crm.revert(&example_check_out::lines_only()),
        crm.charge(&charge),
        crm.void_charge(&VoidOrder {
            stay,
            line_id: "a03000000000001AAA".into(),
        }),
        crm.build_touch(&example_check_out::booking()),
    ];
    let _ = crm.send_record_text(&crm.record_text(&note)).await;
    let _ = crm
        .stays(&StayQuery {
            room_number: Some("1".into()),
            ..StayQuery::in_house("a@b.c".into())
        })
        .await;
    let _ = crm.contacts(&"a@b.c".into()).await;
    let _ = crm.in_house(&"302".into()).await;
    let _ = crm.stays_by_number(&["BK-1".into()]).await;
    let desk = desk_calls(&crm).await;
    let mut all: Vec<String> = calls
        .into_iter()
        .chain(desk)
        .map(|call| call.path + &call.body)
        .collect();
    all.extend(
        canned
            .seen()
            .into_iter()
            .map(|request| request.url + &String::from_utf8(request.body).unwrap()),
    );
    percent_decode_str(&all.join("\n"))
        .decode_utf8()
        .unwrap()
        .into_owned()
}

/// Requests of the front desk: rooms, bookings, cases and guests.
async fn desk_calls(crm: &Salesforce) -> Vec<Call> {
    let facts = RoomFacts {
        room: example_check_out::room(),
        kind: "Suite".into(),
        floor: Some(3),
        rate: Cents(1),
        sleeps: 2,
        beds: None,
        view: None,
        accessible: false,
        square_footage: Some(420),
        missing: Vec::new(),
    };
    let (from, to) = (
        example_check_out::booking().check_in,
        example_check_out::booking().check_out,
    );
    let availability = AvailabilityQuery {
        nights: Nights { from, to },
        today: from,
        but: Some(example_check_out::BOOKING.into()),
    };
    let there = Reservation {
        stay: example_check_out::stay(),
        room: facts.clone(),
        guest_email: None,
        guests: Some(1),
        requests: None,
        external_id: None,
        missing: Vec::new(),
    };
    let wanted = BookingTarget {
        status: "Reserved".into(),
        nights: Nights {
            from: from.yesterday().unwrap(),
            to: to.tomorrow().unwrap(),
        },
        guest_id: example_check_out::US.into(),
        guests: Some(2),
        requests: Some("x".into()),
        amount: Some(Cents(2)),
        ..BookingTarget::of(&there)
    };
    let new = NewGuest {
        email: "a@b.c".into(),
        without_email: false,
        first_name: "A".into(),
        last_name: "B".into(),
        phone: Some("1".into()),
        kind: "Guest".into(),
    };
    let case = OpenCaseRequest {
        execution_id: "x".into(),
        subject: "s".into(),
        description: "d".into(),
        kind: "Maintenance".into(),
        priority: "High".into(),
        origin: "Web".into(),
        contact_id: Some(example_check_out::GUEST.into()),
        booking_id: Some(example_check_out::BOOKING.into()),
        room_id: Some(example_check_out::ROOM.into()),
    };
    let book = BookingOrder {
        execution_id: "x".into(),
        booker: BookingGuest::New { guest: new },
        room: facts.clone(),
        availability: availability.clone(),
        guests: 1,
        requests: Some("x".into()),
        amount: Cents(1),
        name: "n".into(),
    };
    let all = RoomQuery {
        number: Some("1".into()),
        kind: Some("Suite".into()),
        floor: Some(1),
        status: Some("Vacant".into()),
        sleeps: Some(1),
        free: Some(availability.clone()),
        limit: 1,
    };
    let _ = crm.rooms(&all).await;
    let _ = crm
        .bookings(&BookingQuery {
            guest: Some("a@b.c".into()),
            from: Some(from),
            to: Some(to),
            room_number: Some("1".into()),
            limit: 1,
            ..BookingQuery::default()
        })
        .await;
    let _ = crm
        .reservation(
            &WhichBooking::Number("BK-1".into()),
            Some((example_check_out::ROOM, &availability)),
        )
        .await;
    let _ = crm
        .cases(&CaseQuery {
            room_number: Some("1".into()),
            execution_id: Some("x".into()),
            limit: 1,
            ..CaseQuery::default()
        })
        .await;
    for query in [
        GuestQuery::Email("a@b.c".into()),
        GuestQuery::Name(vec!["a".into()]),
        GuestQuery::Room("1".into()),
    ] {
        let _ = crm.guests(&query, 1).await;
    }
    let change = ChangeOrder {
        there,
        wanted,
        new_room: Some(facts.clone()),
        availability: Some(availability),
        in_house: true,
        left_as: "Cleaning".into(),
        taken_as: "Occupied".into(),
    };
    vec![
        crm.book(&book),
        crm.change_booking(&change),
        crm.set_room_status(&RoomStatusOrder {
            room: facts.room,
            status: "Vacant".into(),
        }),
        crm.open_case(&case),
    ]
}

#[tokio::test(start_paused = true)]
async fn every_custom_field_in_a_request_is_checked() {
    let text = requests().await;
    let names: BTreeSet<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.ends_with("__c"))
        .map(str::to_owned)
        .collect();
    let objects = [
        "Booking__c",
        "Hotel_Room__c",
        "Payment_Transaction__c",
        "SMS_Notification__c",
    ];
    assert!(names.len() > 20, "{names:?}");
    for name in names
        .into_iter()
        .filter(|name| !objects.contains(&name.as_str()))
    {
        let gone = name.clone();
        let found = lacks(OrgVocabulary::default(), move |_, described| {
            described["fields"]
                .as_array_mut()
                .unwrap()
                .retain(|field| field["name"] != gone.as_str());
        })
        .await;
        assert!(
            found
                .iter()
                .any(|lack| matches!(lack, MissingRequirement::Field(_, field) | MissingRequirement::Hidden(_, field)
                    if *field == name)),
            "{name}: {found:?}"
        );
    }
}
