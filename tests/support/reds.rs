//! What did not hold in a test of many cases: one run tells of every case, not only of the first.

/// Cases that did not hold.
#[derive(Default)]
pub struct Reds(Vec<String>);

impl Reds {
    /// Notes a case that did not hold.
    pub fn note(&mut self, case: &str, why: impl Into<String>) {
        self.0.push(format!("{case}: {}", why.into()));
    }

    /// Notes a case unless it holds.
    pub fn hold(&mut self, case: &str, holds: bool, why: impl Into<String>) {
        if !holds {
            self.note(case, why);
        }
    }

    /// Fails if any case did not hold, with one line for each.
    #[track_caller]
    pub fn none(self) {
        assert!(self.0.is_empty(), "these did not hold:\n{}", self.0.join("\n"));
    }
}
