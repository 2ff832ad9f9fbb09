//! A guest's overview: one call that answers as three reads do, and what a failed part hides.

use dewy_domain::{
    ports::Reservations,
    reservation::BookingQuery,
    stay_overview::{StayOverviewQuery, StayOverviewRecords},
};

use crate::prelude::*;

const BETH: &str = "beth.gibbs@email.com";

fn query(email: &str) -> StayOverviewQuery {
    StayOverviewQuery {
        guest: email.into(),
        max_bookings: 100,
        max_cases: 30,
    }
}

#[tokio::test(start_paused = true)]
async fn one_call_answers_as_three_reads_do() {
    let (mut open_cases, mut closed_cases) = (0, 0);
    for (email, close) in [
        (BETH, false),
        ("sarah@example.com", false),
        ("wei.chen@example.com", false),
        ("wei.chen@example.com", true),
        ("olivia.martin@example.com", false),
        ("olivia.martin@example.com", true),
        ("nobody@example.com", false),
    ] {
        let hotel = hotel();
        if close {
            close_all_cases(&hotel);
        }
        let overview = hotel.crm.stay_overview(&query(email)).await;
        assert_eq!(hotel.operations(), ["token", "query"]);
        let bookings = BookingQuery {
            guest: Some(email.into()),
            newest_first: true,
            limit: 100,
            ..BookingQuery::default()
        };
        let open = CaseQuery {
            guest: Some(email.into()),
            open: Some(true),
            limit: 30,
            ..CaseQuery::default()
        };
        let alone = StayOverviewRecords {
            bookings: done(hotel.crm.bookings(&bookings).await),
            cases: done(hotel.crm.cases(&open).await),
            in_house: hotel.stays(email).await,
        };
        let all = CaseQuery { open: None, ..open };
        let all = done(hotel.crm.cases(&all).await);
        open_cases += alone.cases.len();
        closed_cases += all.len() - alone.cases.len();
        assert_eq!(overview, Outcome::Done(alone), "{email}");
    }
    assert!(open_cases > 0 && closed_cases > 0);
}

fn close_all_cases(hotel: &Hotel) {
    let cases = hotel.sandbox.state()["salesforce"]["Case"].clone();
    let closed = json!({ "Status": "Closed" });
    for case in cases.as_array().unwrap() {
        let id = case["Id"].as_str().unwrap();
        let edited = hotel.sandbox.edit("Case", id, closed.as_object().unwrap());
        edited.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_email_is_nobodys() {
    let hotel = hotel();
    let nobody = hotel.crm.stay_overview(&query("")).await;
    assert_eq!(nobody, Outcome::Done(StayOverviewRecords::default()));
    assert_eq!(hotel.operations(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_folio_hides_no_other_part() {
    let hotel = hotel();
    let id = hotel.beth().await.opportunity.id;
    let amount = ["Amount".to_owned()];
    let blanked = hotel.sandbox.blank("Opportunity", Some(&id), Some(&amount));
    blanked.unwrap();
    let overview = done(hotel.crm.stay_overview(&query(BETH)).await);
    let balances: Vec<_> = overview.in_house.iter().map(Stay::balance).collect();
    assert_eq!(balances, [None]);
    assert!(!overview.bookings.is_empty());
}

/// Response with this status of each part: a readable list without rows, or an error.
fn parts(statuses: [(&str, u16); 3]) -> String {
    let part = |(name, status): (&str, u16)| {
        let body = if status == 200 {
            r#"{"totalSize":0,"done":true,"records":[]}"#
        } else {
            r#"[{"errorCode":"INVALID_TYPE","message":"sObject type is not supported."}]"#
        };
        format!(
            r#"{{"body":{body},"httpHeaders":{{}},"httpStatusCode":{status},"referenceId":"{name}"}}"#
        )
    };
    let parts = statuses.map(part).join(",");
    format!(r#"{{"compositeResponse":[{parts}]}}"#)
}

#[tokio::test(start_paused = true)]
async fn only_unreadable_bookings_fail_the_overview() {
    for (bookings, cases, folios, reply) in [
        (200, 200, 200, "done"),
        (200, 400, 200, "done"),
        (200, 200, 400, "done"),
        (200, 500, 404, "done"),
        (400, 200, 200, "try_later INVALID_TYPE"),
        (503, 503, 503, "unknown http_503"),
    ] {
        let body = parts([("bookings", bookings), ("cases", cases), ("folios", folios)]);
        let transport = Canned::new([status(200, &body)]);
        let crm = salesforce(transport.clone());
        let overview = crm.stay_overview(&query(BETH)).await;
        assert_eq!(arm(&overview), reply, "{bookings} {cases} {folios}");
        let seen = transport.seen();
        assert_eq!(seen.len(), 1);
        // A failed part must not roll back or halt the others
        assert!(seen[0].body.starts_with(br#"{"allOrNone":false,"#));
    }
    let other = parts([("booking", 200), ("cases", 200), ("folios", 200)]);
    let crm = salesforce(Canned::new([status(200, &other)]));
    let overview = crm.stay_overview(&query(BETH)).await;
    assert_eq!(arm(&overview), "unknown garbage");
}
