//! Fields that administrators hide from our user: pages are shown without them.

use dewy_domain::{
    guest::GuestQuery,
    inventory::AvailabilityQuery,
    nights::Nights,
    ports::{CheckOutRecordsQuery, Reservations, StayWrite, WithoutField},
    reservation::{BookingQuery, WhichBooking},
    stay_overview::StayOverviewQuery,
};
use dewy_sandbox::salesforce::OrgSettings;
use jiff::civil::date;

use crate::{prelude::*, sandbox_hotel::arriving};

fn hide(hotel: &Hotel, fields: &[String]) {
    hotel.sandbox.set_org_settings(OrgSettings {
        hidden_fields: fields.to_vec(),
        ..OrgSettings::default()
    });
}

/// Failed reads of those behind Today, a folio, check-in, availability, cases and the search for
/// guests.
async fn unanswered(crm: &Salesforce) -> Vec<String> {
    let read = reads(crm).await.into_iter();
    let failed = read.filter(|(_, reply)| *reply != Outcome::Done(()));
    failed
        .map(|(what, reply)| format!("{what}: {reply:?}"))
        .collect()
}

async fn reads(crm: &Salesforce) -> Vec<(&'static str, Outcome<()>)> {
    let nights = Nights {
        from: date(2026, 3, 20),
        to: date(2026, 3, 22),
    };
    let free = AvailabilityQuery {
        nights,
        today: date(2026, 3, 10),
        but: None,
    };
    let rooms = RoomQuery {
        sleeps: Some(2),
        free: Some(free),
        limit: 50,
        ..RoomQuery::default()
    };
    let beth = StayQuery::in_house("beth.gibbs@email.com".into());
    let overview = StayOverviewQuery {
        guest: "beth.gibbs@email.com".into(),
        max_bookings: 10,
        max_cases: 10,
    };
    let guests = [
        GuestQuery::Phone("5550100001".to_owned()),
        GuestQuery::Email("beth.gibbs@email.com".into()),
    ];
    let bookings = BookingQuery {
        limit: 50,
        ..BookingQuery::default()
    };
    let cases = CaseQuery {
        open: Some(true),
        limit: 50,
        ..CaseQuery::default()
    };
    let all_rooms = RoomQuery {
        limit: 50,
        ..RoomQuery::default()
    };
    let mut read = vec![
        ("rooms", crm.rooms(&all_rooms).await.map(drop)),
        ("availability", crm.rooms(&rooms).await.map(drop)),
        ("bookings", crm.bookings(&bookings).await.map(drop)),
        ("cases", crm.cases(&cases).await.map(drop)),
        ("in house", crm.stays_in_house(50).await.map(drop)),
        (
            "check-in",
            crm.stays(&arriving("sarah@example.com")).await.map(drop),
        ),
        ("overview", overviewed(crm, &overview).await),
        (
            "contact",
            crm.contacts(&"beth.gibbs@email.com".into()).await.map(drop),
        ),
        ("probe", crm.change_probe().await.map(drop)),
    ];
    for query in guests {
        read.push(("guests", crm.guests(&query, 5).await.map(drop)));
    }
    let stay = match crm.stays(&beth).await {
        Outcome::Done(mut stays) => stays.remove(0),
        other => {
            read.push(("folio", other.map(drop)));
            return read;
        }
    };
    let trace = CheckOutRecordsQuery {
        execution_id: "exe_1".to_owned(),
        opportunity_id: stay.opportunity.id.clone(),
        booking_id: stay.booking.id.clone(),
    };
    let which = WhichBooking::Number(stay.booking.number.clone());
    read.push(("trace", crm.check_out_records(&trace).await.map(drop)));
    read.push(("reservation", crm.reservation(&which, None).await.map(drop)));
    read
}

fn optional_fields() -> impl Iterator<Item = (&'static str, &'static str)> {
    let optional = Salesforce::used_fields().filter(|(.., optional)| *optional);
    optional.map(|(object, field, _)| (object, field))
}

/// The overview is read in parts: one that fails is left out, and must not be.
async fn overviewed(crm: &Salesforce, query: &StayOverviewQuery) -> Outcome<()> {
    crm.stay_overview(query).await.map(|found| {
        assert!(!found.in_house.is_empty());
    })
}

/// Each field that we can do without, hidden while the server runs, and before it starts.
#[tokio::test(start_paused = true)]
async fn every_read_is_answered_without_each_optional_field() {
    for (object, field) in optional_fields() {
        let name = format!("{object}.{field}");
        let hotel = hotel();
        assert_eq!(unanswered(&hotel.crm).await, Vec::<String>::new());
        hide(&hotel, std::slice::from_ref(&name));
        assert_eq!(
            unanswered(&hotel.crm).await,
            Vec::<String>::new(),
            "{name}, found out"
        );
        let stats = hotel.crm.health_stats();
        assert_eq!(stats.alarms, Vec::new(), "{name}");
        let Outcome::Done(()) = hotel.crm.learn_fields().await else {
            panic!("{name}");
        };
        let known = hotel.crm.health_stats().hidden;
        assert_eq!(known.len(), 1, "{name}");
        assert_eq!((known[0].object, known[0].field), (object, field));
        assert_eq!(known[0].without, WithoutField::Nothing, "{name}");
        assert_eq!(
            unanswered(&hotel.crm).await,
            Vec::<String>::new(),
            "{name}, known"
        );
        let lacks = done(hotel.crm.check_org().await).lacks;
        let told: Vec<String> = lacks.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].contains(object) && told[0].contains(field),
            "{told:?}"
        );
        // Shown again, it is read again
        hide(&hotel, &[]);
        done(hotel.crm.learn_fields().await);
        assert_eq!(hotel.crm.health_stats().hidden, Vec::new());
    }
}

#[tokio::test(start_paused = true)]
async fn all_optional_fields_may_be_hidden_at_once() {
    let hotel = hotel();
    let all: Vec<String> = optional_fields()
        .map(|(object, field)| format!("{object}.{field}"))
        .collect();
    hide(&hotel, &all);
    assert_eq!(unanswered(&hotel.crm).await, Vec::<String>::new());
}

/// A field that we need is named, with a failed call, and nobody is told to change their request.
#[tokio::test(start_paused = true)]
async fn a_hidden_field_that_we_need_is_named() {
    for (field, named) in [
        ("Hotel_Room__c.Status__c", "Hotel_Room__c.Status__c"),
        ("Booking__c.Room__c", "Booking__c.Room__c"),
    ] {
        let hotel = hotel();
        hide(&hotel, &[field.to_owned()]);
        done(hotel.crm.learn_fields().await);
        let beth = StayQuery::in_house("beth.gibbs@email.com".into());
        let reply = hotel.crm.stays(&beth).await;
        assert!(
            matches!(&reply, Outcome::TryLater(error) if error.code == "salesforce_field_hidden"),
            "{reply:?}"
        );
        let stats = hotel.crm.health_stats();
        assert_eq!(stats.alarms.len(), 1, "{field}");
        assert_eq!(stats.alarms[0].code, "salesforce_field_hidden");
        let hidden: Vec<String> = stats
            .hidden
            .iter()
            .filter(|hidden| hidden.without == WithoutField::Everything)
            .map(|hidden| format!("{}.{}", hidden.object, hidden.field))
            .collect();
        assert_eq!(hidden, [named]);
        assert!(stats.troubled_last_hour > 0);
    }
}

/// Every other field: what works without it is answered, and whatever else names it.
#[tokio::test(start_paused = true)]
async fn every_field_that_we_need_is_named_where_it_is_missed() {
    for (object, field, optional) in Salesforce::used_fields() {
        if optional {
            continue;
        }
        let name = format!("{object}.{field}");
        let hotel = hotel();
        hide(&hotel, std::slice::from_ref(&name));
        for (what, reply) in reads(&hotel.crm).await {
            match reply {
                Outcome::Done(()) => {}
                Outcome::TryLater(error) => {
                    assert_eq!(error.code, "salesforce_field_hidden", "{name}: {what}");
                    let problem = error.details["problem"].as_str().unwrap_or_default();
                    assert!(problem.contains(&name), "{name}: {what}: {problem}");
                }
                other => panic!("{name}: {what}: {other:?}"),
            }
        }
        let lacks = done(hotel.crm.check_org().await).lacks;
        let told: Vec<String> = lacks.iter().map(ToString::to_string).collect();
        let named = |lack: &String| lack.contains(object) && lack.contains(field);
        assert!(told.iter().any(named), "{name}: {told:?}");
        let hidden = hotel.crm.health_stats().hidden;
        assert_eq!((hidden[0].object, hidden[0].field), (object, field));
        assert_ne!(hidden[0].without, WithoutField::Nothing);
    }
}

/// Who lives in a room and a guest's email are missed by acts, and by no list.
#[tokio::test(start_paused = true)]
async fn lists_are_read_without_a_guests_email_or_the_guest_in_a_room() {
    for (field, missing) in [
        ("Hotel_Room__c.Current_Guest__c", &[][..]),
        (
            "Contact.Email",
            &["check-in", "overview", "contact", "guests", "folio"],
        ),
        ("Contact.FirstName", &["guests"]),
        ("Contact.Unique_Email__c", &["guests"]),
    ] {
        let hotel = hotel();
        hide(&hotel, &[field.to_owned()]);
        let failed: Vec<_> = reads(&hotel.crm)
            .await
            .into_iter()
            .filter(|(_, reply)| *reply != Outcome::Done(()))
            .map(|(what, _)| what)
            .collect();
        assert_eq!(failed, missing, "{field}");
    }
}

/// Nothing is charged for a check-out that can't be recorded.
#[tokio::test(start_paused = true)]
async fn a_check_out_whose_fields_are_hidden_or_read_only_is_barred() {
    let hotel = hotel();
    for write in [StayWrite::CheckIn, StayWrite::CheckOut] {
        assert_eq!(hotel.crm.barred(write), None);
    }
    let lines = "Payment_Transaction__c.Amount__c".to_owned();
    for (hidden, read_only, check_in) in [
        (Some("Hotel_Room__c.Current_Guest__c"), None, true),
        (None, Some("Booking__c.Status__c"), true),
        (None, Some(lines.as_str()), false),
    ] {
        let list = |field: Option<&str>| field.map(str::to_owned).into_iter().collect();
        hotel.sandbox.set_org_settings(OrgSettings {
            hidden_fields: list(hidden),
            read_only_fields: list(read_only),
            ..OrgSettings::default()
        });
        done(hotel.crm.learn_fields().await);
        let name = hidden.or(read_only).unwrap();
        let why = hotel.crm.barred(StayWrite::CheckOut).unwrap();
        assert!(why.message.contains(name), "{why:?}");
        assert_eq!(
            hotel.crm.barred(StayWrite::CheckIn).is_some(),
            check_in,
            "{name}"
        );
    }
}

/// A check-out is written without the fields that our user may not write.
#[tokio::test(start_paused = true)]
async fn a_write_leaves_out_what_may_not_be_written() {
    for fields in [
        [
            "Payment_Transaction__c.Receipt_URL__c",
            "Opportunity.Payment_ID__c",
        ],
        [
            "Payment_Transaction__c.Last_4_Digits__c",
            "Payment_Transaction__c.Payment_Method__c",
        ],
    ] {
        for hidden in [true, false] {
            let hotel = hotel();
            let names: Vec<String> = fields.map(str::to_owned).to_vec();
            let (hidden, read_only) = if hidden {
                (names, vec![])
            } else {
                (vec![], names)
            };
            hotel.sandbox.set_org_settings(OrgSettings {
                hidden_fields: hidden,
                read_only_fields: read_only,
                ..OrgSettings::default()
            });
            let stay = hotel.beth().await;
            // Found out by the write: nothing is applied, and the same order is built anew
            let mut tries = 0;
            let written = loop {
                tries += 1;
                match hotel.check_out(&hotel.order(stay.clone())).await {
                    Outcome::Refused(error) if error.code == "guard_failed" && tries < 4 => {}
                    other => break other,
                }
            };
            assert!(
                matches!(written, Outcome::Done(_)),
                "{fields:?} {written:?}"
            );
        }
    }
}

/// Each failing request describing eight objects anew would use up the org's calls.
#[tokio::test(start_paused = true)]
async fn failing_requests_describe_the_org_once_a_minute() {
    let hotel = hotel();
    hide(&hotel, &["Case.Booking__c".to_owned()]);
    let cases = CaseQuery {
        booking_number: Some("BK-0042".into()),
        limit: 50,
        ..CaseQuery::default()
    };
    let failing = || async {
        let reply = hotel.crm.cases(&cases).await;
        assert!(matches!(reply, Outcome::TryLater(_)), "{reply:?}");
    };
    let described = || {
        let calls = hotel.sandbox.calls().into_iter();
        calls.filter(|call| call.operation == "describe").count()
    };
    failing().await;
    let once = described();
    assert!(once > 0);
    futures::join!(failing(), failing(), failing());
    assert_eq!(described(), once);
    tokio::time::advance(Duration::from_secs(61)).await;
    failing().await;
    assert_eq!(described(), 2 * once);
}
