//! Partner SOAP API, limited to what REST doesn't offer: `getUserInfo` returns the currency of a
//! single-currency org.

use dewy_domain::ports::{HttpRequest, HttpResponse};

use super::{Org, org_users};

const OPEN: &str = r#"<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com" xmlns:sf="urn:fault.partner.soap.sforce.com" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>"#;
const CLOSE: &str = "</soapenv:Body></soapenv:Envelope>";

impl Org {
    pub(super) fn soap(&self, request: &HttpRequest) -> HttpResponse {
        let body = String::from_utf8_lossy(&request.body);
        let session = between(&body, "sessionId>", "</").unwrap_or_default();
        if !self.sessions.admits(Some(&format!("Bearer {session}"))) {
            return fault(
                "sf:INVALID_SESSION_ID",
                "Invalid Session ID found in SessionHeader: Illegal Session. Session not found",
            );
        }
        if request.method != "POST" || !body.contains("getUserInfo") {
            return fault("soapenv:Client", "Operation is not available");
        }
        let settings = self.settings();
        let said = |name: &str, value: Option<&str>| match value {
            Some(value) => format!("<{name}>{value}</{name}>"),
            None => format!("<{name} xsi:nil=\"true\"/>"),
        };
        let currency = Some(settings.currency.as_str());
        let (single, several) = if settings.multi_currency {
            (None, currency)
        } else {
            (currency, None)
        };
        let inside = [
            said(
                "currencySymbol",
                single.map(|code| if code == "USD" { "$" } else { code }),
            ),
            said("orgDefaultCurrencyIsoCode", single),
            said(
                "orgHasMultiCurrency",
                Some(if settings.multi_currency {
                    "true"
                } else {
                    "false"
                }),
            ),
            said("userDefaultCurrencyIsoCode", several),
            said("userId", Some(&org_users::integration().to_string())),
        ];
        let answer = format!(
            "<getUserInfoResponse><result>{}</result></getUserInfoResponse>",
            inside.concat()
        );
        respond(200, &answer)
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}

fn fault(code: &str, words: &str) -> HttpResponse {
    let fault = format!(
        "<soapenv:Fault><faultcode>{code}</faultcode><faultstring>{words}</faultstring></soapenv:Fault>"
    );
    respond(500, &fault)
}

fn respond(status: u16, inside: &str) -> HttpResponse {
    HttpResponse {
        status,
        headers: vec![(
            "content-type".to_owned(),
            "text/xml; charset=utf-8".to_owned(),
        )],
        body: format!("{OPEN}{inside}{CLOSE}").into_bytes(),
    }
}
