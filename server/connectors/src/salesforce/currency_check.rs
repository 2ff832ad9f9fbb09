//! Currency of an org's amounts. Checked by the operator before the first guest: in most orgs an
//! amount has no currency of its own, so a mismatch would charge the wrong amount and nothing else
//! would detect it.

use dewy_domain::{
    money::Currency,
    ports::HttpRequest,
    upstream_request::{Fault, Outcome},
    vocabulary::BookingStatus,
};
use secrecy::ExposeSecret;
use serde::Deserialize;

use super::{Picklist, Salesforce, session::Session, soql};
use crate::{
    client_policy::Priority,
    exchange_result::{Response, malformed_response, no_response},
};

/// Maximum number of named records.
const MAX_NAMED: usize = 5;

/// Currency of an org's amounts, and the records that differ from the hotel's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrgCurrency {
    /// In an org with one currency: that currency. In an org with several: the currency of records
    /// that our user creates.
    pub ours: String,
    /// Whether each record has its own currency.
    pub several: bool,
    /// Names of rooms and open bookings whose amounts are in another currency than the hotel's; a
    /// few at most.
    pub others: Vec<String>,
}

impl OrgCurrency {
    /// Mismatch with a hotel of this currency, as a message.
    #[must_use]
    pub fn mismatch(&self, hotel: Currency) -> Option<String> {
        if !self.ours.eq_ignore_ascii_case(hotel.code()) {
            let whose = if self.several {
                "creates our user's records in"
            } else {
                "stores its amounts in"
            };
            return Some(format!(
                "HOTEL_CURRENCY is {hotel}, but the Salesforce org {whose} {}: every amount would be read in the wrong currency. Set HOTEL_CURRENCY, or the org's currency",
                self.ours
            ));
        }
        (!self.others.is_empty()).then(|| {
            format!(
                "HOTEL_CURRENCY is {hotel}, but amounts of these records are in another currency and would be read as {hotel}: {}",
                self.others.join(", ")
            )
        })
    }
}

/// Response of SOAP's `getUserInfo`; REST doesn't report the currency of a single-currency org.
#[derive(Debug, PartialEq, Eq)]
struct UserInfo {
    several: bool,
    currency: String,
}

#[derive(Deserialize)]
struct RoomRow {
    #[serde(rename = "Room_Number__c")]
    number: Option<String>,
}

#[derive(Deserialize)]
struct BookingRow {
    #[serde(rename = "Name")]
    number: String,
}

impl Salesforce {
    /// Currency of the org, compared with the hotel's, record by record where each record has its
    /// own.
    pub async fn currency(&self, hotel: Currency) -> Outcome<OrgCurrency> {
        let info = match self.user_info().await {
            Outcome::Done(info) => info,
            other => return other.map(|_| OrgCurrency::default()),
        };
        if !info.several {
            return Outcome::Done(OrgCurrency {
                ours: info.currency,
                several: false,
                others: Vec::new(),
            });
        }
        let other = soql::text(&hotel.code().to_ascii_uppercase());
        let rooms = format!(
            "SELECT Room_Number__c FROM Hotel_Room__c WHERE CurrencyIsoCode != {other} ORDER BY Room_Number__c LIMIT {MAX_NAMED}"
        );
        let vocabulary = &self.config.vocabulary;
        let open = [BookingStatus::Reserved, BookingStatus::CheckedIn];
        let open = open.map(|ours| {
            vocabulary
                .theirs(Picklist::BookingStatus, ours.as_str())
                .to_owned()
        });
        let bookings = format!(
            "SELECT Name FROM Booking__c WHERE Opportunity__r.CurrencyIsoCode != {other} AND {} ORDER BY Name LIMIT {MAX_NAMED}",
            soql::among("Status__c", &open)
        );
        let rooms = self.requests.query(&rooms);
        let rooms = self.rows::<RoomRow>(Priority::Normal, &rooms).await;
        let bookings = self.requests.query(&bookings);
        let bookings = self.rows::<BookingRow>(Priority::Normal, &bookings).await;
        rooms.and_then(|rooms| {
            bookings.and_then(|bookings| {
                let rooms = rooms
                    .into_iter()
                    .filter_map(|row| row.number)
                    .map(|number| format!("room {number}"));
                let others = rooms
                    .chain(bookings.into_iter().map(|row| row.number))
                    .collect();
                Outcome::Done(OrgCurrency {
                    ours: info.currency,
                    several: true,
                    others,
                })
            })
        })
    }

    /// One SOAP call, which carries its session id in the body.
    async fn user_info(&self) -> Outcome<UserInfo> {
        let until = self.policy.until(self.config.deadline);
        let mut stale = None;
        for _ in 0..2 {
            let session = match self
                .sessions
                .get(stale.as_ref(), &self.config, &self.policy, until)
                .await
            {
                Ok(session) => session,
                Err(not_sent) => {
                    return not_sent.and_then(|()| {
                        Outcome::TryLater(Fault::new("not_sent", "nothing was sent"))
                    });
                }
            };
            let response = match self
                .policy
                .send(
                    "describe",
                    request(&session, &self.config.api_version),
                    session.secret(),
                    until,
                )
                .await
            {
                Ok(response) => response,
                Err(error) => return Outcome::TryLater(error),
            };
            let reply = answer(&response);
            self.policy.note("describe", &reply);
            match reply {
                Outcome::Refused(error) if error.code.ends_with("INVALID_SESSION_ID") => {
                    stale = Some(session)
                }
                other => return other,
            }
        }
        Outcome::TryLater(Fault::new(
            "INVALID_SESSION_ID",
            "the session is not valid for the SOAP API",
        ))
    }
}

fn request(session: &Session, version: &str) -> HttpRequest {
    let body = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Header><SessionHeader xmlns="urn:partner.soap.sforce.com"><sessionId>{}</sessionId></SessionHeader></Header><Body><getUserInfo xmlns="urn:partner.soap.sforce.com"/></Body></Envelope>"#,
        session
            .secret()
            .expose_secret()
            .replace('&', "&amp;")
            .replace('<', "&lt;")
    );
    HttpRequest {
        method: "POST".to_owned(),
        url: format!(
            "{}/services/Soap/u/{}",
            session.base,
            version.trim_start_matches('v')
        ),
        headers: vec![
            (
                "content-type".to_owned(),
                "text/xml; charset=UTF-8".to_owned(),
            ),
            ("soapaction".to_owned(), "\"\"".to_owned()),
        ],
        body: body.into_bytes(),
    }
}

/// Reads only four elements, so no parser is needed: none of them can contain another, or free
/// text.
fn answer(response: &Response) -> Outcome<UserInfo> {
    let response = match response {
        Ok(response) => response,
        Err(error) => return no_response(error),
    };
    let Ok(body) = std::str::from_utf8(&response.body) else {
        return malformed_response("an answer of SOAP");
    };
    if response.status != 200 {
        return match element(body, "faultcode") {
            Some(code) => Outcome::Refused(Fault::new(code, "SOAP's getUserInfo was refused")),
            None => Outcome::Unknown(Fault::new(
                format!("http_{}", response.status),
                "SOAP's getUserInfo got no response",
            )),
        };
    }
    let several = element(body, "orgHasMultiCurrency");
    let currency = match several {
        Some("true") => element(body, "userDefaultCurrencyIsoCode"),
        Some("false") => element(body, "orgDefaultCurrencyIsoCode"),
        _ => None,
    };
    match currency {
        Some(currency) if currency.len() == 3 => Outcome::Done(UserInfo {
            several: several == Some("true"),
            currency: currency.to_owned(),
        }),
        _ => malformed_response("a currency in SOAP's getUserInfo"),
    }
}

fn element<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = body.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use dewy_domain::ports::HttpResponse;

    use super::*;

    fn response(status: u16, inside: &str) -> Response {
        Ok(HttpResponse {
            status,
            headers: Vec::new(),
            body: format!("<x>{inside}</x>").into_bytes(),
        })
    }

    #[test]
    fn currency_of_single_and_multi_currency_orgs() {
        let one = "<orgDefaultCurrencyIsoCode>EUR</orgDefaultCurrencyIsoCode><orgHasMultiCurrency>false</orgHasMultiCurrency><userDefaultCurrencyIsoCode xsi:nil=\"true\"/>";
        assert_eq!(
            answer(&response(200, one)),
            Outcome::Done(UserInfo {
                several: false,
                currency: "EUR".to_owned()
            })
        );
        let several = "<orgDefaultCurrencyIsoCode xsi:nil=\"true\"/><orgHasMultiCurrency>true</orgHasMultiCurrency><userDefaultCurrencyIsoCode>USD</userDefaultCurrencyIsoCode>";
        assert_eq!(
            answer(&response(200, several)),
            Outcome::Done(UserInfo {
                several: true,
                currency: "USD".to_owned()
            })
        );
        assert!(matches!(
            answer(&response(200, "<html>")),
            Outcome::Unknown(_)
        ));
        let fault = "<faultcode>sf:INVALID_SESSION_ID</faultcode>";
        assert!(
            matches!(answer(&response(500, fault)), Outcome::Refused(t) if t.code == "sf:INVALID_SESSION_ID")
        );
    }

    #[test]
    fn currency_mismatches_are_named() {
        let of = |ours: &str, others: &[&str]| OrgCurrency {
            ours: ours.to_owned(),
            several: !others.is_empty(),
            others: others.iter().map(|o| (*o).to_owned()).collect(),
        };
        assert_eq!(of("USD", &[]).mismatch(Currency::USD), None);
        assert!(
            of("EUR", &[])
                .mismatch(Currency::USD)
                .unwrap()
                .contains("EUR")
        );
        assert!(
            of("USD", &["room 302"])
                .mismatch(Currency::USD)
                .unwrap()
                .contains("room 302")
        );
    }
}
