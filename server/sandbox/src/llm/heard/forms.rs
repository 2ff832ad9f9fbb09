//! The forms a word takes: `leak`, `leaks`, `leaking`, `leaked`; `bring` and `brought`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Verbs whose forms follow no rule, the base first.
static IRREGULAR: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("forms/irregular.txt").lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.filter_map(|forms| forms.first().map(|base| (*base, forms[1..].to_vec()))).collect()
});

/// Every form of a word, itself first. Forms nobody uses do no harm.
pub fn of(base: &str) -> Vec<String> {
    let mut forms = vec![base.to_owned(), format!("{base}s")];
    if !doubles(base) {
        forms.push(format!("{base}ing"));
    }
    if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| base.ends_with(end)) {
        forms.push(format!("{base}es"));
    }
    forms.extend(IRREGULAR.get(base).into_iter().flatten().map(|form| (*form).to_owned()));
    if !base.ends_with('e') && !doubles(base) {
        forms.push(format!("{base}ed"));
    }
    if let Some(stem) = base.strip_suffix('e') {
        forms.extend([format!("{base}d"), format!("{stem}ing")]);
    }
    if let Some(stem) = base.strip_suffix('y') {
        forms.extend([format!("{stem}ies"), format!("{stem}ied")]);
    }
    if let Some(last) = base.chars().last().filter(|last| !"aeiouwxy".contains(*last)) {
        forms.extend([format!("{base}{last}ed"), format!("{base}{last}ing")]);
    }
    forms
}

/// Whether a short word doubles its last letter for sure: `stop`, `running`.
fn doubles(base: &str) -> bool {
    let vowel = |letter: Option<u8>| letter.is_some_and(|letter| b"aeiou".contains(&letter));
    let mut letters = base.bytes().rev();
    let last = letters.next().filter(|last| !b"aeiouwxy".contains(last));
    last.is_some() && vowel(letters.next()) && !vowel(letters.next()) && base.len() < 5
}

/// What a word may be a form of, for words that are not in any list themselves.
pub fn bases(word: &str) -> Vec<String> {
    const ENDS: [(&str, &str); 14] = [
        ("ies", "y"),
        ("ied", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
        ("ly", ""),
        ("er", ""),
        ("er", "e"),
        ("est", ""),
        ("ness", ""),
        ("ful", ""),
    ];
    let mut bases = Vec::new();
    for (end, other) in ENDS {
        let Some(stem) = word.strip_suffix(end).filter(|stem| stem.len() > 2) else { continue };
        bases.push(format!("{stem}{other}"));
        let mut letters = stem.chars().rev();
        if other.is_empty() && letters.next() == letters.next() {
            bases.push(stem[..stem.len() - 1].to_owned());
        }
    }
    bases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_both_ways() {
        for (base, form) in
            [("leak", "leaking"), ("stop", "stopped"), ("carry", "carried"), ("close", "closing"), ("bring", "brought")]
        {
            assert!(of(base).contains(&form.to_owned()), "{base} {form}");
        }
        assert!(bases("hopped").contains(&"hop".to_owned()));
        assert!(bases("bikes").contains(&"bike".to_owned()));
    }
}
