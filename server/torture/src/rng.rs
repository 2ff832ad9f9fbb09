//! Seeded random numbers (splitmix64), so that a run can be repeated.

/// Random number generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed; `who` separates the streams of different users.
    pub fn new(seed: u64, who: u64) -> Self {
        let mut rng = Self(
            seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ who.wrapping_mul(0xD6E8_FEB8_6659_FD93),
        );
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, times: u64) -> bool {
        self.next() % 100 < times
    }

    /// Random element.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let n = u64::try_from(of.len()).unwrap_or(1).max(1);
        of.get(usize::try_from(self.next() % n).unwrap_or(0))
    }
}
