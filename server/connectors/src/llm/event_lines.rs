//! Events of a stream as servers send them: after a byte order mark, with comments between them and
//! any line ends, and the last one without the empty line that should end it.

use super::assembled::MAX_BYTES;

/// Events that say nothing.
const PINGS: [&str; 2] = ["ping", "keepalive"];

/// Reader of one stream's lines.
#[derive(Debug, Default)]
pub(super) struct EventLines {
    line: Vec<u8>,
    after_return: bool,
    event: Event,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// It is an error by its name.
    pub is_error: bool,
    /// It says nothing, by its name.
    pub is_ping: bool,
    pub data: String,
}

impl Event {
    /// The event that a body is that has none: a whole answer.
    pub(super) fn whole(body: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(body);
        let data = text.trim_start_matches('\u{feff}').trim();
        data.starts_with('{').then(|| Self {
            data: data.to_owned(),
            ..Self::default()
        })
    }
}

impl EventLines {
    /// Adds bytes; returns the events that they complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\r' | b'\n' => events.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
        }
        events
    }

    pub(super) fn finish(mut self) -> Option<Event> {
        self.end_line().or_else(|| self.end_line())
    }

    /// Whether a line or an event is longer than any answer.
    pub(super) const fn is_too_long(&self) -> bool {
        self.line.len() + self.event.data.len() > 4 * MAX_BYTES
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}');
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return Some(event).filter(|event| !event.is_ping && !event.data.is_empty());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.event.is_ping = PINGS.contains(&value),
            // In place of `data` from older versions of llama.cpp
            "error" => value.clone_into(&mut self.event.data),
            "data" if self.event.data.is_empty() => value.clone_into(&mut self.event.data),
            "data" => self.event.data = format!("{}\n{value}", self.event.data),
            _ => {}
        }
        self.event.is_error |= field == "error" || (field, value) == ("event", "error");
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_however_they_are_cut() {
        for (stream, data) in [
            ("data: a\n\ndata: b\n\n", vec!["a", "b"]),
            ("data: a\r\n\r\ndata: b\r\n\r\n", vec!["a", "b"]),
            ("data: a\r\rdata: b\r\r", vec!["a", "b"]),
            ("\u{feff}data:a\n\n", vec!["a"]),
            ("\u{feff}: comment\n\n: another\ndata: é\n\n", vec!["é"]),
            ("data: a\ndata: b\n\n\n\n", vec!["a\nb"]),
            ("id: 1\nretry: 5\nother\ndata: a\n\n", vec!["a"]),
            (
                "event: ping\ndata: {}\n\nevent: keepalive\n\ndata: a\n\n",
                vec!["a"],
            ),
            ("data: a\n\ndata: [DONE]", vec!["a", "[DONE]"]),
            ("data: a\n\ndata: [DONE]\n", vec!["a", "[DONE]"]),
            ("data:\n\n\n", vec![]),
        ] {
            for size in 1..=stream.len() {
                let mut lines = EventLines::default();
                let pieces = stream.as_bytes().chunks(size);
                let mut events: Vec<Event> = pieces.flat_map(|piece| lines.take(piece)).collect();
                events.extend(lines.finish());
                let read: Vec<_> = events.iter().map(|event| event.data.as_str()).collect();
                assert_eq!(read, data, "{stream:?} by {size}");
                assert!(events.iter().all(|event| !event.is_error), "{stream:?}");
            }
        }
        for stream in ["event: error\ndata: no\n\n", "error: no\n\n"] {
            let events = EventLines::default().take(stream.as_bytes());
            assert!(matches!(events.as_slice(), [event] if event.is_error && event.data == "no"));
        }
    }
}
