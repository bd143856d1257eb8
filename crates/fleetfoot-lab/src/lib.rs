//! The laboratory: experiments with real-time search. The papers' tables and figures are in `fleetfoot-reproduce`.
//!
//! - [`places`] and [`run`]: runs, executed on many threads or machines, with one [`run::Row`] each. An experiment
//!   can be interrupted at any time and continues where it stopped.
//! - [`stats`]: means, quantiles, bootstrap intervals, comparisons of planners on the same problems.
//! - [`plot`]: plots as SVG and PNG from one description.
//! - [`report`]: claims with their verdicts, tables and plots, as Markdown and HTML.
//! - [`experiment`]: user-defined experiments in TOML.
//! - [`catalogue`]: the planners as data. [`record`]: recorded runs for replays.

pub mod catalogue;
pub mod experiment;
pub mod places;
pub mod plot;
pub mod problems;
pub mod record;
pub mod report;
pub mod run;
pub mod stats;

/// Formats a number for readers: four significant digits, or all digits of a large number.
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "–".into() } else { if x > 0.0 { "∞" } else { "−∞" }.into() };
    }
    let size = x.abs();
    if size >= 9_999.5 {
        let sign = if x < 0.0 { "-" } else { "" };
        return sign.to_owned() + &thousands(&format!("{size:.0}"));
    }
    #[expect(clippy::cast_sign_loss, reason = "clamped to be positive")]
    let decimals = match size {
        0.0 => 0,
        _ => (3 - size.log10().floor() as i32).clamp(0, 6) as usize,
    };
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats numbers with the same number of decimals: two significant digits of `width`.
pub fn alike<const N: usize>(values: [f64; N], width: f64) -> [String; N] {
    if !(width.is_finite() && width > 0.0 && values.iter().all(|value| value.is_finite())) {
        return values.map(number);
    }
    #[expect(clippy::cast_sign_loss, reason = "clamped to be positive")]
    let decimals = (1 - width.log10().floor() as i32).clamp(0, 6) as usize;
    values.map(|value| {
        let text = format!("{:.decimals$}", value.abs());
        let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
        let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
        let sign = if value < 0.0 && !is_zero { "-" } else { "" };
        let whole = if value.abs() >= 9_999.5 { thousands(whole) } else { whole.to_owned() };
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{rest}")
    })
}

/// Formats a number with its interval.
pub fn with_interval(value: f64, interval: stats::Interval) -> String {
    let [value] = alike([value], interval.high - interval.low);
    format!("{value} ({interval})")
}

/// Formats a whole number with separated thousands.
pub fn whole(n: u64) -> String {
    thousands(&n.to_string())
}

fn thousands(digits: &str) -> String {
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{alike, number, whole, with_interval};
    use crate::stats::Interval;

    #[test]
    fn numbers_as_people_read_them() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (1.23456, "1.235"),
            (12.3456, "12.35"),
            (0.012_345, "0.01235"),
            (9_999.4, "9999"),
            (12_345.678, "12,346"),
            (248_537.79, "248,538"),
            (-1_234_567.0, "-1,234,567"),
            (-0.5, "-0.5"),
            (f64::NAN, "–"),
            (f64::INFINITY, "∞"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text, "{x}");
        }
        assert_eq!(alike([1.23456, 1.1, 1.402], 0.302), ["1.23", "1.10", "1.40"]);
        assert_eq!(alike([12_345.6, 9_000.2], 3_345.0), ["12,346", "9000"]);
        assert_eq!(alike([-0.001, -0.5, f64::NAN], 1.0), ["-0.001", "-0.5", "–"]);
        assert_eq!(alike([-0.001, -0.5], 1.0), ["0.0", "-0.5"]);
        assert_eq!(with_interval(2.0, Interval::exact(2.0)), "2 (2 to 2)");
        assert_eq!(with_interval(2.0, Interval { low: 1.0, high: 3.5, n: 4 }), "2.0 (1.0 to 3.5, ⚠ n = 4)");
        assert_eq!([0, 999, 1000, 1_234_567].map(whole), ["0", "999", "1,000", "1,234,567"]);
    }
}
