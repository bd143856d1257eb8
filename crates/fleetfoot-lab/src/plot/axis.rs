//! Axes: what they span and where their ticks are.

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    Linear,
    /// Equal steps for equal ratios; values that are not positive are left out.
    Log,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// How values lie along it.
    pub scale: Scale,
    /// Values that must be within its span; the data always are.
    pub must_show: Vec<f64>,
    /// Where to put ticks, if not at round numbers.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, must_show: Vec::new(), ticks: Vec::new() }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// The same, with ticks at these values and no others.
    #[must_use]
    pub fn with_ticks(self, ticks: impl IntoIterator<Item = f64>) -> Self {
        Self { ticks: ticks.into_iter().collect(), ..self }
    }

    /// The same, spanning these values too.
    #[must_use]
    pub fn showing(self, values: impl IntoIterator<Item = f64>) -> Self {
        Self { must_show: values.into_iter().collect(), ..self }
    }

    /// Whether a value has a place.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }

    pub(super) fn span(&self, values: impl Iterator<Item = f64>) -> Span {
        let values = values.chain(self.must_show.iter().copied()).filter(|value| self.shows(*value));
        let places = values.map(|value| forward(self.scale, value));
        let (mut low, mut high) =
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let pad = if high - low < 1e-9 { 0.5 } else { 0.05 * (high - low) };
        // Counts and shares begin at 0: a pad below it would promise values that cannot be.
        let floor = self.scale == Scale::Linear && low >= 0.0 && low < pad + 1e-9;
        Span { scale: self.scale, low: if floor { 0.0 } else { low - pad }, high: high + pad }
    }
}

/// What an axis spans.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    scale: Scale,
    low: f64,
    high: f64,
}

/// A mark on an axis, with a text or without.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Where, from 0 to 1.
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
    /// Where a value lies, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        (forward(self.scale, value) - self.low) / (self.high - self.low)
    }

    pub(super) fn ticks(&self, wanted: &[f64]) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = match self.scale {
            _ if !wanted.is_empty() => wanted.iter().map(|value| self.tick(*value, true)).collect(),
            Scale::Linear => self.linear().into_iter().map(|value| self.tick(value, true)).collect(),
            Scale::Log => self.log(),
        };
        ticks.retain(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.at));
        ticks
    }

    fn tick(&self, value: f64, labelled: bool) -> Tick {
        Tick { at: self.place(value), text: labelled.then(|| label(value)) }
    }

    /// Steps of 1, 2 or 5 times a power of ten, about six of them.
    fn linear(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / 7.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0) * power;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        // Numbers such as 0.30000000000000004 would be bad labels.
        (first..=last).map(|k| (k as f64 * step * 1e12).round() / 1e12).collect()
    }

    /// Powers of ten, with 2 and 5 between them where there is room, and small ticks without a text.
    fn log(&self) -> Vec<Tick> {
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
                    ticks.push(self.tick(value, is_labelled));
                }
            }
        }
        ticks
    }
}

/// A tick's text: plain digits, or a power of ten where there would be many.
fn label(value: f64) -> String {
    let power = value.abs().log10();
    let is_power = value > 0.0 && (power - power.round()).abs() < 1e-9;
    if is_power && !(-3.5..4.5).contains(&power) {
        return format!("10{}", raised(power.round() as i32));
    }
    if value.abs() >= 1e5 || (value != 0.0 && value.abs() < 1e-4) {
        let exponent = power.floor();
        let digits = crate::number(value / 10f64.powf(exponent));
        return format!("{digits}·10{}", raised(exponent as i32));
    }
    crate::number(value)
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
        assert_eq!(texts(&Axis::log(""), &[1.0, 1e6]), ["1", "10", "100", "1000", "10000", "10⁵", "10⁶"]);
        assert_eq!(texts(&Axis::log(""), &[12.0, 80.0]), ["20", "30", "50", "70"]);
        assert_eq!(texts(&Axis::log("").with_ticks([8.0, 64.0]), &[1.0, 512.0]), ["8", "64"]);
        assert_eq!(label(250_000.0), "2.5·10⁵");
        assert_eq!(label(1e-5), "10⁻⁵");
        assert_eq!(label(0.0), "0");
    }

    #[test]
    fn spans_cover_the_data_and_nothing_breaks() {
        for values in [&[][..], &[5.0], &[0.0, 0.0], &[-3.0, 7.0], &[1e-9, 1e12], &[f64::NAN, 2.0]] {
            for axis in [Axis::linear(""), Axis::log("")] {
                let span = axis.span(values.iter().copied());
                for value in values.iter().filter(|value| axis.shows(**value)) {
                    assert!((0.0..=1.0).contains(&span.place(*value)), "{values:?}");
                }
                assert!(span.ticks(&[]).len() < 200);
            }
        }
    }
}
