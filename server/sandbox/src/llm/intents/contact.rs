//! Contacts to be found or made.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let email = heard.slots.email()?;
    let kept = heard.any(
        "save | store | enter | supplier | contractor | create a profile | new guest | new contact | make a contact | rolodex | our files | on record | mailing list | crm | put down as | contact | in our books | guest list | address book | on file | into our books | to our books \
            | to the books | in the system | into the system | as a vendor | as vendor | vendor | as a guest \
            | as a manager | register | database | our records",
    );
    let stay = heard.slots.days.any() || heard.slots.room().is_some() || heard.slots.room_type.is_some();
    if !ask.tools.offers("create_contact_if_not_found") || !kept || stay {
        return None;
    }
    let name = ask.name()?;
    let (first, last) = name.split_once(' ')?;
    let kind =
        [("Vendor", "vendor | supplier | contractor | wholesaler | tradesman | tradesperson"), ("Manager", "manager")];
    let kind = kind.iter().find(|(_, word)| heard.any(word)).map(|(kind, _)| *kind);
    let call = Call::to("create_contact_if_not_found")
        .with("email", Some(email))
        .with("first_name", Some(first))
        .with("last_name", Some(last))
        .with("phone", heard.slots.named.phone.as_deref())
        .with("contact_type", kind);
    Some(Guess::call(90, Family::Find, call))
}
