//! The list of compensations, and the evidence of one of them.

use super::check_out::{check_out, refuse_writes};
use crate::prelude::*;

/// A check-out whose payment was refunded; its record.
async fn compensated(hotel: &TestHotel, manager: &Browser, guest: &str, card: &str) -> String {
    let guest = hotel.browser().guest(guest).await;
    let path = check_out(&guest, card).await;
    let record = path.replace("/guest/execution/", "/staff/executions/");
    manager.until(&record, "Undone").await;
    record
}

#[tokio::test]
async fn the_list_says_where_the_money_is_and_the_file_the_same() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff(MANAGER).await;
    refuse_writes(&hotel);
    // Stripe accepts the refund, and is not done with it
    let record = compensated(&hotel, &manager, BETH, "pm_card_pendingRefund").await;
    let page = manager.open("/staff/compensations").await;
    page.has(&[
        "Beth Gibbs</a>",
        "room 302",
        &record,
        "$250.00 is on its way back.",
        "charged <time",
        "failed after ",
        "refunded after ",
        "<dt>From charge to refund</dt>",
        "<dt>Pending at Stripe</dt><dd>$250.00<small>1 payment</small>",
    ]);
    let state = hotel.state();
    let (payment, refund) = (
        state["stripe"]["payment_intents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["amount"] == 25_000)
            .unwrap()["id"]
            .clone(),
        state["stripe"]["refunds"][0]["id"].clone(),
    );
    let (payment, refund) = (payment.as_str().unwrap(), refund.as_str().unwrap());
    // The sandbox's ids have no page at Stripe
    page.has(&[payment, refund]);
    page.lacks(&["data-copy", "dashboard.stripe.com"]);
    let copied = format!("data-copy=\"{refund}\"");
    manager.sees(&record, &[&copied]).await;
    let file = manager.open("/staff/compensations.csv").await;
    let lines: Vec<_> = file.text.lines().collect();
    let cell = |name: &str| {
        let n = lines[0].split(',').position(|head| head == name).unwrap();
        lines[1].split(',').nth(n).unwrap().to_owned()
    };
    assert_eq!(cell("payment_intent_id"), payment);
    assert_eq!(cell("refund_status"), "pending");
    assert_eq!(cell("refunded"), "25000");
    assert_eq!(cell("requested_by"), "saga");
    let moments = ["charged_at", "failed_at", "refunded_at"];
    let moments = moments.map(|name| cell(name).parse::<jiff::Timestamp>().unwrap());
    assert!(moments.is_sorted(), "{moments:?}");
    // Stripe is asked again: its later answer is in no record
    hotel
        .admin("refund", &json!({ "id": refund, "status": "succeeded" }))
        .await;
    let page = manager.open("/staff/compensations").await;
    page.has(&[
        "<dt>Pending at Stripe</dt><dd>$0.00<small>no payment</small>",
        "$250.00 was refunded.",
    ]);
}

#[tokio::test]
async fn evidence_holds_what_was_sent_and_is_for_the_front_desk() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff(MANAGER).await;
    refuse_writes(&hotel);
    let record = compensated(&hotel, &manager, BETH, "pm_card_visa").await;
    manager
        .sees(&record, &[&format!("{record}/evidence.html")])
        .await;
    let file = manager.open(&format!("{record}/evidence.json")).await;
    assert!(
        file.header("content-disposition")
            .starts_with("attachment; filename=\"exe_")
    );
    let evidence: Value = serde_json::from_str(&file.text).unwrap();
    let sums = json!({ "currency": "usd", "charged": 25_000, "refunded": 25_000, "kept": 0 });
    assert_eq!(evidence["sums"], sums);
    assert_eq!(evidence["guest_email"], BETH);
    assert_eq!(evidence["made_by"], format!("staff:{MANAGER}"));
    assert_eq!(evidence["asked"].get("_by"), None);
    // Keys and bodies are those that Stripe was sent
    let asked = evidence["requests"].as_array().unwrap();
    let of = |path: &str| asked.iter().find(|one| one["path"] == path).unwrap();
    let (pay, refund) = (of("/v1/payment_intents"), of("/v1/refunds"));
    let id = record.rsplit('/').next().unwrap();
    assert!(pay["key"].as_str().unwrap().ends_with(&format!("{id}:pay")));
    assert!(pay["body"].as_str().unwrap().contains("amount=25000"));
    let made = &refund["answers"][0]["outcome"]["value"]["refund"]["id"];
    assert_eq!(*made, hotel.state()["stripe"]["refunds"][0]["id"]);
    // The chains are the stored ones
    let stored = hotel.execution(id.parse().unwrap()).await;
    let digests = stored.rows.iter().map(|row| json!(row.digest));
    let told = evidence["journal"].as_array().unwrap();
    let told = told.iter().map(|row| row["digest"].clone());
    assert_eq!(told.collect::<Vec<_>>(), digests.collect::<Vec<_>>());
    assert_eq!(
        evidence["audit"].as_array().unwrap().len(),
        stored.audit.len()
    );

    // The page holds the same for programs, and nothing that ends it early
    let page = manager.open(&format!("{record}/evidence.html")).await;
    let data = page.text.split("id=\"evidence\">").nth(1).unwrap();
    let mut inside: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    inside["made_at"] = evidence["made_at"].clone();
    assert_eq!(inside, evidence);
    page.has(&["<th scope=\"row\">Given back</th><td class=\"n\">$250.00</td>"]);

    // Nobody else gets it
    let path = format!("{record}/evidence.json");
    let desk = hotel.browser().staff(FRONT_DESK).await;
    assert_eq!(desk.status(&path).await, 200);
    let keeper = hotel.browser().staff("housekeeping@dewy.example").await;
    assert_eq!(keeper.status(&path).await, 404);
    keeper.misses(&record, &["evidence."]).await;
    let beth = hotel.browser().guest(BETH).await;
    assert_eq!(beth.open(&path).await.to(), "/staff/sign-in");
    let none = format!("/staff/executions/{}/evidence.json", "exe_none");
    assert_eq!(manager.status(&none).await, 404);
}

/// Edit of a file.
type Change<'a> = &'a dyn Fn(&mut Value);

#[tokio::test]
async fn evidence_replays_to_the_same_end_or_the_event_that_differs_is_named() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff(MANAGER).await;
    refuse_writes(&hotel);
    let record = compensated(&hotel, &manager, BETH, "pm_card_visa").await;
    let saved = manager.open(&format!("{record}/evidence.json")).await.text;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evidence.json");
    let replay = |text: &str| {
        std::fs::write(&file, text).unwrap();
        // Anywhere: it has no store and calls nobody
        let environment = [("DATABASE_URL", "sqlite:///nowhere/dewy.db")];
        let out = dewy(environment, &["replay", file.to_str().unwrap()]).output();
        let out = out.unwrap();
        let said = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
        (out.status.success(), said.concat())
    };
    let evidence: Value = serde_json::from_str(&saved).unwrap();
    let (same, said) = replay(&saved);
    let events = u64::try_from(evidence["journal"].as_array().unwrap().len()).unwrap();
    let end = format!("the same end after {events} events: compensated.");
    assert!(same && said.contains(&end), "{said}");

    let mut requests = evidence["requests"].as_array().unwrap().iter();
    let pay = requests.position(|one| one["path"] == "/v1/payment_intents");
    let pay = pay.unwrap();
    let seq = evidence["requests"][pay]["seq"].as_u64().unwrap();
    let row = usize::try_from(seq).unwrap() - 1;
    let more = |value: &mut Value| {
        *value = json!(
            value
                .as_str()
                .unwrap()
                .replace("amount=25000", "amount=26000")
        );
    };
    let (changed, another) = ("was changed", "is another request in the file");
    let changes: [(&str, u64, Change<'_>); 4] = [
        (changed, seq, &|file| {
            more(&mut file["journal"][row]["event"])
        }),
        (another, seq, &|file| {
            more(&mut file["requests"][pay]["body"])
        }),
        ("makes the sums", events, &|file| {
            file["sums"]["charged"] = json!(26_000)
        }),
        ("ends in compensated", events, &|file| {
            file["state"] = json!("completed")
        }),
    ];
    for (what, seq, change) in changes {
        let mut file = evidence.clone();
        change(&mut file);
        let (same, said) = replay(&file.to_string());
        let expected = format!("event {seq} {what}");
        assert!(!same && said.contains(&expected), "{expected}: {said}");
    }
    let (same, said) = replay("{}");
    assert!(!same && said.contains("no evidence as JSON"), "{said}");
}

#[tokio::test]
async fn a_record_has_an_owner_and_the_notes_of_its_stay() {
    let hotel = TestHotel::open().await;
    let manager = hotel.browser().staff(MANAGER).await;
    let desk = hotel.browser().staff(FRONT_DESK).await;
    refuse_writes(&hotel);
    // Stripe gives nothing back for a payment that is disputed
    let nora = hotel.browser().guest(NORA).await;
    let path = check_out(&nora, "pm_card_createDispute").await;
    let record = path.replace("/guest/execution/", "/staff/executions/");
    let id = record.rsplit('/').next().unwrap();
    manager.until(&record, "Stripe refused the refund").await;
    manager.sees(&record, &["Nobody yet.", "Take it on"]).await;
    let take = format!("execution_id={id}&own=yes");
    let sent = desk.post("own_record", &take).await;
    assert_eq!(sent.to(), record);
    let page = desk.open(&record).await;
    page.has(&["You look after it now.", "Hand it back"]);
    let owned = format!("{FRONT_DESK} looks after it");
    manager.sees("/staff/compensations", &[&owned]).await;
    // Another one takes it over; the first one has seen it first
    manager.post("own_record", &take).await;
    let seen = format!("Acknowledged by {FRONT_DESK}");
    desk.sees(&record, &[&format!("<strong>{MANAGER}</strong>"), &seen])
        .await;
    let back = format!("execution_id={id}&own=no");
    manager.submit("own_record", &back).await;
    let page = desk.sees(&record, &["Nobody yet.", &seen]).await;
    page.lacks(&["Hand it back"]);
    manager
        .misses("/staff/compensations", &["looks after it"])
        .await;
    // Housekeeping may not, and a record of nobody leads nowhere else
    let keeper = hotel.browser().staff("housekeeping@dewy.example").await;
    keeper.post("own_record", &take).await;
    desk.sees(&record, &["Nobody yet."]).await;
    let strange = desk
        .post("own_record", "execution_id=..%2F..%2Fx&own=yes")
        .await;
    assert_eq!(strange.to(), "/staff/executions/..%2F..%2Fx");

    // The notes of the stay are on both pages
    let note =
        format!("booking_number=BK-0035&execution_id={id}&body=Called+her&idempotency_token=n1");
    let page = desk.open(&record).await;
    let number = page
        .text
        .split("name=\"booking_number\" value=\"")
        .nth(1)
        .unwrap();
    let number = number.split('"').next().unwrap();
    let note = note.replace("BK-0035", number);
    let sent = desk.post("add_note", &note).await;
    assert!(sent.location().ends_with(&format!("{record}#notes")));
    for path in [record.clone(), format!("/staff/stays/{number}")] {
        manager.sees(&path, &["Called her"]).await;
    }
}
