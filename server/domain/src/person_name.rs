//! Names of people, compared as a clerk would: by their words, not by their spelling.

use crate::search_key::search_words;

/// Whether two full names can be the same person's: case, accents, punctuation and order do not
/// matter, and one may lack a middle name. Nicknames are not guessed. A name without a letter says
/// nothing.
#[must_use]
pub fn is_same_name(one: &str, other: &str) -> bool {
    let (mut few, mut many) = (search_words(one), search_words(other));
    if few.concat() == many.concat() {
        return true;
    }
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    few.iter().all(|word| {
        let at = many.iter().position(|other| other == word);
        at.map(|at| many.swap_remove(at)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_however_it_is_written() {
        for (one, other) in [
            ("José Núñez", "JOSE NUNEZ"),
            ("Gibbs Beth", "Beth Gibbs"),
            ("Anna Maria López", "Lopez, Anna"),
            ("Nora OBrien", "Nora O’Brien"),
            ("王 秀英", "王秀英"),
            ("", "Beth Gibbs"),
            ("- Suharto", "Suharto"),
        ] {
            assert!(is_same_name(one, other), "{one} / {other}");
            assert!(is_same_name(other, one), "{other} / {one}");
        }
        for (one, other) in [
            ("John Smith", "Beth Gibbs"),
            ("John Gibbs", "Beth Gibbs"),
            ("Bill Gibbs", "William Gibbs"),
            ("Kim Kim", "Kim Lee"),
        ] {
            assert!(!is_same_name(one, other), "{one} / {other}");
        }
    }
}
