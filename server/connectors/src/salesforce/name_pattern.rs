//! SOQL condition for part of a name. `LIKE` ignores neither accents nor kinds of apostrophes, so
//! any character matches where one may be; the reader of the answer drops false matches.

use dewy_domain::search_key::search_key;

use super::soql;

/// Letters that names in Latin script write with accents.
const ACCENTED: &str = "acdegilnorstuyz";
/// With this many certain letters, all others may be wildcards at once.
const MIN_CERTAIN_LETTERS: usize = 3;
/// Shortest word that may be a name without its apostrophe: `OBrien`.
const MIN_UNMARKED_LETTERS: usize = 5;
/// A name seldom has more accents than this.
const ACCENTS: usize = 2;
/// From this many letters on, one accent per word must do: the query is part of a URL.
const LONG_NAME_LETTERS: usize = 24;

/// Condition that is true for every name that contains all the words, with or without accents.
pub(super) fn name_pattern(words: &[String]) -> String {
    let letters: usize = words.iter().map(|word| word.chars().count()).sum();
    let accents = if letters > LONG_NAME_LETTERS {
        1
    } else {
        ACCENTS
    };
    words
        .iter()
        .map(|word| one(word, accents))
        .collect::<Vec<_>>()
        .join(" AND ")
}

fn one(word: &str, accents: usize) -> String {
    let letters: Vec<char> = search_key(word).chars().collect();
    let open: Vec<usize> = (0..letters.len())
        .filter(|at| ACCENTED.contains(letters[*at]))
        .collect();
    let always: Vec<usize> = (0..letters.len())
        .filter(|at| matches!(letters[*at], '\'' | '-'))
        .collect();
    let like = |any: &[usize]| {
        soql::contains_with_wildcards(&letters, |at| always.contains(&at) || any.contains(&at))
    };
    let mut patterns = vec![like(&[])];
    if letters.len() - open.len() - always.len() >= MIN_CERTAIN_LETTERS {
        patterns = vec![like(&open)];
    } else {
        // So few letters must not match every name.
        let most = accents.min(letters.len() / 2);
        for (n, first) in open.iter().enumerate() {
            if most >= 1 {
                patterns.push(like(&[*first]));
            }
            if most >= 2 {
                patterns.extend(open[n + 1..].iter().map(|second| like(&[*first, *second])));
            }
        }
    }
    // An apostrophe after the first letter is often left out
    if let (Some(first), true) = (letters.first(), letters.len() >= MIN_UNMARKED_LETTERS)
        && first.is_alphanumeric()
        && !always.contains(&1)
    {
        let at = "'%".len() + first.len_utf8();
        let (head, tail) = patterns[0].split_at(at.min(patterns[0].len()));
        if !head.ends_with('_') {
            patterns.push(format!("{head}%{tail}"));
        }
    }
    let each: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("Name LIKE {pattern}"))
        .collect();
    format!("({})", each.join(" OR "))
}

#[cfg(test)]
mod tests {
    fn name_pattern(words: &str) -> String {
        super::name_pattern(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn wildcards_depend_on_the_number_of_certain_letters() {
        assert_eq!(name_pattern("Wu"), "(Name LIKE '%wu%' OR Name LIKE '%w_%')");
        assert_eq!(name_pattern("e"), "(Name LIKE '%e%')");
        assert_eq!(
            name_pattern("hobbs"),
            "(Name LIKE '%h_bb_%' OR Name LIKE '%h%_bb_%')"
        );
        let nunez = name_pattern("Núñez");
        for pattern in ["'%nunez%'", "'%n__ez%'", "'%_u_ez%'"] {
            assert!(nunez.contains(pattern), "{nunez}");
        }
        assert!(name_pattern("obrien").contains("'%o%brien%'"));
        assert!(name_pattern("o’brien").contains("'%o_brien%'"));
        assert_eq!(name_pattern("a%_b"), "(Name LIKE '%_\\%\\_b%')");
    }

    #[test]
    fn long_names_stay_within_the_query_limit() {
        assert!(name_pattern(&["gonzalez"; 3].join(" ")).len() < 4000);
        assert!(name_pattern(&["gonzalez"; 10].join(" ")).len() < 4000);
        assert!(name_pattern("carla gonzalez").len() < 4000);
    }
}
