//! LIKE: `%` matches any text, `_` any one character, letters in any case.

use super::super::field_value::fold;
use super::ast::Piece;

/// Whether the whole text matches the pattern.
pub fn matches(pattern: &[Piece], text: &str) -> bool {
    let text: Vec<char> = fold(text).collect();
    let (mut at, mut piece) = (0, 0);
    // State for backtracking: the last `%`, and how much of the text it matches.
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(piece) {
            Some(Piece::Any) => {
                retry = Some((piece, at));
                piece += 1;
                continue;
            }
            Some(Piece::One) => {
                at += 1;
                piece += 1;
                continue;
            }
            Some(Piece::Char(c)) if *c == text[at] => {
                at += 1;
                piece += 1;
                continue;
            }
            _ => {}
        }
        let Some((any, taken)) = retry else {
            return false;
        };
        retry = Some((any, taken + 1));
        at = taken + 1;
        piece = any + 1;
    }
    pattern[piece..].iter().all(|p| *p == Piece::Any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let pattern = |text: &str| -> Vec<Piece> {
            text.chars()
                .map(|c| match c {
                    '%' => Piece::Any,
                    '_' => Piece::One,
                    c => Piece::Char(c),
                })
                .collect()
        };
        for (p, text, fits) in [
            ("%gibbs%", "Beth Gibbs", true),
            ("beth%", "Beth Gibbs", true),
            ("b_th gibbs", "Beth Gibbs", true),
            ("%a%b%c", "xxaxxbxxbc", true),
            ("%", "", true),
            ("_", "", false),
            ("beth", "Beth Gibbs", false),
            ("%z", "Beth", false),
            ("%ñez", "José NÚÑEZ", true),
            ("%ñez", "Nunez", false),
        ] {
            assert_eq!(matches(&pattern(p), text), fits, "{p} / {text}");
        }
    }
}
