//! The limit of one answer, lowered when its server says that there is less room.
//!
//! ```text
//! as configured ─► refused: "maximum context length is 8192 … 7400 input tokens" ─► 792
//!                                  refused again ─► none, for this request: the server fills what is left
//! ```
//! The next request begins as configured, because its messages may be shorter.

use super::error_body::ErrorBody;

/// Fewest tokens that are an answer. Smaller numbers in a server's words are something else.
const LEAST: u64 = 64;

/// Limit of one request's answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AnswerLimit {
    #[default]
    Configured,
    /// As many tokens as the server has room for.
    Room(u64),
    /// The server's own.
    None,
}

impl AnswerLimit {
    /// The limit to send instead of this configured one.
    pub(super) fn of(self, configured: u64) -> Option<u64> {
        match self {
            Self::Configured => Some(configured),
            Self::Room(tokens) => Some(tokens.min(configured)),
            Self::None => None,
        }
    }

    /// Lowers the limit by what the server said about the one that was sent under this name; false
    /// when it said nothing about its size.
    pub(super) fn lower(&mut self, said: &ErrorBody, name: &str, sent: Option<u64>) -> bool {
        let Some(sent) = sent else {
            return false;
        };
        let numbers = numbers(&said.reason);
        if !said.names(name) && !numbers.contains(&sent) {
            return false;
        }
        let lower = room(&numbers, sent);
        *self = match (*self, lower) {
            (_, None) => return false,
            (Self::Configured, Some(tokens)) => Self::Room(tokens),
            // What it says is not what it does, or not exact: "at least 6693 input tokens"
            _ => Self::None,
        };
        true
    }
}

/// The least number below the limit that the server names: as it is, or as what one leaves of another.
fn room(numbers: &[u64], sent: u64) -> Option<u64> {
    let wholes = numbers.iter().filter(|whole| **whole != sent);
    let left = wholes.flat_map(|whole| {
        let used = numbers.iter().filter(|used| **used >= LEAST);
        used.map(|used| whole.saturating_sub(*used))
    });
    let all = numbers.iter().copied().chain(left);
    all.filter(|tokens| (LEAST..sent).contains(tokens)).min()
}

/// Whole numbers that stand alone, also `16,384`; those in a model's name are none.
fn numbers(text: &str) -> Vec<u64> {
    let in_word = |c: char| c.is_alphanumeric() || "-_./,".contains(c);
    let words = text.split(|c: char| !in_word(c));
    let digits = words.map(|word| word.trim_end_matches(['.', ',']).replace(',', ""));
    digits.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_tell_how_much_room_there_is() {
        for (words, room) in [
            // vLLM
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 1500. This model's maximum context length is 8192 tokens and your request has 7400 input tokens (1500 > 8192 - 7400).",
                792,
            ),
            (
                "This model's maximum context length is 8192 tokens. However, you requested 1500 output tokens and your prompt contains at least 6693 input tokens, for a total of at least 8193 tokens.",
                1499,
            ),
            // OpenAI
            (
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7500 in the messages, 1500 in the completion). Please reduce the length of the messages or completion.",
                692,
            ),
            (
                "max_tokens is too large: 1500. This model supports at most 1024 completion tokens, whereas you provided 1500.",
                1024,
            ),
            // Anthropic
            (
                "max_tokens: 1500 > 1024, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620",
                1024,
            ),
            (
                "input length and `max_tokens` exceed context limit: 199000 + 1500 > 200000, decrease input length or `max_tokens` and try again",
                1000,
            ),
            ("max_tokens must be at most 1,024 for this model", 1024),
            // Groq, DeepSeek, text-generation-inference
            (
                "`max_tokens` must be less than or equal to `1024`, the maximum value for `max_tokens` is less than the `context_window` for this model",
                1024,
            ),
            (
                "Invalid max_tokens value, the valid range of max_tokens is [1, 1024]",
                1024,
            ),
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 1500 `max_new_tokens`",
                196,
            ),
        ] {
            let said = ErrorBody::parse(words);
            let mut limit = AnswerLimit::default();
            assert!(limit.lower(&said, "max_tokens", Some(1500)), "{words}");
            assert_eq!(limit, AnswerLimit::Room(room), "{words}");
            assert_eq!(
                (limit.of(1500), limit.of(100)),
                (Some(room), Some(room.min(100)))
            );
            // Refused again: the server's own, and nothing more to lower
            assert!(limit.lower(&said, "max_tokens", Some(1500)), "{words}");
            assert_eq!(limit.of(1500), None);
            assert!(!limit.lower(&said, "max_tokens", None), "{words}");
        }
        for words in [
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "[{'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 1500}]",
            "max_tokens is too large: 1500",
            "The model `claude-3-5-sonnet-1024` does not exist",
            "Rate limit reached: 1000 requests",
        ] {
            let mut limit = AnswerLimit::default();
            assert!(
                !limit.lower(&ErrorBody::parse(words), "max_tokens", Some(1500)),
                "{words}"
            );
            assert_eq!(limit.of(1500), Some(1500), "{words}");
        }
    }
}
