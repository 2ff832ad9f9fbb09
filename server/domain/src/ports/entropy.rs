//! Randomness, injected so that a whole run can be replayed from a seed.

use jiff::Timestamp;

/// Source of randomness: ids, tokens, codes, jitter.
pub trait Entropy: Send + Sync + std::fmt::Debug {
    /// Fills `bytes` with cryptographically secure random data. A test's source is seeded and never
    /// secure.
    fn fill(&self, bytes: &mut [u8]);

    /// A random number for jitter and choices.
    fn next_u64(&self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// A time-ordered id (UUID version 7) of `now`.
    fn uuid_v7(&self, now: Timestamp) -> uuid::Uuid {
        let mut random = [0; 10];
        self.fill(&mut random);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}
