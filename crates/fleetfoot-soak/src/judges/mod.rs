//! The judges: a map, a referee and an oracle of their own. They use nothing of the library, so that a defect there cannot hide here.

pub(crate) mod ground;
pub(crate) mod oracle;
pub(crate) mod referee;

#[cfg(test)]
mod tests {
    /// What would make the judges repeat the library's mistakes.
    #[test]
    fn judges_share_no_code_with_the_library() {
        for text in [include_str!("ground.rs"), include_str!("oracle.rs"), include_str!("referee.rs")] {
            assert!(!text.contains("fleetfoot"), "a judge uses the library");
        }
    }
}
