//! What each mode accepts.

use super::*;

#[test]
fn a_demo_takes_no_credentials() {
    assert_eq!(
        faults("demo", "test", &[]),
        ["DEWY_MODE", "DEWY_MODE"],
        "one line for each system"
    );
    assert_eq!(
        read(&SALESFORCE).unwrap_err(),
        ["DEWY_MODE"],
        "demo is the default"
    );
    let model = [("OPENAI_API_KEY", "k"), ("OPENAI_MODEL", "m")];
    assert_eq!(read(&model).unwrap_err(), ["DEWY_MODE"]);
    let half = [("TWILIO_FROM", "+12125550190")];
    assert_eq!(
        read(&half).unwrap_err(),
        ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "DEWY_MODE"],
        "all at once"
    );
    assert_eq!(
        read(&[("DEWY_MODE", "production")]).unwrap_err(),
        ["DEWY_MODE"]
    );
}

#[test]
fn a_trial_accepts_any_mix_of_test_keys() {
    assert_eq!(faults("trial", "test", &[]), [""; 0]);
    assert_eq!(
        faults("trial", "live", &[]),
        ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"]
    );
    assert_eq!(
        faults("trial", "test", &[("STRIPE_PUBLISHABLE_KEY", "pk_live_1")]),
        ["STRIPE_PUBLISHABLE_KEY"]
    );
    assert_eq!(
        faults("trial", "test", &[("STRIPE_SECRET_KEY", "rk_test_1")]),
        [""; 0]
    );
    let alone = read(&[("DEWY_MODE", "trial")]).unwrap();
    assert!(alone.needs_sandbox() && !alone.demo());
}

#[test]
fn live_mode_requires_real_systems() {
    assert_eq!(faults("live", "live", &[]), [""; 0]);
    assert_eq!(
        faults("live", "live", &[("STRIPE_SECRET_KEY", "rk_live_1")]),
        [""; 0]
    );
    assert_eq!(
        faults("live", "test", &[]),
        ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"]
    );
    assert_eq!(
        faults("live", "live", &[("STRIPE_PUBLISHABLE_KEY", "pk_test_1")]),
        ["STRIPE_PUBLISHABLE_KEY"]
    );
    assert_eq!(
        read(&[("DEWY_MODE", "live")]).unwrap_err(),
        ["SALESFORCE_LOGIN_URL", "STRIPE_SECRET_KEY"]
    );
    assert_eq!(
        faults(
            "live",
            "test",
            &[
                ("SANDBOX_URL", "http://127.0.0.1:4010"),
                ("SALESFORCE_LOGIN_URL", "http://127.0.0.1:4010"),
                ("STRIPE_API_BASE", "http://localhost:4010"),
                ("LEPTOS_SITE_ADDR", "0.0.0.0:3000"),
            ]
        ),
        [
            "STRIPE_SECRET_KEY",
            "STRIPE_PUBLISHABLE_KEY",
            "SANDBOX_URL",
            "SALESFORCE_LOGIN_URL",
            "STRIPE_API_BASE",
            "PUBLIC_URL"
        ],
        "all at once"
    );
    let beyond = [
        ("LEPTOS_SITE_ADDR", "0.0.0.0:3000"),
        ("PUBLIC_URL", "https://hotel.example"),
    ];
    assert_eq!(faults("live", "live", &beyond), [""; 0]);
    assert_eq!(
        faults("live", "live", &[("PUBLIC_URL", "http://hotel.example")]),
        ["PUBLIC_URL"]
    );
    let keys = stripe("live");
    let config = Config::read(&|name| {
        let all = SALESFORCE
            .iter()
            .copied()
            .chain(keys.iter().map(|(name, key)| (*name, key.as_str())));
        all.chain([("DEWY_MODE", "live")])
            .find(|(n, _)| *n == name)
            .map(|(_, value)| value.to_owned())
    });
    let config = config.unwrap();
    assert!(
        !config.needs_sandbox() && !config.texts() && !config.model(),
        "what is not configured is off"
    );
    assert!(
        !format!("{config:?}").contains("hush"),
        "secrets are never printed"
    );
}

#[test]
fn instances_that_share_a_database_need_a_key_file() {
    let postgres = ("DATABASE_URL", "postgres://localhost/dewy");
    let key = ("DEWY_KEY_FILE", "/run/secrets/dewy.key");
    assert_eq!(faults("trial", "test", &[postgres]), ["DEWY_KEY_FILE"]);
    assert_eq!(faults("live", "live", &[postgres]), ["DEWY_KEY_FILE"]);
    assert_eq!(faults("live", "live", &[postgres, key]), [""; 0]);
    assert!(read(&[postgres]).unwrap().key_file.is_none(), "a demo");
}
