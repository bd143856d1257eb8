//! Axes: their spans and ticks.

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances for equal differences.
    Linear,
    /// Equal distances for equal ratios. Values that are not positive are skipped.
    Log,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its label.
    pub label: String,
    /// Its scale.
    pub scale: Scale,
    /// Values within its span, in addition to the data.
    pub must_show: Vec<f64>,
    /// Positions of ticks, if not at round numbers.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// Creates an axis with a linear scale.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, must_show: Vec::new(), ticks: Vec::new() }
    }

    /// Creates an axis with a logarithmic scale.
    pub fn log(label: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// Sets the positions of all ticks.
    #[must_use]
    pub fn with_ticks(self, ticks: impl IntoIterator<Item = f64>) -> Self {
        Self { ticks: ticks.into_iter().collect(), ..self }
    }

    /// Extends the span to these values.
    #[must_use]
    pub fn showing(self, values: impl IntoIterator<Item = f64>) -> Self {
        Self { must_show: values.into_iter().collect(), ..self }
    }

    /// Returns `true` if a value can be shown. Differences of values beyond 10³⁰⁰ overflow.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.abs() < 1e300 && (self.scale == Scale::Linear || value > 0.0)
    }

    pub(super) fn span(&self, values: impl Iterator<Item = f64>) -> Span {
        let values = values.chain(self.must_show.iter().copied()).filter(|value| self.shows(*value));
        let places = values.map(|value| forward(self.scale, value));
        let (mut low, mut high) =
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let size = if self.scale == Scale::Linear { high.abs().max(low.abs()) } else { 1.0 };
        let pad = match high - low {
            _ if size == 0.0 => 0.5,
            flat if flat <= 1e-9 * size => 0.5 * size,
            range => 0.05 * range,
        };
        // Counts and shares begin at 0: padding below would show impossible values.
        let floor = self.scale == Scale::Linear && low >= 0.0 && low <= pad;
        Span { scale: self.scale, low: if floor { 0.0 } else { low - pad }, high: high + pad }
    }
}

/// The span of an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    scale: Scale,
    low: f64,
    high: f64,
}

/// A mark on an axis, with or without a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Position, from 0 to 1.
    pub(super) at: f64,
    pub(super) text: Option<String>,
}

fn forward(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Log => value.log10(),
    }
}

impl Span {
    /// Returns the position of a value, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        (forward(self.scale, value) - self.low) / (self.high - self.low)
    }

    pub(super) fn ticks(&self, wanted: &[f64]) -> Vec<Tick> {
        let mut ticks: Vec<(f64, bool)> = match self.scale {
            _ if !wanted.is_empty() => wanted.iter().map(|value| (*value, true)).collect(),
            Scale::Linear => self.linear().into_iter().map(|value| (value, true)).collect(),
            Scale::Log => self.log(),
        };
        ticks.retain(|(value, _)| (-1e-9..=1.0 + 1e-9).contains(&self.place(*value)));
        let style = Style::of(self.scale, ticks.iter().filter(|tick| tick.1).map(|tick| tick.0));
        let tick = |&(value, labelled): &(f64, bool)| Tick {
            at: self.place(value),
            text: labelled.then(|| style.label(value)),
        };
        ticks.iter().map(tick).collect()
    }

    /// Returns about six ticks in steps of 1, 2 or 5 times a power of ten.
    fn linear(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / 7.0;
        let exponent = raw.log10().floor() as i32;
        let power = 10f64.powi(exponent);
        let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
        let first = (self.low / (times * power)).ceil() as i64;
        let last = (self.high / (times * power)).floor() as i64;
        // Dividing by a whole power gives exact tenths: 0.30000000000000004 would be a bad label.
        let value = |k: i64| match k as f64 * times {
            whole if exponent < 0 => whole / 10f64.powi(-exponent),
            whole => whole * power,
        };
        (first..=last).map(value).collect()
    }

    /// Returns powers of ten, with 2 and 5 between them if there is space, and small ticks without a text.
    fn log(&self) -> Vec<(f64, bool)> {
        let decades = self.high - self.low;
        let labelled: &[u32] = match decades {
            d if d < 0.8 => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
            d if d < 1.7 => &[1, 2, 3, 5, 7],
            d if d < 3.2 => &[1, 2, 5],
            _ => &[1],
        };
        let every = (decades / 8.0).ceil().max(1.0) as i64;
        let mut ticks = Vec::new();
        for power in self.low.floor() as i64..=self.high.ceil() as i64 {
            for digit in 1..10u32 {
                let value = f64::from(digit) * 10f64.powi(power as i32);
                let is_labelled = labelled.contains(&digit) && power.rem_euclid(every) == 0;
                if is_labelled || decades < 6.0 {
                    ticks.push((value, is_labelled));
                }
            }
        }
        ticks
    }
}

/// The format of all ticks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Digits.
    Plain,
    /// A multiple of this power of ten, shared by all.
    Times(i32),
    /// Each with its own power of ten.
    Powers,
}

impl Style {
    /// Chooses digits, unless a text would be long.
    fn of(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let sizes: Vec<f64> = values.map(f64::abs).filter(|size| *size > 0.0).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let smallest = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        match scale {
            _ if largest < 99_999.5 && smallest > 0.99e-4 => Self::Plain,
            _ if sizes.is_empty() => Self::Plain,
            Scale::Log => Self::Powers,
            // Steps of a span far from 0 on a linear axis would all look the same.
            Scale::Linear if largest < 99_999.5 && largest > 0.99e-4 => Self::Plain,
            Scale::Linear => Self::Times(exponent(largest)),
        }
    }

    fn label(self, value: f64) -> String {
        match self {
            _ if value == 0.0 => "0".into(),
            Self::Plain => digits(value),
            Self::Times(power) => times(value / 10f64.powi(power), power),
            Self::Powers => {
                let power = exponent(value);
                let left = value / 10f64.powi(power);
                if (left - 1.0).abs() < 1e-9 { format!("10{}", raised(power)) } else { times(left, power) }
            }
        }
    }
}

fn times(value: f64, power: i32) -> String {
    format!("{}·10{}", digits(value), raised(power))
}

/// Formats all digits of a round number, otherwise the first few: 100.05 and 100.1 must differ.
fn digits(value: f64) -> String {
    let all = value.to_string();
    if all.len() <= 8 { all } else { crate::number(value) }
}

/// Returns the power of ten at or below a value, with tolerance for rounding.
fn exponent(value: f64) -> i32 {
    (value.abs().log10() + 1e-9).floor() as i32
}

fn raised(n: i32) -> String {
    let raise = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).unwrap_or(c),
        other => other,
    };
    n.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, values: &[f64]) -> Vec<String> {
        let span = axis.span(values.iter().copied());
        span.ticks(&axis.ticks).into_iter().filter_map(|tick| tick.text).collect()
    }

    #[test]
    fn round_numbers() {
        assert_eq!(texts(&Axis::linear(""), &[0.0, 10.0]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(texts(&Axis::linear(""), &[1.0, 1.3]), ["1", "1.05", "1.1", "1.15", "1.2", "1.25", "1.3"]);
        assert_eq!(texts(&Axis::log(""), &[1.0, 1e6]), ["10⁰", "10¹", "10²", "10³", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(texts(&Axis::log(""), &[1.0, 3e4]), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(texts(&Axis::log(""), &[12.0, 80.0]), ["20", "30", "50", "70"]);
        assert_eq!(texts(&Axis::log("").with_ticks([8.0, 64.0]), &[1.0, 512.0]), ["8", "64"]);
    }

    /// Checks that ticks of an axis have one format and different texts.
    #[test]
    fn texts_of_an_axis_are_alike() {
        assert_eq!(texts(&Axis::log(""), &[7e4, 4e5]), ["7·10⁴", "10⁵", "2·10⁵", "3·10⁵"]);
        assert_eq!(texts(&Axis::linear(""), &[0.0, 2e5]), ["0", "0.5·10⁵", "1·10⁵", "1.5·10⁵", "2·10⁵"]);
        assert_eq!(texts(&Axis::linear(""), &[0.0, 4e-6]), ["0", "1·10⁻⁶", "2·10⁻⁶", "3·10⁻⁶", "4·10⁻⁶"]);
        assert_eq!(texts(&Axis::log("").with_ticks([8.0, 2e5]), &[1.0, 1e6]), ["8·10⁰", "2·10⁵"]);
        for top in [1e-15, 3e-7, 0.02, 0.7, 3.0, 900.0, 1e5, 7.3e7, 2e20] {
            for values in [[0.0, top], [-top, top], [top / 3.0, top], [top * 0.997, top]] {
                let texts = texts(&Axis::linear(""), &values);
                let powers = texts.iter().filter(|text| text.contains('·')).count();
                let zeros = usize::from(texts.contains(&"0".to_owned()));
                assert!(texts.len() > 2 && (powers == 0 || powers + zeros == texts.len()), "{texts:?}");
                assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{texts:?}");
            }
        }
    }

    const WILD: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 2.0, 3.0];

    #[test]
    fn spans_cover_the_data_and_nothing_breaks() {
        for values in [&[][..], &[5.0], &[0.0, 0.0], &[-3.0, 7.0], &[1e-9, 1e12], &[f64::NAN, 2.0], &WILD] {
            for axis in [Axis::linear(""), Axis::log("")] {
                let span = axis.span(values.iter().copied());
                for value in values.iter().filter(|value| axis.shows(**value)) {
                    assert!((0.0..=1.0).contains(&span.place(*value)), "{values:?}");
                }
                for ticks in [span.ticks(&[]), span.ticks(&WILD)] {
                    assert!(ticks.len() < 200 && ticks.iter().all(|tick| tick.at.is_finite()), "{values:?}");
                }
            }
        }
    }
}
