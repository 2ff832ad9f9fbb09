//! Exact decimal numbers, so that no currency amount ever passes through a float.

use std::cmp::Ordering;

/// `units` × 10^-`scale`.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    units: i128,
    scale: u32,
}

/// Maximum number of digits: no field has more, and it keeps every product within `i128`.
const MAX_DIGITS: usize = 18;

impl Decimal {
    /// `units` × 10^-`scale`; a scale above 18 is reduced to 18.
    #[must_use]
    pub fn new(units: i64, scale: u32) -> Self {
        Self {
            units: units.into(),
            scale: scale.min(18),
        }
    }

    /// Parses `12`, `-3.50`, `2.5e1`; at most 18 digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || all.len() > MAX_DIGITS || !all.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let units: i128 = all.parse().ok()?;
        let units = if negative { -units } else { units };
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        match scale {
            0..=18 => Some(Self {
                units,
                scale: scale.unsigned_abs(),
            }),
            -18..=-1 => Some(Self {
                units: units.checked_mul(ten_to(scale.unsigned_abs()))?,
                scale: 0,
            }),
            _ => None,
        }
    }

    /// Same number with `scale` decimal places, rounded half away from zero.
    #[must_use]
    pub fn rescale(self, scale: u32) -> Self {
        let units = if scale >= self.scale {
            self.units.saturating_mul(ten_to(scale - self.scale))
        } else {
            let divisor = ten_to(self.scale - scale);
            let half = if self.units < 0 {
                -divisor / 2
            } else {
                divisor / 2
            };
            (self.units + half) / divisor
        };
        Self { units, scale }
    }

    /// Whether the integer part has at most `digits` digits.
    #[must_use]
    pub fn fits(self, digits: u32) -> bool {
        self.units.abs() / ten_to(self.scale) < ten_to(digits)
    }

    /// Text in Salesforce's format: always a decimal point, no unnecessary zeros (`250.0`,
    /// `149.99`).
    #[must_use]
    pub fn to_text(self) -> String {
        let divisor = ten_to(self.scale);
        let sign = if self.units < 0 { "-" } else { "" };
        let fraction = format!(
            "{:0width$}",
            self.units.abs() % divisor,
            width = self.scale as usize
        );
        let fraction = if self.scale == 0 {
            ""
        } else {
            fraction.trim_end_matches('0')
        };
        format!(
            "{sign}{}.{}",
            self.units.abs() / divisor,
            if fraction.is_empty() { "0" } else { fraction }
        )
    }

    /// JSON number with exactly the digits of [`Self::to_text`].
    #[must_use]
    pub fn to_json(self) -> serde_json::Value {
        self.to_text()
            .parse::<serde_json::Number>()
            .map_or(serde_json::Value::Null, serde_json::Value::Number)
    }
}

fn ten_to(power: u32) -> i128 {
    10_i128.saturating_pow(power)
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.rescale(scale).units.cmp(&other.rescale(scale).units)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_their_digits() {
        for (text, shown) in [
            ("250", "250.0"),
            ("149.99", "149.99"),
            ("-0.5", "-0.5"),
            ("2.5e1", "25.0"),
            ("1E3", "1000.0"),
            ("0.10", "0.1"),
        ] {
            let number = Decimal::parse(text).unwrap();
            assert_eq!(number.to_text(), shown);
            assert_eq!(number.to_json().to_string(), shown);
        }
        assert_eq!(
            Decimal::parse("1.005").unwrap().rescale(2).to_text(),
            "1.01"
        );
        assert_eq!(
            Decimal::parse("-1.005").unwrap().rescale(2).to_text(),
            "-1.01"
        );
        assert!(
            Decimal::parse("").is_none()
                && Decimal::parse("1.2.3").is_none()
                && Decimal::parse("x").is_none()
        );
        assert_eq!(Decimal::parse("2.50"), Decimal::parse("2.5"));
        assert!(!Decimal::new(100, 0).fits(2) && Decimal::new(9999, 2).fits(2));
    }
}
