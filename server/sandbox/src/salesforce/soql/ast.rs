//! Query as written; no names are resolved yet.

use super::super::decimal::Decimal;
use jiff::Timestamp;
use jiff::civil::Date;

/// `SELECT … FROM … WHERE … ORDER BY … LIMIT …`.
#[derive(Clone, Debug)]
pub struct Select {
    pub items: Vec<Item>,
    /// Object, or in a child query a relationship.
    pub from: String,
    pub alias: Option<String>,
    pub filter: Option<Filter>,
    /// Sort order.
    pub order: Vec<Order>,
    /// Maximum number of records.
    pub limit: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum Item {
    /// Field, possibly of a parent.
    Path(Path),
    /// Child query.
    Child(Box<Select>),
}

/// Parts of `Opportunity__r.Account.Name`.
#[derive(Clone, Debug)]
pub struct Path(pub Vec<String>);

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

#[derive(Clone, Debug)]
pub enum Filter {
    /// All are true.
    And(Vec<Filter>),
    /// At least one is true.
    Or(Vec<Filter>),
    /// It is false.
    Not(Box<Filter>),
    /// Field compared with a value.
    Compare(Path, Compare, Literal),
    /// Field compared with a pattern.
    Like(Path, Vec<Piece>),
    /// Field compared with a list; `true` for NOT IN.
    In(Path, bool, Vec<Literal>),
    /// Field compared with the records of another query; `true` for NOT IN.
    InSelect(Path, bool, Box<Select>),
}

/// Comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `=`
    Equal,
    /// `!=` or `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

#[derive(Clone, Debug)]
pub enum Literal {
    Null,
    /// `true`, `false`
    Bool(bool),
    Text(String),
    /// Number, with or without decimals.
    Number(Decimal),
    /// `2026-03-10`
    Date(Date),
    /// `2026-03-10T12:00:00Z`
    DateTime(Timestamp),
}

/// Part of a LIKE pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This character, in any case.
    Char(char),
    /// `_`
    One,
    /// `%`
    Any,
}

/// Sort key; nulls come first in either direction.
#[derive(Clone, Debug)]
pub struct Order {
    /// Field.
    pub path: Path,
    /// DESC.
    pub descending: bool,
}
