//! What a network and the gateways on it do to a request.

use crate::rng::Rng;

/// One kind of trouble between the hotel and an outside system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkFault {
    /// The request's packets are lost: never delivered, and the connection stays open without a
    /// word.
    LostRequest,
    /// Delivered; the answer's packets are lost, and the connection stays open without a word.
    LostAnswer,
    /// Delivered and answered, but late: sometimes later than the caller's deadline.
    Delayed,
    /// Delivered; the answer breaks off in the middle of its body.
    Truncated,
    /// Delivered twice, at once or one after the other; either answer comes back.
    Duplicated,
    /// Delivered; the connection is reset instead of an answer.
    Reset,
    /// Delivered; a gateway answers 502 with a page of its own.
    BadGateway,
    /// Delivered; the answer's length is announced wrongly, too long or too short.
    WrongLength,
    /// Delivered and answered as usual; and delivered once more long after.
    Replayed,
}

impl LinkFault {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::LostRequest,
        Self::LostAnswer,
        Self::Delayed,
        Self::Truncated,
        Self::Duplicated,
        Self::Reset,
        Self::BadGateway,
        Self::WrongLength,
        Self::Replayed,
    ];

    /// Its name in the table of counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LostRequest => "requests lost",
            Self::LostAnswer => "answers lost",
            Self::Delayed => "delayed",
            Self::Truncated => "truncated",
            Self::Duplicated => "delivered twice",
            Self::Reset => "reset after delivery",
            Self::BadGateway => "502 after delivery",
            Self::WrongLength => "wrong Content-Length",
            Self::Replayed => "replayed later",
        }
    }

    /// Whether it only means something for a request that writes.
    pub const fn of_writes(self) -> bool {
        matches!(self, Self::Duplicated | Self::Replayed)
    }
}

/// Deals the faults in shuffled rounds, so that none stays away for long.
#[derive(Debug)]
pub struct Deck {
    rng: Rng,
    left: Vec<LinkFault>,
}

impl Deck {
    /// Shuffled by these rng.
    pub const fn new(rng: Rng) -> Self {
        Self {
            rng,
            left: Vec::new(),
        }
    }

    /// With this chance in a hundred, the next fault that fits such a request.
    pub fn deal(&mut self, percent: u64, writes: bool) -> Option<LinkFault> {
        if !self.rng.percent(percent) {
            return None;
        }
        if self.left.is_empty() {
            let mut all = LinkFault::ALL.to_vec();
            while !all.is_empty() {
                let place = self
                    .rng
                    .between(0, u64::try_from(all.len()).unwrap_or(1) - 1);
                self.left
                    .push(all.swap_remove(usize::try_from(place).unwrap_or(0)));
            }
        }
        let place = self
            .left
            .iter()
            .rposition(|fault| writes || !fault.of_writes())?;
        Some(self.left.remove(place))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_round_of_writes_holds_every_fault() {
        let mut deck = Deck::new(Rng::new(1, 1));
        for _ in 0..5 {
            let round: BTreeSet<_> = LinkFault::ALL
                .iter()
                .map(|_| deck.deal(100, true).unwrap())
                .collect();
            assert_eq!(round.len(), LinkFault::ALL.len());
        }
    }

    #[test]
    fn a_read_is_never_replayed() {
        let mut deck = Deck::new(Rng::new(1, 1));
        // What only fits writes waits for one.
        assert!(
            (0..50)
                .filter_map(|_| deck.deal(100, false))
                .all(|fault| !fault.of_writes())
        );
        assert!(deck.deal(100, true).unwrap().of_writes());
    }
}
