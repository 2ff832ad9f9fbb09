//! Texts that the hotel shows its guests as they are written: on privacy, and its terms.

use super::variable_reader::Reader;

/// Maximum length of a text in bytes.
const MAX_LENGTH: usize = 100_000;

pub const DEMO_PRIVACY: &str = "\
This hotel is a demonstration. Its guests, rooms, and payments are made up, and no card is charged.

# What is stored
What you enter here is stored on the computer that runs the demonstration, and in the systems that were connected to it, if any. Whoever runs it can read it.";

pub const DEMO_TERMS: &str = "\
This hotel is a demonstration. A booking here gives nobody a room.

# Booking and paying
You pay at check-out. Until you arrive you can cancel free of charge.";

/// The text in the file that this variable names.
pub fn document(
    from: &mut Reader<'_>,
    name: &'static str,
    in_demo: Option<&str>,
) -> Option<String> {
    let Some(file) = from.text(name) else {
        return in_demo.map(str::to_owned);
    };
    let problem = match std::fs::read_to_string(&file) {
        Ok(text) if text.trim().is_empty() => "is empty".to_owned(),
        Ok(text) if text.len() > MAX_LENGTH => format!("has more than {MAX_LENGTH} bytes"),
        Ok(text) => return Some(text),
        Err(error) => format!("can't be read: {error}"),
    };
    from.problem(name, format!("the file {file:?} {problem}"));
    None
}
