//! The real process, killed (SIGKILL) while proposals are running, at different moments after the
//! click; later kills hit the recovery.

use std::path::Path;

use dewy_test_kit::{JsonClient, ServerProcess};
use futures::future::join_all;
use sqlx::Connection;

use crate::prelude::*;

/// How many guests click, one shortly after the other, so that a kill meets each at another moment.
const GUESTS: usize = 6;
/// Between two clicks.
const STAGGER: Duration = Duration::from_millis(250);
/// Number of kills, each right after another payment was captured.
const KILLS: usize = 3;
/// Time within which a check-out that was taken over must have ended.
const SETTLED_WITHIN: Duration = Duration::from_secs(60);

/// A guest in front of a card.
struct PendingApproval {
    booking: String,
    browser: Browser,
    place: String,
    card: String,
    nonce: String,
}

fn field(page: &str, name: &str) -> String {
    let (_, behind) = page
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap_or_else(|| panic!("no {name}: {page}"));
    behind.split('"').next().unwrap().to_owned()
}

async fn pending_approval(base: &str, (email, booking): (String, String)) -> PendingApproval {
    let browser = Browser::new(base).guest(&email).await;
    let said = browser
        .post(
            "concierge_say",
            "text=I%27d+like+to+check+out&idempotency_token=one",
        )
        .await;
    let place = path_of(said.location());
    let mut page = browser.open(&place).await;
    // The first message of a process waits until its model is ready
    while page.text.contains("data-busy=\"true\"") {
        tokio::time::sleep(STAGGER).await;
        page = browser.open(&place).await;
    }
    let (card, nonce) = (field(&page.text, "card"), field(&page.text, "nonce"));
    assert!(
        page.text.contains("value=\"pm_card_visa\""),
        "{email} has nothing to pay"
    );
    PendingApproval {
        booking,
        browser,
        place,
        card,
        nonce,
    }
}

impl PendingApproval {
    /// Approves the proposal and opens the conversation; responses may be lost. A decided proposal
    /// can't be approved again.
    async fn click(&self, base: &str) {
        let (client, cookie) = (
            crate::fake_dispatcher::client(),
            format!("dewy_session={}", self.browser.cookie().unwrap()),
        );
        let fields = [
            ("card", &*self.card),
            ("nonce", &*self.nonce),
            ("answer", "yes"),
            ("choice", "pm_card_visa"),
            ("live", "l"),
        ];
        let yes = client
            .post(format!("{base}/form/concierge_decide"))
            .header("cookie", &cookie)
            .header("origin", base);
        drop(yes.form(&fields).send().await);
        drop(
            client
                .get(format!("{base}{}", self.place))
                .header("cookie", &cookie)
                .send()
                .await,
        );
    }

    /// How the card stands when it is in none of these states any more, and what its page says then.
    async fn settled(&self, passing: &[&str]) -> (String, String) {
        let began = Instant::now();
        loop {
            let page = self.browser.open(&self.place).await.text;
            // Attributes are written before the class
            let tag = page
                .split_once("class=\"ask\"")
                .map_or("", |(before, _)| before.rsplit('<').next().unwrap_or(""));
            let state = tag
                .split_once("data-state=\"")
                .and_then(|(_, behind)| behind.split('"').next());
            let state = state.unwrap_or("none").to_owned();
            if !passing.contains(&&*state) {
                return (state, page);
            }
            assert!(began.elapsed() < SETTLED_WITHIN, "it hangs: {page}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

/// Guests who are checked in with one booking: their address and its number.
fn stays(state: &Value) -> Vec<(String, String)> {
    let rows = |object: &str| state["salesforce"][object].as_array().unwrap();
    let inside: Vec<&Value> = rows("Booking__c")
        .iter()
        .filter(|row| row["Status__c"] == "Checked In")
        .collect();
    let of = |contact: &Value| {
        inside
            .iter()
            .filter(|row| row["Primary_Guest__c"] == contact["Id"])
            .collect::<Vec<_>>()
    };
    let one = |contact: &Value| match of(contact)[..] {
        [row] => Some((
            contact["Email"].as_str()?.to_owned(),
            row["Name"].as_str()?.to_owned(),
        )),
        _ => None,
    };
    rows("Contact").iter().filter_map(one).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_charges_once_and_keeps_approvals() {
    let folder = tempfile::tempdir().unwrap();
    let (program, wire) = (Path::new(env!("CARGO_BIN_EXE_dewy")), JsonClient::default());
    let sandbox = ServerProcess::sandbox(program, folder.path(), "sandbox").unwrap();
    let sandbox = sandbox.with("SANDBOX_LATENCY", "reference");
    let sandbox = sandbox.open(&wire).await.unwrap();
    let hotel = ServerProcess::hotel(program, folder.path(), "hotel", &[]).unwrap();
    let hotel = hotel.with("DATABASE_URL", "sqlite://dewy.db");
    let mut hotel = hotel.with("SANDBOX_URL", &sandbox.url);
    let base = hotel.url.clone();
    hotel.start().unwrap();
    hotel.answers(&wire, "/readyz").await.unwrap();
    let state = || async {
        let url = format!("{}/admin/state", sandbox.url);
        wire.send_successfully("GET", &url, "", None).await.unwrap()
    };
    let mut guests = stays(&state().await);
    assert!(guests.len() >= GUESTS, "{guests:?}");
    guests.truncate(GUESTS);
    let guests = join_all(
        guests
            .into_iter()
            .map(|guest| pending_approval(&base, guest)),
    )
    .await;
    let (mut paid, mut caught) = (0, 0);
    for kill in 0..KILLS {
        let clicks = join_all(guests.iter().enumerate().map(async |(n, guest)| {
            tokio::time::sleep(STAGGER * u32::try_from(n).unwrap()).await;
            guest.click(&base).await;
        }));
        let before = paid;
        let one_more = async {
            let began = Instant::now();
            loop {
                let now = payments(&state().await, None);
                if now > before || now == GUESTS {
                    return now;
                }
                assert!(began.elapsed() < SETTLED_WITHIN, "nobody pays");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::pin!(clicks, one_more);
        // The clicks may all be answered before the first payment is there
        let mut clicking = true;
        paid = loop {
            tokio::select! {
                taken = &mut one_more => break taken,
                _ = &mut clicks, if clicking => clicking = false,
            }
        };
        hotel.kill().await.unwrap();
        let met = cards(folder.path(), "confirmed").await.len()
            + cards(folder.path(), "running").await.len();
        caught += met;
        println!("kill {kill} with {paid} of {GUESTS} paid, {met} cards under way");
        hotel.start().unwrap();
        hotel.answers(&wire, "/readyz").await.unwrap();
    }

    assert!(
        caught >= 2,
        "the kills met {caught} cards under way: nothing was shown"
    );
    // A yes that never arrived can still be given. One that did is not given again: looking is
    // enough
    let open = cards(folder.path(), "proposed").await;
    join_all(
        guests
            .iter()
            .filter(|guest| open.contains(&guest.card))
            .map(|guest| guest.click(&base)),
    )
    .await;
    const UNDER_WAY: [&str; 3] = ["confirmed", "running", "needs_attention"];
    let mut ends = join_all(guests.iter().map(|guest| guest.settled(&UNDER_WAY[..2]))).await;
    // Each kill is a loss for everything that is under way. What was lost twice runs alone, so that
    // the third kill meets one at most: that one needs a person, who has it tried again.
    let stuck: Vec<_> = (0..GUESTS).filter(|n| ends[*n].0 == UNDER_WAY[2]).collect();
    assert!(stuck.len() <= 1, "{stuck:?} came to a person");
    for n in stuck {
        let (_, behind) = ends[n].1.split_once("/guest/execution/").unwrap();
        let fields = [
            ("execution_id", behind.split('"').next().unwrap()),
            ("resolution", "retry_now"),
            ("reason", "The process had been killed"),
            ("idempotency_token", "again"),
        ];
        let manager = Browser::new(&base).staff("manager@dewy.example").await;
        let page = manager.send("/form/resolve", &fields).await;
        assert_eq!(page.status, 303, "{}", page.text);
        ends[n] = guests[n].settled(&UNDER_WAY).await;
    }
    let state = state().await;
    for (guest, (end, page)) in guests.iter().zip(&ends) {
        let bookings = state["salesforce"]["Booking__c"].as_array().unwrap();
        let booking = bookings
            .iter()
            .find(|row| row["Name"] == *guest.booking)
            .unwrap();
        let stands = (
            end.as_str(),
            payments(&state, Some(&guest.booking)),
            booking["Status__c"].as_str().unwrap(),
        );
        assert_eq!(
            stands,
            ("done", 1, "Checked Out"),
            "{}: {page}",
            guest.booking
        );
    }
    assert!(
        state["stripe"]["refunds"]
            .as_array()
            .is_none_or(Vec::is_empty),
        "{}",
        state["stripe"]["refunds"]
    );
}

/// The cards in that state, as the store has them.
async fn cards(folder: &Path, state: &str) -> Vec<String> {
    let url = format!("sqlite://{}", folder.join("dewy.db").display());
    let mut store = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let found = sqlx::query_scalar("select id from proposal where state = $1")
        .bind(state)
        .fetch_all(&mut store)
        .await;
    store.close().await.unwrap();
    found.unwrap()
}

/// Payments that took money; of one booking, or of all.
fn payments(state: &Value, booking: Option<&str>) -> usize {
    let all = state["stripe"]["payment_intents"].as_array().unwrap();
    let of_booking =
        |one: &&Value| booking.is_none_or(|number| one["metadata"]["booking_number"] == *number);
    all.iter()
        .filter(of_booking)
        .filter(|one| one["status"] == "succeeded")
        .count()
}
