//! Parser: tokens → [`Select`], by recursive descent.

use super::super::error::{ApiError, ApiResult};
use super::ast::{Compare, Filter, Item, Literal, Order, Path, Piece, Select};
use super::lexer::{self, StringChar, Token};

/// Maximum nesting of parentheses: a malicious query must not overflow the stack.
const MAX_NESTING: usize = 50;

/// Keywords that are never taken for an alias.
const KEYWORDS: [&str; 26] = [
    "select", "from", "where", "order", "limit", "offset", "and", "or", "not", "in", "like", "by",
    "asc", "desc", "nulls", "group", "having", "with", "for", "using", "all", "typeof", "null",
    "true", "false", "update",
];

/// Parses a whole query.
///
/// # Errors
/// `MALFORMED_QUERY` for anything but exactly one query.
pub fn parse(text: &str) -> ApiResult<Select> {
    let mut parser = Parser {
        tokens: lexer::tokens(text)?,
        at: 0,
        depth: 0,
        inside: 0,
    };
    let query = parser.select()?;
    match parser.peek() {
        None => Ok(query),
        Some(_) => Err(parser.unexpected()),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Nesting depth of parentheses and NOTs.
    inside: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn unexpected(&self) -> ApiError {
        let what = match self.peek() {
            None => "<EOF>".to_owned(),
            Some(Token::Word(word)) => word.clone(),
            Some(Token::Symbol(symbol)) => (*symbol).to_owned(),
            Some(other) => format!("{other:?}"),
        };
        ApiError::malformed(format!("unexpected token: '{what}'"))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w.eq_ignore_ascii_case(word))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    fn need_word(&mut self, word: &str) -> ApiResult<()> {
        if self.take_word(word) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Symbol(s)) if *s == symbol);
        self.at += usize::from(there);
        there
    }

    fn need_symbol(&mut self, symbol: &str) -> ApiResult<()> {
        if self.take_symbol(symbol) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn name(&mut self) -> ApiResult<String> {
        match self.peek() {
            Some(Token::Word(word)) if !KEYWORDS.iter().any(|k| word.eq_ignore_ascii_case(k)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn path(&mut self) -> ApiResult<Path> {
        let mut parts = vec![self.name()?];
        while self.take_symbol(".") {
            parts.push(self.name()?);
        }
        Ok(Path(parts))
    }

    fn count(&mut self) -> ApiResult<usize> {
        match self.peek() {
            Some(Token::Number(number)) => {
                let whole = number
                    .to_text()
                    .strip_suffix(".0")
                    .and_then(|t| t.parse().ok());
                let whole = whole.ok_or_else(|| self.unexpected())?;
                self.at += 1;
                Ok(whole)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn enter_nesting(&mut self) -> ApiResult<()> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            Err(ApiError::malformed("query is nested too deeply"))
        } else {
            Ok(())
        }
    }

    fn select(&mut self) -> ApiResult<Select> {
        self.enter_nesting()?;
        self.need_word("select")?;
        let mut items = vec![self.item()?];
        while self.take_symbol(",") {
            items.push(self.item()?);
        }
        self.need_word("from")?;
        let from = self.name()?;
        let alias = if matches!(self.peek(), Some(Token::Word(_))) {
            self.name().ok()
        } else {
            None
        };
        // The nesting around this query doesn't count for its conditions.
        let outside = std::mem::take(&mut self.inside);
        let filter = if self.take_word("where") {
            Some(self.filter()?)
        } else {
            None
        };
        self.inside = outside;
        let mut order = Vec::new();
        if self.take_word("order") {
            self.need_word("by")?;
            order.push(self.order()?);
            while self.take_symbol(",") {
                order.push(self.order()?);
            }
        }
        let limit = if self.take_word("limit") {
            Some(self.count()?)
        } else {
            None
        };
        self.depth -= 1;
        Ok(Select {
            items,
            from,
            alias,
            filter,
            order,
            limit,
        })
    }

    fn item(&mut self) -> ApiResult<Item> {
        if self.take_symbol("(") {
            let child = self.select()?;
            self.need_symbol(")")?;
            return Ok(Item::Child(Box::new(child)));
        }
        let path = self.path()?;
        // Functions such as COUNT, FIELDS and FORMAT are not supported.
        match self.peek() {
            Some(Token::Symbol("(")) => Err(self.unexpected()),
            _ => Ok(Item::Path(path)),
        }
    }

    fn order(&mut self) -> ApiResult<Order> {
        let path = self.path()?;
        let descending = !self.take_word("asc") && self.take_word("desc");
        Ok(Order { path, descending })
    }

    /// AND and OR must not be mixed without parentheses, as in SOQL itself.
    fn filter(&mut self) -> ApiResult<Filter> {
        self.enter_nesting()?;
        let mut parts = vec![self.unary()?];
        let joined = if self.is_word("and") { "and" } else { "or" };
        while self.take_word(joined) {
            parts.push(self.unary()?);
        }
        if self.is_word("and") || self.is_word("or") {
            return Err(self.unexpected());
        }
        if joined == "or"
            && parts.len() > 1
            && parts
                .iter()
                .any(|part| matches!(part, Filter::InSelect(..)))
        {
            return Err(ApiError::malformed(
                "Semi join sub-selects are not allowed with the 'OR' operator",
            ));
        }
        self.depth -= 1;
        Ok(match (parts.len(), joined, parts.pop()) {
            (1, _, Some(one)) => one,
            (_, "and", last) => Filter::And(parts.into_iter().chain(last).collect()),
            (_, _, last) => Filter::Or(parts.into_iter().chain(last).collect()),
        })
    }

    fn unary(&mut self) -> ApiResult<Filter> {
        if self.take_word("not") {
            self.enter_nesting()?;
            self.inside += 1;
            let inner = self.unary()?;
            self.inside -= 1;
            self.depth -= 1;
            return Ok(Filter::Not(Box::new(inner)));
        }
        if self.take_symbol("(") {
            self.inside += 1;
            let inner = self.filter()?;
            self.inside -= 1;
            self.need_symbol(")")?;
            return Ok(inner);
        }
        self.condition()
    }

    fn condition(&mut self) -> ApiResult<Filter> {
        let path = self.path()?;
        if self.take_word("like") {
            let Some(Token::Text(content)) = self.peek() else {
                return Err(self.unexpected());
            };
            let pattern = pattern(content)?;
            self.at += 1;
            return Ok(Filter::Like(path, pattern));
        }
        let negated = self.take_word("not");
        if negated || self.is_word("in") {
            self.need_word("in")?;
            return self.list(path, negated);
        }
        let operators = [
            ("=", Compare::Equal),
            ("!=", Compare::Unequal),
            ("<=", Compare::AtMost),
            (">=", Compare::AtLeast),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        for (symbol, operator) in operators {
            if self.take_symbol(symbol) {
                return Ok(Filter::Compare(path, operator, self.literal()?));
            }
        }
        Err(self.unexpected())
    }

    fn list(&mut self, path: Path, negated: bool) -> ApiResult<Filter> {
        self.need_symbol("(")?;
        if self.is_word("select") {
            if self.inside > 0 {
                return Err(ApiError::malformed(
                    "Semi join sub-selects are only allowed at the top level WHERE expressions and not in nested WHERE \
                     expressions.",
                ));
            }
            let select = self.select()?;
            self.need_symbol(")")?;
            return Ok(Filter::InSelect(path, negated, Box::new(select)));
        }
        let mut values = vec![self.literal()?];
        while self.take_symbol(",") {
            values.push(self.literal()?);
        }
        self.need_symbol(")")?;
        Ok(Filter::In(path, negated, values))
    }

    fn literal(&mut self) -> ApiResult<Literal> {
        let literal = match self.peek() {
            Some(Token::Text(content)) => Literal::Text(text(content)?),
            Some(Token::Number(number)) => Literal::Number(*number),
            Some(Token::Date(date)) => Literal::Date(*date),
            Some(Token::DateTime(moment)) => Literal::DateTime(*moment),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("null") => Literal::Null,
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("true") => Literal::Bool(true),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("false") => Literal::Bool(false),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(literal)
    }
}

fn unescape(escaped: char) -> ApiResult<char> {
    Ok(match escaped {
        '\\' | '\'' => escaped,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        other => {
            return Err(ApiError::malformed(format!(
                "Illegal escape sequence '\\{other}'"
            )));
        }
    })
}

fn text(content: &[StringChar]) -> ApiResult<String> {
    content
        .iter()
        .map(|c| match *c {
            StringChar::Plain(c) | StringChar::Unicode(c) => Ok(c),
            StringChar::Escaped(c) => unescape(c),
        })
        .collect()
}

fn pattern(content: &[StringChar]) -> ApiResult<Vec<Piece>> {
    let mut pieces = Vec::new();
    for c in content {
        match *c {
            StringChar::Plain('%') => pieces.push(Piece::Any),
            StringChar::Plain('_') => pieces.push(Piece::One),
            StringChar::Escaped(c @ ('%' | '_')) => pieces.push(Piece::Char(c)),
            StringChar::Plain(c) | StringChar::Unicode(c) => {
                pieces.extend(c.to_lowercase().map(Piece::Char));
            }
            StringChar::Escaped(c) => pieces.extend(unescape(c)?.to_lowercase().map(Piece::Char)),
        }
    }
    Ok(pieces)
}
