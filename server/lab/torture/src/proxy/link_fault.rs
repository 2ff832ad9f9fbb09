//! Faults of a network and its gateways.

use fastrand::Rng;

/// Fault between the hotel and an outside system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkFault {
    /// The request is lost: never delivered, and the connection stays open silently.
    LostRequest,
    /// Delivered; the response is lost, and the connection stays open silently.
    LostAnswer,
    /// Delivered and answered, but late: sometimes after the caller's deadline.
    Delayed,
    /// Delivered; the response is truncated in the middle of its body.
    Truncated,
    /// Delivered twice, in parallel or in sequence; either response is returned.
    Duplicated,
    /// Delivered; the connection is reset instead of a response.
    Reset,
    /// Delivered; a gateway answers 502 with its own page.
    BadGateway,
    /// Delivered; the response announces a wrong length, too long or too short.
    WrongLength,
    /// Delivered and answered normally; and delivered once more much later.
    Replayed,
}

impl LinkFault {
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

    /// Name in the table of counts.
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

    /// Whether it only makes sense for a request that writes.
    pub const fn of_writes(self) -> bool {
        matches!(self, Self::Duplicated | Self::Replayed)
    }
}

/// Deals the faults in shuffled rounds, so that none is absent for long.
#[derive(Debug)]
pub struct FaultDeck {
    rng: Rng,
    left: Vec<LinkFault>,
}

impl FaultDeck {
    /// Deck shuffled with this generator.
    pub const fn new(rng: Rng) -> Self {
        Self {
            rng,
            left: Vec::new(),
        }
    }

    /// With this probability in percent, the next fault that fits the request.
    pub fn next_fault(&mut self, percent: u64, writes: bool) -> Option<LinkFault> {
        if self.rng.u64(..100) >= percent {
            return None;
        }
        if self.left.is_empty() {
            self.left = LinkFault::ALL.to_vec();
            self.rng.shuffle(&mut self.left);
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
    fn every_round_of_writes_has_every_fault() {
        let mut deck = FaultDeck::new(crate::rng(1, 1));
        for _ in 0..5 {
            let round: BTreeSet<_> = LinkFault::ALL
                .iter()
                .map(|_| deck.next_fault(100, true).unwrap())
                .collect();
            assert_eq!(round.len(), LinkFault::ALL.len());
        }
    }

    #[test]
    fn a_read_is_never_replayed() {
        let mut deck = FaultDeck::new(crate::rng(1, 1));
        // A fault that only fits writes waits for one.
        assert!(
            (0..50)
                .filter_map(|_| deck.next_fault(100, false))
                .all(|fault| !fault.of_writes())
        );
        assert!(deck.next_fault(100, true).unwrap().of_writes());
    }
}
