//! What do I owe? One SOQL beside one look at the saved cards.

use dewy_domain::{
    answer::{ToolAnswer, ToolError},
    error_code::ErrorCode,
    money::Money,
    payment::Card,
    stay::{LineKind, Stay},
};
use serde_json::{Value, json};

use crate::{
    hotel::Hotel,
    stays::{self, NoStay},
};

/// Reads the folio of the one stay meant.
pub(crate) async fn run(hotel: &Hotel, input: &Value) -> ToolAnswer {
    let query = stays::query(input);
    let cards = async {
        // Cards are a convenience: a folio without them is better than none.
        match hotel.payments.customer(&query.guest_email).await.answered() {
            Ok(Some(customer)) => hotel.payments.cards(&customer.id).await.answered().unwrap_or_default(),
            _ => Vec::new(),
        }
    };
    let (read, cards) = futures::join!(hotel.crm.stays(&query), cards);
    let stay = match read.answered() {
        Ok(found) => stays::the_one(hotel.crm.as_ref(), &query, found).await,
        Err(trouble) => Err(NoStay::Trouble(trouble)),
    };
    match stay {
        Ok(stay) => ToolAnswer::data(folio(hotel, &stay, &cards)),
        Err(NoStay::Told(error)) => error.into(),
        Err(NoStay::Trouble(trouble)) => {
            tracing::warn!(error = %trouble, "the folio could not be read");
            ToolError::new(ErrorCode::UpstreamUnavailable).into()
        }
    }
}

fn folio(hotel: &Hotel, stay: &Stay, cards: &[Card]) -> Value {
    let currency = hotel.settings.currency;
    let mut lines =
        vec![json!({ "kind": LineKind::Room, "number": "", "amount": stay.opportunity.amount, "status": "",
        "date": stay.booking.check_in })];
    for line in &stay.lines {
        lines.push(json!({ "kind": line.kind, "number": line.number, "amount": line.amount, "status": line.status,
            "date": line.at.map(|at| at.to_zoned(hotel.settings.time_zone.clone()).date()) }));
    }
    let balance = stay.balance();
    json!({
        "booking_number": stay.booking.number,
        "booking_status": stay.booking.status,
        "room_number": stay.room.number,
        "check_in_date": stay.booking.check_in,
        "check_out_date": stay.booking.check_out,
        "balance": balance,
        "currency": currency,
        "balance_text": Money { cents: balance, currency }.to_string(),
        "lines": lines,
        "saved_cards": cards.iter().map(|c| json!({ "payment_method_id": c.id, "brand": c.brand, "last4": c.last4,
            "default": c.default })).collect::<Vec<_>>(),
    })
}
