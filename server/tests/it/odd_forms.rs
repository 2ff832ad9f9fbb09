//! Forms as no browser sends them: without fields, with a field twice, with values of any kind.

use dewy_app::form_routes;

use crate::test_hotel::TestHotel;

/// Bodies that fit no form.
const BODIES: [&[u8]; 7] = [
    b"",
    b"=&&=",
    b"idempotency_token=a&idempotency_token=b&booking_number=1&booking_number=2",
    b"booking_number[]=1&room_number[a][b]=2&amount=1e309&check_in_date=2026-13-45&back=//evil.example",
    b"%FF=%FE&text=%F0%9F&description=%E0%80%80",
    b"booking_number=%EF%BC%90&guest_email=@&amount=-0&action=%F0%9F%98%80&id=../..&tool=x&page=/staff",
    b"number_of_guests=99999999999999999999&leave_open=maybe&keep_rate=2&priority=&type=&status=&seen=",
];

/// No form fails on the server, whoever sends it.
#[tokio::test(flavor = "multi_thread")]
async fn no_form_fails_for_what_it_carries() {
    let hotel = TestHotel::open().await;
    let forms = form_routes().into_iter().map(|form| form.path);
    let forms: Vec<_> = forms.filter(|path| !path.contains("sign_out")).collect();
    assert!(forms.len() > 40, "{forms:?}");
    let people = [
        hotel.browser(),
        hotel.browser().guest("beth.gibbs@email.com").await,
        hotel.browser().staff("manager@dewy.example").await,
    ];
    for path in forms {
        for body in BODIES {
            for browser in &people {
                let page = browser.send_bytes(path, body).await;
                let sent = String::from_utf8_lossy(body);
                assert!(
                    page.status < 500,
                    "{path} {sent}: {} {}",
                    page.status,
                    page.text
                );
                assert_ne!(page.status, 404, "{path}");
            }
        }
    }
}
