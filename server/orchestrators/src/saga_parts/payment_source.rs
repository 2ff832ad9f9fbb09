//! What a check-out charges: a guest's cards are those of every customer with their email that was
//! not made for another contact, and a saved card can only be charged together with its own customer.

use dewy_domain::{
    card_id::CardId,
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    payment::{Card, Customer},
    ports::{Crm, Payments},
    stay::Stay,
    upstream_request::{Fault, Outcome},
};

/// Whose customers may pay a stay, of all with the guest's email.
#[derive(Debug)]
pub(crate) enum Payer {
    /// A guest who shares the email: customers made for these contacts. Whose the others are is
    /// unknown.
    Guest(Vec<String>),
    /// The contact of the stay, for staff and for a guest who shares the email with nobody: its
    /// customers, and those of nobody in particular while none is another contact's.
    Stay(Vec<String>),
}

impl Payer {
    /// Payer of this stay for the guest who calls, or for staff.
    pub(crate) fn of(calling: Option<&GuestIdentity>, stay: &Stay) -> Self {
        match calling {
            Some(guest) if guest.shares_email() => Self::Guest(guest.contacts().to_vec()),
            _ => Self::Stay(vec![stay.booking.guest_id.clone()]),
        }
    }

    pub(crate) fn own<T: AsRef<Customer>>(&self, all: Vec<T>) -> Vec<T> {
        let contact = |one: &T| one.as_ref().contact_id.clone();
        let unmarked_too = match self {
            Self::Guest(_) => false,
            Self::Stay(own) => all.iter().filter_map(contact).all(|id| own.contains(&id)),
        };
        let is_own = |one: &T| match (contact(one), self) {
            (Some(id), Self::Guest(own) | Self::Stay(own)) => own.contains(&id),
            (_, _) => unmarked_too,
        };
        all.into_iter().filter(is_own).collect()
    }
}

/// Customers of everybody with this email. Without an email there are none to find: an empty filter
/// would find everybody's.
pub(crate) async fn customers(
    payments: &dyn Payments,
    email: Option<&EmailAddress>,
) -> Outcome<Vec<Customer>> {
    match email.filter(|email| !email.is_empty()) {
        Some(email) => payments.customers(email).await,
        None => Outcome::Done(Vec::new()),
    }
}

/// The customers of a guest, whatever their stays: not those of a contact who had the email before.
///
/// # Errors
/// The contacts or the customers could not be read.
pub(crate) async fn guests_customers(
    crm: &dyn Crm,
    payments: &dyn Payments,
    guest: &GuestIdentity,
) -> Result<Vec<Customer>, Fault> {
    let (contacts, customers) = futures::join!(
        crm.contacts(guest.email()),
        payments.customers(guest.email())
    );
    let payer = match guest.shares_email() {
        true => Payer::Guest(guest.contacts().to_vec()),
        false => {
            let contacts = contacts.answered()?.into_iter();
            Payer::Stay(contacts.map(|contact| contact.id).collect())
        }
    };
    Ok(payer.own(customers.answered()?))
}

#[derive(Clone, Debug)]
pub(crate) struct CustomerCards {
    customer: Customer,
    cards: Vec<Card>,
}

impl AsRef<Customer> for CustomerCards {
    fn as_ref(&self) -> &Customer {
        &self.customer
    }
}

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
    ) -> Result<Self, Fault> {
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

/// Saved cards of these customers, as in [`in_one_list`].
///
/// # Errors
/// The cards of one could not be read.
pub(crate) async fn saved_cards(
    payments: &dyn Payments,
    customers: &[Customer],
) -> Result<Vec<(String, Card)>, Fault> {
    Ok(in_one_list(&cards_of(payments, customers).await?))
}

/// Saved cards of these customers.
///
/// # Errors
/// The cards of one could not be read.
pub(crate) async fn cards_of(
    payments: &dyn Payments,
    customers: &[Customer],
) -> Result<Vec<CustomerCards>, Fault> {
    let mut all = Vec::with_capacity(customers.len());
    for customer in customers {
        all.push(CustomerCards {
            customer: customer.clone(),
            cards: payments.cards(&customer.id).await.answered()?,
        });
    }
    Ok(all)
}

/// The cards, each with its owner. At most one is the default: the first, or the only card there is.
pub(crate) fn in_one_list(customers: &[CustomerCards]) -> Vec<(String, Card)> {
    let mut all: Vec<(String, Card)> = Vec::new();
    for CustomerCards { customer, cards } in customers {
        for card in cards.iter().cloned() {
            let default = card.default && !all.iter().any(|(_, earlier)| earlier.default);
            all.push((customer.id.clone(), Card { default, ..card }));
        }
    }
    if let [(_, only)] = all.as_mut_slice() {
        only.default = true;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_customer_of_another_guest_never_pays() {
        let all = |contacts: &[Option<&str>]| -> Vec<Customer> {
            let one = |contact: &Option<&str>| Customer {
                id: format!("cus_{}", contact.unwrap_or("nobody")),
                default_card: None,
                contact_id: contact.map(ToOwned::to_owned),
            };
            contacts.iter().map(one).collect()
        };
        let (guest, stay) = (
            Payer::Guest(vec!["A".into()]),
            Payer::Stay(vec!["A".into()]),
        );
        for (contacts, of_guest, of_stay) in [
            (&[None, None][..], 0, 2),
            (&[Some("A"), None], 1, 2),
            (&[Some("A"), Some("B"), None], 1, 1),
            (&[Some("B"), None], 0, 0),
            (&[Some("B")], 0, 0),
        ] {
            assert_eq!(guest.own(all(contacts)).len(), of_guest, "{contacts:?}");
            assert_eq!(stay.own(all(contacts)).len(), of_stay, "{contacts:?}");
        }
    }
}
