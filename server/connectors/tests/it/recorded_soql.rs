//! Writes each SOQL text that these tests send, so that `cargo xtask vendors` can give it to parsers
//! of others.

use std::{
    collections::BTreeSet,
    fs,
    io::Write as _,
    path::Path,
    sync::{LazyLock, Mutex},
};

use async_trait::async_trait;
use dewy_domain::{
    case::{CaseChange, CaseComment},
    guest::GuestQuery,
    guest_identity::GuestIdentity,
    inventory::AvailabilityQuery,
    money::Currency,
    ports::Reservations,
    reservation::{
        BookingGuest, BookingOrder, BookingQuery, BookingTarget, ChangeOrder, WhichBooking,
    },
    stay_overview::StayOverviewQuery,
};

use crate::{canned_transport::salesforce_config, prelude::*};

/// What was written already, and the file.
static WRITTEN: LazyLock<Mutex<(BTreeSet<String>, fs::File)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    fs::create_dir_all(&folder).unwrap();
    let file = fs::File::create(folder.join("soql.jsonl")).unwrap();
    Mutex::new((BTreeSet::new(), file))
});

/// Writes the SOQL of a query, or of the queries in a composite request, one JSON text a line.
pub fn record(request: &HttpRequest) {
    let mut urls = vec![request.url.clone()];
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let parts = body["compositeRequest"].as_array().into_iter().flatten();
    urls.extend(parts.filter_map(|part| part["url"].as_str().map(str::to_owned)));
    for (_, query) in urls.iter().filter_map(|url| url.split_once("/query?")) {
        let mut parameters = url::form_urlencoded::parse(query.as_bytes());
        let line = Value::from(parameters.next().unwrap().1.into_owned()).to_string();
        let (seen, file) = &mut *WRITTEN.lock().unwrap();
        if seen.insert(line.clone()) {
            writeln!(file, "{line}").unwrap();
        }
    }
}

/// Transport that records what passes.
#[derive(Debug)]
pub struct Recorded<T>(pub T);

#[async_trait]
impl<T: Transport> Transport for Recorded<T> {
    async fn send(
        &self,
        request: HttpRequest,
        at_most: Duration,
    ) -> Result<HttpResponse, TransportError> {
        record(&request);
        self.0.send(request, at_most).await
    }
}

/// Text that could end a literal early, or that a parser may not take as it is.
const ODD: &str = "O'Brien\\' OR \"%_\n\r\t\u{8}\u{c}\u{2028}é漢🛎";

/// Body of a write, as it would be sent.
fn written(call: &Call) {
    record(&HttpRequest {
        method: call.method.clone(),
        url: format!("http://sandbox{}", call.path),
        headers: Vec::new(),
        body: call.body.clone().into_bytes(),
    });
}

/// Queries of guests, stays, rooms and cases by such texts.
#[tokio::test(start_paused = true)]
async fn odd_texts_are_asked_for() {
    let crm = hotel().crm;
    let kinds = [
        GuestQuery::Id(ODD.to_owned()),
        GuestQuery::Email(ODD.into()),
        GuestQuery::EmailPart(ODD.to_owned()),
        GuestQuery::Phone("5550100001".to_owned()),
        GuestQuery::Name(ODD.split(' ').map(str::to_owned).collect()),
        GuestQuery::Booking(vec![ODD.into(), "BK-0001".into()]),
        GuestQuery::Room(ODD.into()),
    ];
    for query in &kinds {
        let _ = crm.guests(query, 5).await;
    }
    let ids = ["003000000000001AAA", "003000000000002AAA"].map(str::to_owned);
    let one = GuestIdentity::one_of_several(ODD.into(), ids.to_vec());
    let bookings = BookingQuery {
        guest: Some(one.clone()),
        booking_number: Some(ODD.into()),
        room_number: Some(ODD.into()),
        or_in_house: true,
        or_undated: true,
        limit: 5,
        ..BookingQuery::default()
    };
    let cases = CaseQuery {
        number: Some(ODD.to_owned()),
        execution_id: Some(ODD.to_owned()),
        guest: Some(one),
        open: Some(true),
        room_number: Some(ODD.into()),
        limit: 5,
        ..CaseQuery::default()
    };
    let rooms = RoomQuery {
        number: Some(ODD.into()),
        kind: Some(ODD.to_owned()),
        limit: 5,
        ..RoomQuery::default()
    };
    let overview = StayOverviewQuery {
        guest: GuestIdentity::whoever_has(ODD.into()),
        max_bookings: 5,
        max_cases: 5,
    };
    assert!(crm.bookings(&bookings).await.answered().is_ok());
    assert_eq!(done(crm.cases(&cases).await), []);
    assert_eq!(done(crm.rooms(&rooms).await), []);
    let found = done(crm.stay_overview(&overview).await);
    assert!(found.in_house.is_empty());
    assert_eq!(crm.in_house(&ODD.into()).await, Outcome::Done(Vec::new()));
    assert_eq!(crm.contacts(&ODD.into()).await, Outcome::Done(Vec::new()));
}

/// Preconditions of bookings and changed cases.
#[tokio::test(start_paused = true)]
async fn preconditions_of_writes() {
    let crm = hotel().crm;
    let rooms = RoomQuery {
        limit: 1,
        ..RoomQuery::default()
    };
    let room = done(crm.rooms(&rooms).await).remove(0);
    let beth = GuestQuery::Email("beth.gibbs@email.com".into());
    let guest = done(crm.guests(&beth, 1).await).remove(0);
    let which = WhichBooking::Number(guest.stays[0].booking_number.clone());
    let there = done(crm.reservation(&which, None).await);
    let there = there.unwrap().there;
    let availability = AvailabilityQuery {
        nights: there.nights(),
        today: there.nights().from,
        but: Some(there.stay.booking.id.clone()),
    };
    written(&crm.book(&BookingOrder {
        execution_id: ODD.to_owned(),
        booker: BookingGuest::Known { guest },
        room: room.clone(),
        availability: availability.clone(),
        guests: 1,
        requests: Some(ODD.to_owned()),
        amount: Cents(1),
        name: ODD.to_owned(),
    }));
    written(&crm.change_booking(&ChangeOrder {
        wanted: BookingTarget::of(&there),
        there,
        new_room: Some(room),
        availability: Some(availability),
        in_house: false,
        left_as: "Cleaning".into(),
        taken_as: "Occupied".into(),
    }));
    let all = CaseQuery {
        limit: 1,
        ..CaseQuery::default()
    };
    let mut case = done(crm.cases(&all).await).remove(0);
    let change = CaseChange {
        status: Some("In Progress".into()),
        comment: Some(ODD.to_owned()),
        ..CaseChange::default()
    };
    let comment = CaseComment {
        id: ODD.to_owned(),
        body: ODD.to_owned(),
        at: Timestamp::UNIX_EPOCH,
        by: ODD.to_owned(),
        by_name: ODD.to_owned(),
    };
    for comments in [0, 1, 30] {
        case.comments = vec![comment.clone(); comments];
        written(&crm.change_case(&case, &change));
    }
}

/// Queries that only some orgs are sent.
#[tokio::test(start_paused = true)]
async fn currencies_and_the_account_of_guests() {
    let several = "<orgHasMultiCurrency>true</orgHasMultiCurrency>\
                   <userDefaultCurrencyIsoCode>EUR</userDefaultCurrencyIsoCode>";
    let none = r#"{"totalSize":0,"done":true,"records":[]}"#;
    let canned = Canned::new([status(200, several), status(200, none), status(200, none)]);
    let mut config = salesforce_config();
    config.guest_account = Some(ODD.to_owned());
    let crm = Salesforce::new(config, canned, Arc::new(TestClock::new()));
    let found = done(crm.currency(Currency::USD).await);
    assert!(found.several);
    let hotel = hotel();
    let mut config = SalesforceConfig::new("http://sandbox", "c", "s".to_owned().into());
    config.guest_account = Some(ODD.to_owned());
    let crm = Salesforce::new(config, Arc::new(Recorded(hotel.sandbox)), hotel.clock);
    assert!(!done(crm.check_org().await).lacks.is_empty());
}
