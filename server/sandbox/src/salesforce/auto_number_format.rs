//! Display format of an auto-number, as administrators write it: `RES/26 #{0000}`.

/// Longest auto-number.
const MAX_CHARS: usize = 30;

/// Text, a counter with leading zeros, and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutoNumberFormat {
    before: String,
    width: usize,
    after: String,
}

impl AutoNumberFormat {
    /// Reads a display format.
    ///
    /// # Errors
    /// A message about what it lacks.
    pub fn read(format: &str) -> Result<Self, String> {
        let parts = format
            .split_once('{')
            .and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        match parts {
            Some((before, (zeros, after)))
                if !zeros.is_empty()
                    && zeros.bytes().all(|digit| digit == b'0')
                    && !after.contains(['{', '}'])
                    && before.len() + zeros.len() + after.len() <= MAX_CHARS =>
            {
                Ok(Self {
                    before: before.to_owned(),
                    width: zeros.len(),
                    after: after.to_owned(),
                })
            }
            _ => Err(format!(
                "must hold one counter such as {{0000}}, and make at most {MAX_CHARS} characters"
            )),
        }
    }

    #[must_use]
    pub fn number(&self, counter: u64) -> String {
        let Self {
            before,
            width,
            after,
        } = self;
        format!("{before}{counter:0width$}{after}")
    }
}
