//! Twilio's answers and status callbacks, as they are, and written for Twilio's own declarations and
//! its own check of signatures: `cargo xtask vendors`.

use std::{fmt::Write as _, path::Path, sync::Mutex};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use dewy_domain::ports::Transport;

use crate::{prelude::*, sandbox_client::json as body};

const ACCOUNT: &str = "AC00000000000000000000000000000001";
const SERVICE: &str = "MG00000000000000000000000000000001";
const HOTEL: &str = "https://hotel.example/webhooks/twilio?of=a%20b";

/// Takes every callback; its answer is of no importance.
#[derive(Clone, Debug, Default)]
struct Ear(Arc<Mutex<Vec<HttpRequest>>>);

#[async_trait::async_trait]
impl Transport for Ear {
    async fn send(
        &self,
        request: HttpRequest,
        _: Duration,
    ) -> Result<HttpResponse, TransportError> {
        self.0.lock().unwrap().push(request);
        Err(TransportError::Timeout)
    }
}

async fn call(sandbox: &Sandbox, method: &str, path: &str, form: &[(&str, &str)]) -> Value {
    let pair = STANDARD.encode(format!("{ACCOUNT}:t0ken"));
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish();
    let request = HttpRequest {
        method: method.to_owned(),
        url: format!("https://twilio.test{path}"),
        headers: vec![("authorization".to_owned(), format!("Basic {pair}"))],
        body: form.into_bytes(),
    };
    body(&send(sandbox, request).await.unwrap())
}

fn write(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

#[tokio::test(start_paused = true)]
async fn every_answer_and_callback_is_written_for_the_vendors_client() {
    let sandbox = sandbox();
    let ear = Ear::default();
    let messages = format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json");
    let text = async |to: &str, sender: (&str, &str), more: &[(&str, &str)]| {
        let all = [
            ("To", to),
            sender,
            ("Body", "Hi & 🛎"),
            ("StatusCallback", HOTEL),
        ];
        call(&sandbox, "POST", &messages, &[&all, more].concat()).await
    };
    let number = ("From", "+12125550190");
    let queued = text("+12125550101", number, &[]).await;
    let accepted = text("+12125550102", ("MessagingServiceSid", SERVICE), &[]).await;
    text("+12125559999", number, &[]).await;
    text("+12125558888", number, &[("ValidityPeriod", "10")]).await;
    assert_eq!(
        (
            &queued["status"],
            &accepted["status"],
            &accepted["from"],
            &accepted["num_segments"]
        ),
        (
            &json!("queued"),
            &json!("accepted"),
            &Value::Null,
            &json!("0")
        )
    );
    sandbox.deliver_callbacks(&ear).await;
    assert_eq!(ear.0.lock().unwrap().len(), 0, "nothing has changed yet");
    for _ in 0..12 {
        pass(1).await;
        sandbox.deliver_callbacks(&ear).await;
    }
    let told = std::mem::take(&mut *ear.0.lock().unwrap());
    let fields = |request: &HttpRequest| -> Vec<(String, String)> {
        url::form_urlencoded::parse(&request.body)
            .into_owned()
            .collect()
    };
    let value = |request: &HttpRequest, name: &str| {
        let found = fields(request).into_iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value)
    };
    let statuses: Vec<_> = told
        .iter()
        .map(|request| {
            (
                value(request, "MessageStatus").unwrap(),
                value(request, "ErrorCode"),
            )
        })
        .collect();
    let status = |name: &str, code: Option<&str>| (name.to_owned(), code.map(str::to_owned));
    assert_eq!(
        statuses,
        [
            status("sent", None),
            status("sent", None),
            status("sent", None),
            status("delivered", None),
            status("delivered", None),
            status("undelivered", Some("30003")),
            status("failed", Some("30036")),
        ],
        "each once, though none was answered"
    );

    let one = |sid: &Value| {
        format!(
            "/2010-04-01/Accounts/{ACCOUNT}/Messages/{}.json",
            sid.as_str().unwrap()
        )
    };
    let (_, list) = (0, call(&sandbox, "GET", &messages, &[]).await);
    let mut answers = vec![
        ("Message", queued.clone()),
        ("Message", accepted),
        (
            "Message",
            call(&sandbox, "GET", &one(&queued["sid"]), &[]).await,
        ),
        (
            "Service",
            call(&sandbox, "GET", &format!("/v1/Services/{SERVICE}"), &[]).await,
        ),
    ];
    for (resource, path, rows) in [
        ("Message", "Messages", "messages"),
        (
            "IncomingPhoneNumber",
            "IncomingPhoneNumbers",
            "incoming_phone_numbers",
        ),
        ("ShortCode", "SMS/ShortCodes", "short_codes"),
    ] {
        let path = format!("/2010-04-01/Accounts/{ACCOUNT}/{path}.json");
        let mut page = call(&sandbox, "GET", &path, &[]).await;
        let found = page.as_object_mut().unwrap().remove(rows).unwrap();
        answers.extend(items(&found).iter().map(|row| (resource, row.clone())));
        answers.push(("Page", page));
    }
    assert_eq!(items(&list["messages"]).len(), 4);
    let mut file = "import type { Answers, MessageStatus } from \"./twilio-wire.ts\";\n".to_owned();
    for (n, (resource, answer)) in answers.iter().enumerate() {
        writeln!(
            file,
            "export const answer{n}: Answers[\"{resource}\"] = {answer:#};"
        )
        .unwrap();
    }
    let names: Vec<_> = statuses.iter().map(|(name, _)| name).collect();
    writeln!(file, "export const reported: MessageStatus[] = {names:?};").unwrap();
    write("twilio-answers.ts", &file);
    let callbacks: Vec<_> = told
        .iter()
        .map(|request| {
            json!({
                "token": "t0ken", "url": request.url, "signature": request.header("x-twilio-signature"),
                "body": String::from_utf8(request.body.clone()).unwrap(),
            })
        })
        .collect();
    write("twilio-callbacks.json", &json!(callbacks).to_string());
}
