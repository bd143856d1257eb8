//! Specs: `key` or `key(name=value,…)`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Facts, Param, PlannerInfo, SpecSyntaxError, Values, parse_params, suggest};

/// A planner spec: an algorithm, and the parameters that differ from their defaults.
///
/// ```
/// use fleetfoot::registry::Spec;
/// let spec: Spec = "repeated-astar( replan = broken )".parse()?;
/// assert_eq!(spec.to_string(), "repeated-astar(replan=broken)");
/// assert_eq!(spec.value("direction"), "forward");
/// assert!("astra".parse::<Spec>().unwrap_err().to_string().contains("did you mean `astar`"));
/// # Ok::<(), fleetfoot::registry::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    info: &'static PlannerInfo,
    /// The given value of each parameter.
    given: Vec<Option<String>>,
}

/// The reason a spec is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(pub(crate) String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for SpecError {}

impl From<SpecSyntaxError> for SpecError {
    fn from(error: SpecSyntaxError) -> Self {
        Self(error.to_string())
    }
}

impl Spec {
    /// Returns the algorithm.
    pub fn info(&self) -> &'static PlannerInfo {
        self.info
    }

    /// Returns the guarantees and requirements for these parameters.
    pub fn facts(&self) -> Facts {
        (self.info.adjust_facts)(self, self.info.facts)
    }

    /// Returns the value of a parameter: the given one, or its default. Empty if the algorithm has no such
    /// parameter.
    pub fn value(&self, name: &str) -> &str {
        let Some(k) = self.index(name) else { return "" };
        self.given[k].as_deref().unwrap_or(self.info.params[k].default)
    }

    /// Returns `true` if a parameter has this value.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    /// Returns `true` if the spec sets this parameter.
    pub fn is_set(&self, name: &str) -> bool {
        self.index(name).is_some_and(|k| self.given[k].is_some())
    }

    /// Returns an integer parameter.
    pub fn whole(&self, name: &str) -> u64 {
        self.value(name).parse().unwrap_or(0)
    }

    /// Returns a parameter that is an integer or a word. `None` for the word.
    pub fn whole_or(&self, name: &str) -> Option<u64> {
        self.value(name).parse().ok()
    }

    /// Returns a fraction or a decimal number, in millionths.
    pub fn share(&self, name: &str) -> u32 {
        millionths(self.value(name)).unwrap_or(0)
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.info.params.iter().position(|p| p.name == name)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.key)?;
        let mut before = "(";
        for (param, value) in self.info.params.iter().zip(&self.given) {
            if let Some(value) = value {
                write!(f, "{before}{}={value}", param.name)?;
                before = ",";
            }
        }
        if before == "," { f.write_str(")") } else { Ok(()) }
    }
}

impl Spec {
    /// Creates a spec of a planner from the list of its parameters, `name=value,…`.
    pub(crate) fn with_params(info: &'static PlannerInfo, list: &str) -> Result<Self, SpecError> {
        let mut spec = Self { info, given: info.params.iter().map(|_| None).collect() };
        for (name, value) in parse_params(info.key, list)? {
            spec.take(name, value)?;
        }
        Ok(spec)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        let key = self.info.key;
        let Some(k) = self.index(name) else {
            let known: Vec<_> = self.info.params.iter().map(|p| p.name).collect();
            let remedy = match suggest(name, &known) {
                _ if known.is_empty() => "it has none".to_string(),
                remedy => remedy.replace("there are", "its parameters are"),
            };
            return Err(SpecError(format!("{key} has no parameter `{name}`; {remedy}")));
        };
        check(&self.info.params[k], value)
            .map_err(|must| SpecError(format!("{key}({name}={value}): {name} must be {must}")))?;
        self.given[k] = Some(value.to_string());
        Ok(())
    }
}

/// Validates a value. Returns a description of the valid values if it is invalid.
fn check(param: &Param, value: &str) -> Result<(), String> {
    match param.values {
        Values::OneOf(words) if !words.contains(&value) => {
            Err(format!("one of {}", names(words.iter().copied())))
        }
        Values::Int(least, most) if !value.parse().is_ok_and(|n: u64| (least..=most).contains(&n)) => {
            Err(format!("a whole number from {least} to {most}"))
        }
        Values::IntOr(word, least, most)
            if value != word && !value.parse().is_ok_and(|n: u64| (least..=most).contains(&n)) =>
        {
            Err(format!("`{word}` or a whole number from {least} to {most}"))
        }
        Values::Decimal(least, most)
            if value.ends_with('%')
                || !millionths(value)
                    .is_some_and(|n| (least * 1_000_000..=most * 1_000_000).contains(&n)) =>
        {
            Err(format!("a number from {least} to {most}, with at most six decimals"))
        }
        Values::Share if millionths(value).is_none_or(|n| n > 1_000_000) => {
            Err("a share between 0 and 1, such as 0.9 or 90%, with at most six decimals".to_string())
        }
        Values::Text if value.is_empty() => Err("a text".to_string()),
        _ => Ok(()),
    }
}

/// Parses a number below 1000 to millionths, without floating point: the papers' integer parts are computed by
/// rational arithmetic.
pub(super) fn millionths(value: &str) -> Option<u32> {
    let (digits, unit) = value.strip_suffix('%').map_or((value, 1_000_000), |percent| (percent, 10_000));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || whole.len() > 3 || decimals.len() > 6 {
        return None;
    }
    if !all_digits(whole) || !all_digits(decimals) {
        return None;
    }
    let number = |s: &str| s.bytes().fold(0u64, |n, b| n * 10 + u64::from(b - b'0'));
    let scale = 10u64.pow(decimals.len() as u32);
    let scaled = (number(whole) * scale + number(decimals)) * unit;
    scaled.is_multiple_of(scale).then_some((scaled / scale) as u32)
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::ALGORITHMS;

    fn refusal(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn specs_print_back() {
        for text in
            ["astar", "astar(direction=backward,open=heap,ties=smaller-g)", "repeated-astar(replan=broken)"]
        {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!(
            " astar ( open = heap , direction=forward ) ".parse::<Spec>().unwrap().to_string(),
            "astar(direction=forward,open=heap)"
        );
        assert_eq!("astar()".parse::<Spec>().unwrap().to_string(), "astar");
    }

    #[test]
    fn refusals_list_what_is_valid() {
        let said = refusal("dijkstra");
        assert!(
            said.starts_with("there is no planner `dijkstra`; there are auto, corner-tba, astar, "),
            "{said}"
        );
        assert!(ALGORITHMS.iter().all(|info| said.contains(info.key)), "{said}");
        assert_eq!(refusal("tbba"), "there is no planner `tbba`; did you mean `tba` or `tbaa`?");
        assert_eq!(
            refusal("tba(switchrule=on)"),
            "tba has no parameter `switchrule`; did you mean `switch-rule`?"
        );
        assert_eq!("RTAA*".parse::<Spec>().unwrap().to_string(), "rtaa");
        assert_eq!(
            refusal("astar(speed=9)"),
            "astar has no parameter `speed`; its parameters are direction, open, ties, prune"
        );
        assert_eq!(refusal("astar(open=tree)"), "astar(open=tree): open must be one of ring, heap");
        assert!(refusal("astar(open=heap").contains("closing bracket"));
        assert!(refusal("astar(heap)").contains("name=value"));
        assert!(refusal("astar(open=heap,open=ring)").contains("twice"));
        assert!(refusal("").contains("astar"));
    }

    #[test]
    fn shares_are_exact() {
        assert_eq!(millionths("0.9"), Some(900_000));
        assert_eq!(millionths("90%"), Some(900_000));
        assert_eq!(millionths("1"), Some(1_000_000));
        assert_eq!(millionths("12.5%"), Some(125_000));
        assert_eq!(millionths(".25"), Some(250_000));
        assert_eq!(millionths("3.25"), Some(3_250_000));
        for bad in ["", ".", "1000", "-0.1", "0.1234567", "x", "%", "1e-3"] {
            assert_eq!(millionths(bad), None, "{bad}");
        }
    }
}
