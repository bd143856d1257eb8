//! Smooth random fields in integer arithmetic, for landscapes.

use super::SeededRng;

/// Interpolation weights run from 0 to 1 << SHIFT.
const SHIFT: u32 = 12;

/// Amplitude of the strongest octave; products with a weight still fit an `i32`.
const AMPLITUDE: i32 = 1 << 14;

/// Returns one value per cell, around 0: value noise whose octaves begin at `period` cells and halve down to
/// `finest`, each with three quarters of the previous amplitude.
pub(super) fn field(width: u32, height: u32, period: u32, finest: u32, dice: &mut SeededRng) -> Vec<i32> {
    let mut field = vec![0; width as usize * height as usize];
    let mut octave = (period.max(1), AMPLITUDE);
    while octave.0 >= finest.max(1) {
        add_octave(&mut field, width, height, octave, dice);
        octave = (octave.0 / 2, octave.1 * 3 / 4);
    }
    field
}

/// Adds random values at the points of a lattice, interpolated between them.
fn add_octave(
    field: &mut [i32],
    width: u32,
    height: u32,
    (period, amplitude): (u32, i32),
    dice: &mut SeededRng,
) {
    // Each octave has its own origin, since coinciding lattices would be visible.
    let (left, top) = (dice.below(period), dice.below(period));
    let columns = ((width + left) / period + 2) as usize;
    let rows = (height + top) / period + 2;
    let mut draw_row = || -> Vec<i32> {
        (0..columns)
            .map(|_| dice.below(2 * amplitude.cast_unsigned() + 1).cast_signed() - amplitude)
            .collect()
    };
    let weights: Vec<i32> = (0..period).map(|at| smooth(at, period)).collect();
    let lattice: Vec<Vec<i32>> = (0..rows).map(|_| draw_row()).collect();
    let mut line = vec![0; columns];
    for (y, cells) in (top..).zip(field.chunks_exact_mut(width as usize)) {
        let (above, below) = (&lattice[(y / period) as usize], &lattice[(y / period + 1) as usize]);
        let weight = weights[(y % period) as usize];
        for ((value, &a), &b) in line.iter_mut().zip(above).zip(below) {
            *value = between(a, b, weight);
        }
        let mut places = line.windows(2);
        let (mut pair, mut at) = (places.next().unwrap_or(&[0, 0]), left as usize);
        for cell in cells {
            *cell += between(pair[0], pair[1], weights[at]);
            at += 1;
            if at == weights.len() {
                (pair, at) = (places.next().unwrap_or(&[0, 0]), 0);
            }
        }
    }
}

fn between(a: i32, b: i32, weight: i32) -> i32 {
    a + (((b - a) * weight) >> SHIFT)
}

/// Returns 3t² − 2t³ for t = at / period. A linear weight would make the lattice visible as creases.
fn smooth(at: u32, period: u32) -> i32 {
    let (at, period) = (u64::from(at), u64::from(period));
    (((at * at * (3 * period - 2 * at)) << SHIFT) / (period * period * period)) as i32
}

/// Returns the value below which `percent` of 100 of the values are.
pub(super) fn percentile(field: &[i32], percent: usize) -> i32 {
    let mut values = field.to_vec();
    let place = (values.len() * percent / 100).min(values.len() - 1);
    *values.select_nth_unstable(place).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_smooth_and_spread() {
        let (width, height) = (200, 100);
        let field = field(width, height, 32, 8, &mut SeededRng::new(1));
        let steps =
            field.chunks_exact(width as usize).flat_map(|row| row.windows(2).map(|w| (w[0] - w[1]).abs()));
        assert!(steps.max() < Some(15_000));
        let (low, high) = (percentile(&field, 10), percentile(&field, 90));
        assert!(low < -3_000 && high > 3_000, "{low} {high}");
        assert_eq!(percentile(&field, 0), *field.iter().min().unwrap());
        assert_eq!(percentile(&field, 100), *field.iter().max().unwrap());
    }

    #[test]
    fn weights_rise_from_nothing() {
        assert_eq!((smooth(0, 7), smooth(4, 8)), (0, 1 << (SHIFT - 1)));
        assert!((0..99).all(|at| smooth(at, 100) <= smooth(at + 1, 100)));
        assert!(smooth(99, 100) <= 1 << SHIFT);
    }
}
