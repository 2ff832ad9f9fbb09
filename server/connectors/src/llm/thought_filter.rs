//! Hides what a model thinks aloud: `<think>…</think>` in its text, wherever chunks cut it.

/// Beginnings and ends of thoughts.
const TAGS: [(&str, bool); 6] = [
    ("<think>", true),
    ("</think>", false),
    ("<thinking>", true),
    ("</thinking>", false),
    ("<thought>", true),
    ("</thought>", false),
];

/// Filter of one answer's text.
#[derive(Debug, Default)]
pub(super) struct ThoughtFilter {
    shown: String,
    /// End of the text that may be the beginning of a tag.
    held: String,
    inside: bool,
    hid: bool,
}

impl ThoughtFilter {
    /// Adds text; returns what may be shown of it.
    pub(super) fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        let mut out = String::new();
        while let Some(at) = self.held.find('<') {
            let rest = self.held.split_off(at);
            self.pass(&mut out, &rest);
            let tag = TAGS.iter().find(|(tag, _)| self.held.starts_with(tag));
            if let Some((tag, opens)) = tag {
                self.held = self.held.split_off(tag.len());
                // An end without a beginning: everything until here was thought
                if !opens && !self.inside {
                    self.shown.clear();
                    out.clear();
                }
                (self.inside, self.hid) = (*opens, true);
            } else if TAGS.iter().any(|(tag, _)| tag.starts_with(&self.held)) {
                break;
            } else {
                let rest = self.held.split_off(1);
                self.pass(&mut out, &rest);
            }
        }
        if !self.held.starts_with('<') {
            self.pass(&mut out, "");
        }
        self.shown.push_str(&out);
        out
    }

    /// Passes what is held on, unless it is thought; `rest` is held next.
    fn pass(&mut self, out: &mut String, rest: &str) {
        let text = std::mem::replace(&mut self.held, rest.to_owned());
        if self.inside {
            self.hid |= !text.is_empty();
        } else {
            out.push_str(&text);
        }
    }

    /// Whole text without thoughts.
    pub(super) fn finish(mut self) -> String {
        if !self.inside {
            self.shown.push_str(&self.held);
        }
        self.shown
    }

    /// Whether something was hidden.
    pub(super) const fn hid(&self) -> bool {
        self.hid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_hidden_wherever_they_are_cut() {
        for (text, shown) in [
            ("<think>Hm, a bill.</think>You owe $2.", "You owe $2."),
            ("\n<thinking>a < b</thinking>Yes.", "\nYes."),
            (
                "Let me see. <thought>x</thought>Done <3",
                "Let me see. Done <3",
            ),
            ("no opening</think>You owe $2.", "You owe $2."),
            ("<think>never closed", ""),
            ("1 <th 2 <", "1 <th 2 <"),
        ] {
            for size in 1..=text.len() {
                let mut filter = ThoughtFilter::default();
                let letters: Vec<char> = text.chars().collect();
                let mut heard = String::new();
                for piece in letters.chunks(size) {
                    heard += &filter.push(&String::from_iter(piece));
                }
                if !text.starts_with("no opening") {
                    assert!(shown.starts_with(&heard), "{text:?} by {size}: {heard:?}");
                }
                assert_eq!(filter.finish(), shown, "{text:?} by {size}");
            }
        }
    }
}
