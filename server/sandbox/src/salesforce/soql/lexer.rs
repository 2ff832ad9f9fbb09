//! Lexer.

use jiff::Timestamp;
use jiff::civil::Date;

use super::super::decimal::Decimal;
use super::super::error::{ApiError, ApiResult};
use super::super::field_value::{read_date, read_moment};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Keyword or name, as written.
    Word(String),
    /// String with unresolved escapes: they differ inside LIKE.
    Text(Vec<StringChar>),
    Number(Decimal),
    Date(Date),
    DateTime(Timestamp),
    /// `( ) , . = != < <= > >=`
    Symbol(&'static str),
}

/// Character of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringChar {
    /// Unescaped.
    Plain(char),
    /// After a backslash.
    Escaped(char),
    /// Written as `\uXXXX`: never a wildcard.
    Unicode(char),
}

/// Longest first, so that `<=` is not read as `<`. `<>` is `!=`.
const SYMBOLS: [(&str, &str); 11] = [
    ("!=", "!="),
    ("<>", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (".", "."),
];

/// Splits a query into tokens.
///
/// # Errors
/// `MALFORMED_QUERY` for an unterminated string or an invalid character.
pub fn tokens(text: &str) -> ApiResult<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first == '\'' {
            quoted(rest)?
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else if first.is_ascii_digit()
            || (matches!(first, '-' | '+' | '.')
                && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            number(rest)?
        } else {
            let (written, meant) = SYMBOLS
                .iter()
                .find(|(s, _)| rest.starts_with(s))
                .ok_or_else(|| unexpected(first))?;
            (Token::Symbol(meant), written.len())
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

fn unexpected(what: impl std::fmt::Display) -> ApiError {
    ApiError::malformed(format!("unexpected token: '{what}'"))
}

fn quoted(rest: &str) -> ApiResult<(Token, usize)> {
    let mut content = Vec::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return Ok((Token::Text(content), at + 1)),
            '\\' => match chars.next() {
                Some((_, 'u')) => {
                    let digits: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                    let code = u32::from_str_radix(&digits, 16)
                        .ok()
                        .filter(|_| digits.len() == 4);
                    let named = code.and_then(char::from_u32);
                    content.push(StringChar::Unicode(
                        named.ok_or_else(|| unexpected(digits))?,
                    ));
                }
                Some((_, escaped)) => content.push(StringChar::Escaped(escaped)),
                None => break,
            },
            plain => content.push(StringChar::Plain(plain)),
        }
    }
    Err(ApiError::malformed(
        "line 1: no viable alternative at character '<EOF>'",
    ))
}

/// Numbers, dates and timestamps all start with a digit and contain no spaces.
fn number(rest: &str) -> ApiResult<(Token, usize)> {
    let length = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.' | ':'))
        .unwrap_or(rest.len());
    let word = &rest[..length];
    let token = if let Some(date) = read_date(word) {
        Token::Date(date)
    } else if let Some(moment) = read_moment(word) {
        Token::DateTime(moment)
    } else if word
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.'))
    {
        Token::Number(Decimal::parse(word).ok_or_else(|| unexpected(word))?)
    } else {
        return Err(unexpected(word));
    };
    Ok((token, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_split_into_tokens() {
        let found =
            tokens("SELECT a.b FROM X WHERE n<>-1.5 AND t='o\\'b' AND d>=2026-03-10").unwrap();
        assert_eq!(found[1], Token::Word("a".into()));
        assert_eq!(found[2], Token::Symbol("."));
        assert!(
            found.contains(&Token::Symbol("!="))
                && found.contains(&Token::Number(Decimal::new(-15, 1)))
        );
        assert!(found.contains(&Token::Text(vec![
            StringChar::Plain('o'),
            StringChar::Escaped('\''),
            StringChar::Plain('b')
        ])));
        assert!(found.contains(&Token::Date(jiff::civil::date(2026, 3, 10))));
        for wrong in [
            "'open",
            "'open\\",
            "a ; b",
            "2026-13-01",
            "x = :y",
            "\"double\"",
        ] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }
}
