//! What a check-out charges: a guest's cards are those of every customer with their email, and a
//! saved card can only be charged together with its own customer.

use dewy_domain::{
    card_id::CardId,
    payment::{Card, Customer},
    ports::Payments,
    upstream_request::UpstreamError,
};

/// Card to charge, and the customer to charge it for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaymentSource {
    /// Customer id; `None` when the guest has none.
    pub customer: Option<String>,
    /// Card; `None` when none was named and none is obvious.
    pub card: Option<CardId>,
}

impl PaymentSource {
    /// Decides by the named card, the default, or the only one. Reads the cards where customers
    /// alone don't tell.
    ///
    /// # Errors
    /// The cards could not be read.
    pub(crate) async fn decide(
        payments: &dyn Payments,
        customers: &[Customer],
        named: Option<CardId>,
    ) -> Result<Self, UpstreamError> {
        let of = |customer: &Customer, card: Option<CardId>| Self {
            customer: Some(customer.id.clone()),
            card,
        };
        let with_default = || {
            let found = customers.iter().find(|found| found.default_card.is_some());
            found.map(|customer| of(customer, customer.default_card.clone()))
        };
        match (customers, named) {
            ([], card) => {
                return Ok(Self {
                    customer: None,
                    card,
                });
            }
            ([only], card @ Some(_)) => return Ok(of(only, card)),
            ([oldest, ..], Some(card)) => {
                let saved = saved_cards(payments, customers).await?;
                let owner = saved.into_iter().find(|(_, saved)| saved.id == card);
                return Ok(Self {
                    customer: Some(owner.map_or_else(|| oldest.id.clone(), |(owner, _)| owner)),
                    card: Some(card),
                });
            }
            (_, None) => {}
        }
        if let Some(source) = with_default() {
            return Ok(source);
        }
        let mut saved = saved_cards(payments, customers).await?;
        Ok(match (saved.pop(), saved.pop()) {
            (Some((owner, card)), None) => Self {
                customer: Some(owner),
                card: Some(card.id),
            },
            _ => Self {
                customer: customers.first().map(|oldest| oldest.id.clone()),
                card: None,
            },
        })
    }
}

/// Saved cards of all these customers, each with its owner. At most one is the default: the first,
/// or the only card there is.
///
/// # Errors
/// The cards of one could not be read.
pub(crate) async fn saved_cards(
    payments: &dyn Payments,
    customers: &[Customer],
) -> Result<Vec<(String, Card)>, UpstreamError> {
    let mut all: Vec<(String, Card)> = Vec::new();
    for customer in customers {
        for card in payments.cards(&customer.id).await.answered()? {
            let default = card.default && !all.iter().any(|(_, earlier)| earlier.default);
            all.push((customer.id.clone(), Card { default, ..card }));
        }
    }
    if let [(_, only)] = all.as_mut_slice() {
        only.default = true;
    }
    Ok(all)
}
