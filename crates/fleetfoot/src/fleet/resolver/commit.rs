//! Planned moves are checked, taken back, or carried out.

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::pibt::Pibt;

impl Pibt {
    /// Begins a tick.
    pub(crate) fn begin(&mut self) {
        self.firm.clear();
    }

    /// Reads what is stored of the cells of units, to fetch it from memory.
    pub(crate) fn fetch(&self, of_cell: impl Fn(u32) -> u64) -> u64 {
        let there = self.pieces.iter().map(|piece| piece.at).filter(|&at| at != NONE);
        there.fold(0, |sum, at| {
            let sets = self.taken.word(at) ^ self.claimed.word(at) ^ self.planned.word(at);
            sum ^ u64::from(self.now_on[at as usize]) ^ sets ^ of_cell(at)
        })
    }

    /// Returns `true` if every unit has the cell that it goes to. A fixed move can contradict those of other units.
    pub(crate) fn is_sound(&self) -> bool {
        self.claimed.len() == self.pieces.iter().filter(|piece| piece.next != NONE).count()
    }

    /// Forgets the planned moves.
    pub(crate) fn take_back(&mut self) {
        for piece in &mut self.pieces {
            let next = core::mem::replace(&mut piece.next, NONE);
            if next != NONE {
                self.claimed.remove(next);
            }
            // A claim that was taken back may have left its mark on the unit's own cell.
            if piece.at != NONE {
                self.claimed.remove(piece.at);
                self.planned.remove(piece.at);
            }
        }
    }

    /// Moves all units, and returns how many moved.
    pub(crate) fn commit(&mut self) -> u32 {
        let mut moved = 0;
        for piece in &self.pieces {
            if piece.at != NONE && piece.at != piece.next {
                self.now_on[piece.at as usize] = NONE;
                self.taken.remove(piece.at);
                moved += 1;
            }
        }
        for (unit, piece) in self.pieces.iter_mut().enumerate() {
            if piece.at != NONE {
                let from = core::mem::replace(&mut piece.at, core::mem::replace(&mut piece.next, NONE));
                self.claimed.remove(piece.at);
                self.planned.remove(from);
                if from != piece.at {
                    self.now_on[piece.at as usize] = unit as u32;
                    self.taken.insert(piece.at);
                }
            }
        }
        moved
    }
}
