//! An org whose vocabulary differs everywhere. Above the connector nothing changes.

use async_trait::async_trait;
use dewy_connectors::OrgVocabulary;
use dewy_domain::ports::{ChargeOrder, CheckInOrder, RefundLine, SentTextRecord, VoidOrder};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{prelude::*, sandbox_hotel::arriving};

/// Org word for every hotel word: all distinct, and none equal to a hotel word.
fn own_vocabulary() -> OrgVocabulary {
    let pairs: Vec<String> = OrgVocabulary::default()
        .all()
        .map(|word| format!("{}=Zz {} zZ", word.name, word.name.replace('_', " ")))
        .collect();
    OrgVocabulary::parse(&pairs.join(";")).unwrap()
}

/// The sandbox's org with another vocabulary, translated field by field in both directions.
#[derive(Debug)]
struct OtherOrg {
    sandbox: Sandbox,
    vocabulary: OrgVocabulary,
}

impl OtherOrg {
    /// An org word is unique in any text, so the whole text can be searched; a hotel word in a
    /// request is a bug.
    fn inward(&self, text: &str) -> String {
        let clear = percent_decode_str(text).decode_utf8().unwrap().into_owned();
        for word in self.vocabulary.all() {
            let quoted = [format!("'{}'", word.ours), format!(":\"{}\"", word.ours)];
            assert!(
                !quoted.iter().any(|ours| clear.contains(ours)),
                "{:?} left the house in {clear}",
                word.ours
            );
        }
        let mut text = text.to_owned();
        for word in self.vocabulary.all() {
            let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
            text = text
                .replace(word.theirs, word.ours)
                .replace(&encoded(word.theirs), &encoded(word.ours));
        }
        text
    }

    /// Puts the org's words into every record, by object and field.
    fn outward(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.outward(item)),
            Value::Object(fields) => {
                let object = fields
                    .get("attributes")
                    .and_then(|a| a["type"].as_str())
                    .unwrap_or_default()
                    .to_owned();
                for (name, field) in fields.iter_mut() {
                    let word = self.vocabulary.all().find(|word| {
                        word.list.place() == (object.as_str(), name.as_str())
                            && field.as_str() == Some(word.ours)
                    });
                    match word {
                        Some(word) => *field = word.theirs.into(),
                        None => self.outward(field),
                    }
                }
            }
            _ => {}
        }
    }
}

#[async_trait]
impl Transport for OtherOrg {
    async fn send(
        &self,
        mut request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        request.url = self.inward(&request.url);
        request.body = self
            .inward(&String::from_utf8(request.body).unwrap())
            .into_bytes();
        let mut response = self.sandbox.send(request, deadline).await?;
        if let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) {
            self.outward(&mut body);
            response.body = body.to_string().into_bytes();
        }
        Ok(response)
    }
}

fn other_hotel() -> Hotel {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let mut config = SalesforceConfig::new("http://sandbox", "client", "secret".to_owned().into());
    config.vocabulary = own_vocabulary();
    let transport = OtherOrg {
        sandbox: sandbox.clone(),
        vocabulary: own_vocabulary(),
    };
    let crm = Salesforce::new(config, Arc::new(transport), clock.clone());
    Hotel {
        sandbox,
        crm,
        clock,
    }
}

#[tokio::test(start_paused = true)]
async fn every_write_and_read_is_the_same_as_in_the_reference_org() {
    let (ours, theirs) = (hotel(), other_hotel());
    let (mut one, mut other) = (story(&ours).await, story(&theirs).await);
    assert_eq!(one.len(), other.len());
    for (one, other) in one.drain(..).zip(other.drain(..)) {
        assert_eq!(one, other);
    }
    assert_eq!(
        ours.sandbox.state()["salesforce"],
        theirs.sandbox.state()["salesforce"]
    );
}

/// Every CRM operation of a hotel, with its result.
async fn story(hotel: &Hotel) -> Vec<String> {
    let mut response = Vec::new();
    let crm = &hotel.crm;
    let sarah = hotel.sarah().await;
    response.push(format!("{sarah:?}"));
    let after = done(hotel.check_in(&sarah).await);
    response.push(format!("{after:?}"));
    let back = RevertOrder {
        execution_id: "exe_in".to_owned(),
        booking: Some((after.booking.clone(), sarah.booking.clone())),
        room: Some((after.room.clone(), sarah.room.clone())),
        opportunity: Some((after.opportunity.clone(), sarah.opportunity.clone())),
        opportunity_id: sarah.opportunity.id.clone(),
        missing_payment: None,
        refund: None,
        unpaid: vec![],
        at: hotel.clock.now(),
    };
    response.push(format!(
        "{:?}",
        arm(&crm.send_revert(&crm.revert(&back)).await)
    ));
    response.push(format!(
        "{:?}",
        arm(&crm
            .send_check_in(&crm.check_in(&CheckInOrder {
                stay: sarah.clone()
            }))
            .await)
    ));

    let beth = hotel.beth().await;
    let charge = ChargeOrder {
        execution_id: "exe_c".to_owned(),
        stay: beth.clone(),
        amount: Cents(700),
        at: hotel.clock.now(),
    };
    let charged = done(crm.send_charge(&crm.charge(&charge)).await);
    response.push(format!("{charged:?}"));
    let beth = done(crm.in_house(&"302".into()).await).remove(0);
    let void = VoidOrder {
        stay: beth.clone(),
        line_id: charged.marker.unwrap().id,
    };
    response.push(format!(
        "{:?}",
        crm.send_charge(&crm.void_charge(&void)).await
    ));
    response.push(format!(
        "{:?}",
        crm.send_touch(&crm.build_touch(&hotel.beth().await.booking))
            .await
    ));

    let before = hotel.beth().await;
    let out = done(hotel.check_out(&hotel.order(before.clone())).await);
    response.push(format!(
        "{out:?} {:?}",
        dewy_domain::stay::balance(out.opportunity.amount, &out.lines)
    ));
    let back = RevertOrder {
        execution_id: "exe_1".to_owned(),
        booking: Some((out.booking, before.booking.clone())),
        room: Some((out.room, before.room.clone())),
        opportunity: Some((out.opportunity, before.opportunity.clone())),
        opportunity_id: before.opportunity.id.clone(),
        missing_payment: None,
        refund: Some(RefundLine {
            refund_id: "re_1".to_owned(),
            amount: Cents(25_000),
            status: "Pending".into(),
        }),
        unpaid: vec![],
        at: hotel.clock.now(),
    };
    response.push(format!(
        "{:?}",
        arm(&crm.send_revert(&crm.revert(&back)).await)
    ));
    response.push(format!(
        "{:?}",
        crm.stays_by_number(&["BK-0042".into()]).await
    ));
    response.push(format!(
        "{:?}",
        crm.stays(&arriving("wei.chen@example.com")).await
    ));
    for status in ["Queued", "Sent", "Delivered", "Failed", "Undelivered"] {
        let note = SentTextRecord {
            sid: "SM1".to_owned(),
            to: "+15550100".to_owned(),
            body: "Hello".to_owned(),
            status: status.to_owned(),
            at: hotel.clock.now(),
            opportunity_id: None,
        };
        response.push(format!(
            "{:?}",
            crm.send_record_text(&crm.record_text(&note)).await
        ));
    }
    response
}
