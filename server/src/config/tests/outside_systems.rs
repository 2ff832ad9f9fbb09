//! What each outside system needs to be configured.

use super::*;

#[test]
fn a_half_configured_system_names_what_is_missing() {
    let trial = |name, value| read(&[("DEWY_MODE", "trial"), (name, value)]).unwrap_err();
    assert_eq!(
        trial("SALESFORCE_LOGIN_URL", "https://org.example"),
        ["SALESFORCE_CLIENT_ID", "SALESFORCE_CLIENT_SECRET"]
    );
    assert_eq!(
        trial("STRIPE_API_BASE", "http://127.0.0.1:9"),
        [
            "STRIPE_SECRET_KEY",
            "STRIPE_PUBLISHABLE_KEY",
            "STRIPE_WEBHOOK_SECRET"
        ]
    );
    assert_eq!(
        trial("TWILIO_FROM", "+12125550190"),
        ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"]
    );
    assert_eq!(
        trial("STRIPE_SECRET_KEY", "pk_oops")
            .first()
            .map(String::as_str),
        Some("STRIPE_PUBLISHABLE_KEY")
    );
    // Empty counts as unset, as in a copied .env.example.
    assert!(
        read(&[
            ("STRIPE_SECRET_KEY", ""),
            ("TWILIO_FROM", " "),
            ("DEWY_MODE", "")
        ])
        .is_ok()
    );
}

#[test]
fn twilio_has_one_sender_and_signs_in_by_token_or_key() {
    let sid = |prefix: &str| format!("{prefix}{}", "0a".repeat(16));
    let (account, key, service) = (sid("AC"), sid("SK"), sid("MG"));
    let with = |variables: &[(&str, &str)]| {
        let fixed = [("DEWY_MODE", "trial"), ("TWILIO_ACCOUNT_SID", &*account)];
        read(&[&fixed, variables].concat())
    };
    let (token, from) = (
        ("TWILIO_AUTH_TOKEN", "t0ken"),
        ("TWILIO_FROM", "+12125550190"),
    );
    let (key, secret) = (("TWILIO_API_KEY", &*key), ("TWILIO_API_SECRET", "s3cret"));
    let service = ("TWILIO_MESSAGING_SERVICE_SID", &*service);
    for good in [
        vec![token, from],
        vec![key, secret, service],
        vec![token, key, secret, from],
    ] {
        let twilio = with(&good).unwrap().twilio.unwrap();
        let connection = twilio.connection();
        let by_key = good.contains(&key);
        assert_eq!(connection.user == key.1, by_key, "{good:?}");
        assert_eq!(
            twilio.auth_token.is_some(),
            good.contains(&token),
            "{good:?}"
        );
    }
    for sender in ["24321", "DewyResort"] {
        assert!(with(&[token, ("TWILIO_FROM", sender)]).is_ok(), "{sender}");
    }
    for (wrong, faults) in [
        (vec![from], vec!["TWILIO_AUTH_TOKEN"]),
        (vec![key, from], vec!["TWILIO_API_SECRET"]),
        (vec![token], vec!["TWILIO_FROM"]),
        (vec![token, from, service], vec!["TWILIO_FROM"]),
        (
            vec![token, ("TWILIO_FROM", "2125550190")],
            vec!["TWILIO_FROM"],
        ),
        (
            vec![token, ("TWILIO_FROM", "+1 212 555 0190")],
            vec!["TWILIO_FROM"],
        ),
        (vec![token, (service.0, key.1)], vec![service.0]),
        (
            vec![(key.0, service.1), secret, from],
            vec!["TWILIO_API_KEY"],
        ),
        (
            vec![("TWILIO_ACCOUNT_SID", "AC1"), token, from],
            vec!["TWILIO_ACCOUNT_SID"],
        ),
    ] {
        assert_eq!(
            with(&wrong).map(|_| ()),
            Err(faults.into_iter().map(str::to_owned).collect()),
            "{wrong:?}"
        );
    }
}

#[test]
fn a_mail_server_is_complete_or_absent_and_needs_tls_for_a_password() {
    let with = |url: &str, from: &str| {
        read(&[
            ("DEWY_MODE", "trial"),
            ("SMTP_URL", url),
            ("SMTP_FROM", from),
        ])
    };
    let sender = "Dewy Resort <stay@dewy.example>";
    for url in [
        "smtps://user:secret@mail.example",
        "smtp://user:secret@mail.example:587?tls=required",
        "smtp://user:secret@127.0.0.1:2525",
        "smtp://mail.example",
    ] {
        assert!(
            with(url, sender).is_ok_and(|config| config.mail.is_some()),
            "{url}"
        );
    }
    assert!(with("", "").is_ok_and(|config| config.mail.is_none()));
    for (url, from) in [
        ("smtps://user:secret@mail.example", ""),
        ("smtps://user:secret@mail.example", "nobody"),
        ("", sender),
        ("user:secret@mail.example", sender),
        ("https://user:secret@mail.example", sender),
        ("smtp://user:secret@mail.example", sender),
    ] {
        let variables = with(url, from).unwrap_err();
        assert!(
            variables.iter().all(|name| name.starts_with("SMTP_")),
            "{variables:?}"
        );
    }
    let secret = |name: &str| match name {
        "DEWY_MODE" => Some("trial".to_owned()),
        "SMTP_FROM" => Some(sender.to_owned()),
        "SMTP_URL" => Some("smtp://user:secret@mail.example".to_owned()),
        _ => None,
    };
    let error = Config::read(&secret).unwrap_err().to_string();
    assert!(
        error.contains("SMTP_URL") && !error.contains("secret"),
        "{error}"
    );
}
