//! A query as written: nothing is looked up yet.

use super::super::decimal::Decimal;
use jiff::Timestamp;
use jiff::civil::Date;

/// `SELECT … FROM … WHERE … ORDER BY … LIMIT … OFFSET …`.
#[derive(Clone, Debug)]
pub struct Select {
    /// What is asked for.
    pub items: Vec<Item>,
    /// An object, or in a child query a relationship.
    pub from: String,
    /// Another name for it.
    pub alias: Option<String>,
    /// Which records.
    pub filter: Option<Filter>,
    /// In which order.
    pub order: Vec<Order>,
    /// At most how many.
    pub limit: Option<usize>,
    /// How many are passed over first.
    pub offset: usize,
}

/// One thing asked for.
#[derive(Clone, Debug)]
pub enum Item {
    /// A field, perhaps of a parent.
    Path(Path),
    /// `COUNT()`, or `COUNT(field) alias`.
    Count(Option<Path>, Option<String>),
    /// A query of children.
    Child(Box<Select>),
}

/// `Opportunity__r.Account.Name`, in parts.
#[derive(Clone, Debug)]
pub struct Path(pub Vec<String>);

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Filter {
    /// All hold.
    And(Vec<Filter>),
    /// One holds.
    Or(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// A field against a value.
    Compare(Path, Compare, Literal),
    /// A field against a pattern.
    Like(Path, Vec<Piece>),
    /// A field against a list; `true` for NOT IN.
    In(Path, bool, Vec<Literal>),
    /// A field against the records of another query; `true` for NOT IN.
    InSelect(Path, bool, Box<Select>),
}

/// A comparison's operator.
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

/// A value as written.
#[derive(Clone, Debug)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// In quotes.
    Text(String),
    /// With or without a point.
    Number(Decimal),
    /// `2026-03-10`
    Date(Date),
    /// `2026-03-10T12:00:00Z`
    DateTime(Timestamp),
}

/// A piece of a LIKE pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This character, in any case.
    Char(char),
    /// `_`
    One,
    /// `%`
    Any,
}

/// One sort key.
#[derive(Clone, Debug)]
pub struct Order {
    /// The field.
    pub path: Path,
    /// DESC.
    pub descending: bool,
    /// NULLS LAST; nulls come first in either direction unless told.
    pub nulls_last: bool,
}
