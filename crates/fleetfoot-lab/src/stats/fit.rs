//! Fits power laws: straight lines on two logarithmic axes.

use super::mean;

/// y = `factor` · x^`slope`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The exponent.
    pub slope: f64,
    /// y at x = 1.
    pub factor: f64,
    /// Share of the variance of log y that the line explains.
    pub r2: f64,
}

/// Fits the least-squares line through the logarithms. Returns `None` if fewer than two different x are positive.
pub fn log_log(points: &[(f64, f64)]) -> Option<Fit> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let (xs, ys): (Vec<f64>, Vec<f64>) = logs.iter().copied().unzip();
    let (mx, my) = (mean(&xs), mean(&ys));
    let sum = |f: &dyn Fn(f64, f64) -> f64| logs.iter().map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx <= 1e-12 {
        return None;
    }
    let slope = xy / xx;
    let r2 = if yy <= 1e-12 { 1.0 } else { xy * xy / (xx * yy) };
    Some(Fit { slope, factor: (my - slope * mx).exp(), r2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_power_laws() {
        let points: Vec<(f64, f64)> =
            (1..30).map(|k| (f64::from(k), 0.14 * f64::from(k).powf(1.5))).collect();
        let fit = log_log(&points).unwrap();
        assert!((fit.slope - 1.5).abs() < 1e-9 && (fit.factor - 0.14).abs() < 1e-9 && fit.r2 > 1.0 - 1e-9);
        assert_eq!(log_log(&[(1.0, 2.0)]), None);
        assert_eq!(log_log(&[(3.0, 2.0), (3.0, 5.0), (0.0, 1.0)]), None);
        let scattered = log_log(&[(1.0, 1.0), (2.0, 9.0), (4.0, 2.0), (8.0, 30.0)]).unwrap();
        assert!(scattered.r2 > 0.0 && scattered.r2 < 0.95);
    }
}
