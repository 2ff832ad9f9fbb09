//! What is asked, with all that may be known about it.

use crate::llm::conversation::Conversation;
use crate::llm::heard::Heard;
use crate::llm::heard::name_fits as fits;
use crate::llm::said::Call;
use crate::llm::toolbox::Toolbox;

use super::{Family, Guess};

/// A sentence or a part of one, in its conversation.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The conversation.
    pub talk: &'a Conversation,
    /// What may be called.
    pub tools: &'a Toolbox,
    /// What is looked at.
    pub heard: &'a Heard,
    /// The whole sentence.
    pub whole: &'a Heard,
}

impl Ask<'_> {
    /// A fact, by the name of the argument it would be; what is known of another guest than the one named is not.
    pub fn fact(&self, name: &str) -> Option<&str> {
        const OF_GUEST: &[&str] = &[
            "guest_email",
            "room_number",
            "booking_number",
            "folio_balance",
            "check_in_date",
            "check_out_date",
            "guest_first_name",
            "guest_last_name",
            "room_type",
            "wanted_check_in_date",
            "wanted_check_out_date",
            "wanted_room_type",
        ];
        if !self.talk.is_guest() && OF_GUEST.contains(&name) && self.speaks_of_another() {
            return None;
        }
        self.talk.facts.get(name)
    }

    fn speaks_of_another(&self) -> bool {
        let facts = &self.talk.facts;
        let slots = &self.whole.slots;
        let email = facts.get("guest_email");
        let other_email = slots.email().is_some_and(|named| email.is_some_and(|known| known != named));
        let other_room = slots.room().is_some_and(|named| facts.get("room_number").is_some_and(|known| known != named));
        let found = facts.get("guest_found").unwrap_or_default();
        let fits = |name: &String| email.is_some_and(|known| fits(name, &format!("{known} {found}")));
        let other_name = email.is_some() && !slots.names.is_empty() && !slots.names.iter().any(fits);
        other_email || other_room || other_name
    }

    /// The guest's address: named, or known.
    pub fn email(&self) -> Option<&str> {
        self.heard.slots.email().or_else(|| self.whole.slots.email()).or_else(|| self.fact("guest_email"))
    }

    /// The room that is named here, or anywhere in the sentence.
    pub fn room(&self) -> Option<&str> {
        self.heard.slots.room().or_else(|| self.whole.slots.room())
    }

    /// The booking that is named here, or anywhere in the sentence.
    pub fn booking(&self) -> Option<&str> {
        self.heard.slots.booking().or_else(|| self.whole.slots.booking())
    }

    /// A name, from this part or from the sentence.
    pub fn name(&self) -> Option<&str> {
        self.heard.slots.names.first().or_else(|| self.whole.slots.names.first()).map(String::as_str)
    }

    /// What staff look a guest up by when no address is known.
    pub fn look_up(&self, sure: u8, family: Family) -> Option<Guess> {
        let query =
            self.name().or_else(|| self.booking()).or_else(|| self.room()).or_else(|| self.fact("room_number"))?;
        self.tools
            .offers("search_guests")
            .then(|| Guess::call(sure, family, Call::to("search_guests").with("query", Some(query))))
    }

    /// Whether a guest is asking.
    pub fn guest(&self) -> bool {
        self.talk.is_guest()
    }
}
