//! What a check-out charges: cards of every customer with the guest's email, in any letter case.

use dewy_domain::payment::CUSTOMER_CONTACT;

use super::simulated_hotel::staff_body;
use crate::prelude::*;

const SEEDED: &str = "/v1/customers/cus_BethGibbs0001";

/// Stripe request of another program on the account; `None` without an answer.
pub async fn sent_elsewhere(
    hotel: &SimulatedHotel,
    path: &str,
    form: &str,
) -> Option<(u16, Value)> {
    sent_to(&hotel.sandbox, path, form).await
}

/// The same, to this sandbox.
pub async fn sent_to(sandbox: &Sandbox, path: &str, form: &str) -> Option<(u16, Value)> {
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: format!("http://sandbox.test{path}"),
        headers: vec![(
            "authorization".to_owned(),
            "Bearer sk_test_sandbox".to_owned(),
        )],
        body: form.as_bytes().to_vec(),
    };
    let response = sandbox.send(request, Duration::from_secs(5)).await;
    let response = response.ok()?;
    let body = serde_json::from_slice(&response.body).ok()?;
    Some((response.status, body))
}

/// Such a request that succeeds; returns the answer's body.
pub async fn elsewhere(hotel: &SimulatedHotel, path: &str, form: &str) -> Value {
    let (status, body) = sent_elsewhere(hotel, path, form).await.unwrap();
    assert_eq!(status, 200, "{body}");
    body
}

async fn attached(hotel: &SimulatedHotel, card: &str, customer: &str) -> String {
    let path = format!("/v1/payment_methods/{card}/attach");
    let card = elsewhere(hotel, &path, &format!("customer={customer}")).await;
    text_of(&card["id"])
}

async fn customer(hotel: &SimulatedHotel, email: &str) -> String {
    let made = elsewhere(hotel, "/v1/customers", &format!("email={email}")).await;
    text_of(&made["id"])
}

/// The guest with this email gets a customer with this card; returns the card's id.
pub async fn save_card(hotel: &SimulatedHotel, email: &str, card: &str) -> String {
    let customer = customer(hotel, email).await;
    attached(hotel, card, &customer).await
}

/// Beth's seeded customer gets another email: it is nobody's here.
async fn without_the_seeded_card(hotel: &SimulatedHotel) {
    elsewhere(hotel, SEEDED, "email=gone%40example.com").await;
}

fn customers(hotel: &SimulatedHotel) -> usize {
    let state = hotel.account.stripe_state();
    items(&state["customers"]).len()
}

/// Customer and card of the only payment.
fn charged(hotel: &SimulatedHotel) -> (String, String) {
    let state = hotel.account.stripe_state();
    let [payment] = state["payment_intents"].as_array().unwrap().as_slice() else {
        panic!("{state}")
    };
    let text = |name: &str| payment[name].as_str().unwrap_or_default().to_owned();
    (text("customer"), text("payment_method"))
}

async fn folio_cards(hotel: &SimulatedHotel) -> Vec<(String, bool)> {
    let beth = Caller::guest(BETH, Interface::Mcp);
    let answer = hotel.call(&beth, "get_folio", None, json!({})).await;
    let cards = &staff_body(&answer)["data"]["saved_cards"];
    let card = |card: &Value| {
        let id = card["payment_method_id"].as_str().unwrap();
        (id.to_owned(), card["default"] == true)
    };
    items(cards).iter().map(card).collect()
}

fn completed(answer: &ToolAnswer) {
    assert_eq!(answer.status(), 200, "{:?}", staff_body(answer));
}

#[tokio::test(start_paused = true)]
async fn a_card_is_found_whatever_the_letter_case_of_the_customers_email() {
    let hotel = with(vec![]);
    elsewhere(&hotel, SEEDED, "email=Beth.Gibbs%40Email.com").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(
        folio_cards(&hotel).await,
        [("pm_1BethVisa4242".to_owned(), true)]
    );
    let before = customers(&hotel);
    completed(&hotel.check_out("t1").await);
    assert_eq!(
        charged(&hotel),
        ("cus_BethGibbs0001".into(), "pm_1BethVisa4242".into())
    );
    assert_eq!(customers(&hotel), before, "no third one is made");
}

#[tokio::test(start_paused = true)]
async fn a_lone_card_is_the_card_and_is_charged_with_its_own_customer() {
    let hotel = with(vec![]);
    without_the_seeded_card(&hotel).await;
    customer(&hotel, BETH).await;
    let newer = customer(&hotel, "BETH.Gibbs%40email.com").await;
    let card = attached(&hotel, "pm_card_mastercard", &newer).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(folio_cards(&hotel).await, [(card.clone(), true)]);
    let before = customers(&hotel);
    completed(&hotel.check_out("t1").await);
    assert_eq!(charged(&hotel), (newer, card));
    assert_eq!(customers(&hotel), before);
}

#[tokio::test(start_paused = true)]
async fn a_chosen_card_is_charged_with_the_customer_that_it_belongs_to() {
    let hotel = with(vec![]);
    let newer = customer(&hotel, BETH).await;
    let card = attached(&hotel, "pm_card_mastercard", &newer).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let all = folio_cards(&hotel).await;
    assert_eq!(all.len(), 2);
    assert_eq!(
        all.iter().filter(|(_, default)| *default).count(),
        1,
        "{all:?}"
    );
    let input = json!({ "amount": 25000, "payment_method_id": card });
    completed(&hotel.check_out_with("t1", input).await);
    assert_eq!(charged(&hotel), (newer, card));
}

/// A contact who had the email earlier, or still has it in another org.
#[tokio::test(start_paused = true)]
async fn a_card_that_another_contact_saved_is_neither_shown_nor_charged() {
    let hotel = with(vec![]);
    without_the_seeded_card(&hotel).await;
    let marked = format!("{BETH}&metadata%5B{CUSTOMER_CONTACT}%5D=003000000000009AAA");
    let other = customer(&hotel, &marked).await;
    let card = attached(&hotel, "pm_card_visa", &other).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(folio_cards(&hotel).await, []);
    let told = staff_body(&hotel.check_out("t1").await);
    assert!(told["pending"]["next_action_url"].is_string(), "{told}");
    let input = json!({ "amount": 25000, "payment_method_id": card });
    let named = hotel.check_out_with("t2", input);
    assert_ne!(named.await.error(), None);
    let taken = hotel.ledger().into_values().map(|(taken, ..)| taken);
    assert_eq!(taken.sum::<i64>(), 0);
}

#[tokio::test(start_paused = true)]
async fn of_several_cards_without_a_default_the_guest_chooses() {
    let hotel = with(vec![]);
    without_the_seeded_card(&hotel).await;
    for card in ["pm_card_visa", "pm_card_mastercard"] {
        let owner = customer(&hotel, BETH).await;
        attached(&hotel, card, &owner).await;
    }
    let answer = hotel.check_out("t1").await;
    let told = staff_body(&answer);
    assert!(told["pending"]["next_action_url"].is_string(), "{told}");
    assert_eq!(hotel.ledger().len(), 0);
}
