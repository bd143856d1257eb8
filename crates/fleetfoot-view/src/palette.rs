//! The colours of pictures, which the colour-blind can tell apart (after Okabe and Ito): they differ in brightness
//! too. The viewer's light theme has the same ones.

use crate::canvas::Colour;

pub(crate) const PAPER: Colour = [255, 255, 255];
pub(crate) const INK: Colour = [20, 20, 24];
pub(crate) const START: Colour = [0, 84, 170];
pub(crate) const GOAL: Colour = [204, 84, 150];
pub(crate) const AGENT: Colour = [213, 94, 0];
pub(crate) const TRAIL: Colour = [213, 94, 0];
pub(crate) const FOLLOWED: Colour = [0, 60, 120];
/// Expanded in this tick.
pub(crate) const NOW: Colour = [0, 114, 178];
/// Expanded earlier in the present search.
pub(crate) const CLOSED: Colour = [126, 184, 226];
/// Expanded in earlier searches.
pub(crate) const EARLIER: Colour = [205, 222, 233];
pub(crate) const OPEN: Colour = [240, 196, 32];
pub(crate) const FOG: Colour = [176, 180, 190];
/// A door or an edit that was free at first and is blocked now, and the other way round.
pub(crate) const SHUT: Colour = [150, 20, 60];
pub(crate) const OPENED: Colour = [0, 158, 115];

/// From a little above the initial h to the most.
const HEAT: [Colour; 4] = [[250, 214, 196], [225, 130, 120], [170, 50, 120], [80, 8, 110]];

/// The colour of a terrain letter.
pub(crate) fn ground(letter: u8) -> Colour {
    match letter {
        b'.' => [247, 244, 236],
        b'G' => [214, 228, 190],
        b'S' => [217, 196, 150],
        b'@' => [88, 88, 92],
        b'T' => [22, 92, 74],
        b'W' => [86, 160, 214],
        _ => [28, 28, 30],
    }
}

/// Heat, from 0 to 1.
pub(crate) fn heat(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    #[expect(clippy::cast_sign_loss, reason = "clamped")]
    let k = (place as usize).min(HEAT.len() - 2);
    crate::canvas::blend(HEAT[k], HEAT[k + 1], place - k as f64)
}
