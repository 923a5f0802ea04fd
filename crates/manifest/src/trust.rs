//! The keys that a program trusts, and the one place where a signature is believed.

use crate::keys::{Fingerprint, PublicKey};
use crate::record::Signature;
use crate::refusal::Refusal;

/// Which of the two trusted keys signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyRole {
    /// The key in use.
    Current,
    /// The key kept on another machine. The first record under it retires the current one on the device that sees it.
    Next,
}

/// One or two trusted keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedKeys {
    current: Option<PublicKey>,
    next: Option<PublicKey>,
}

impl TrustedKeys {
    /// The key in use and the one that may replace it.
    pub const fn new(current: PublicKey, next: Option<PublicKey>) -> Self {
        Self { current: Some(current), next }
    }

    /// The same keys after the next one has retired the current one.
    #[must_use]
    pub const fn current_retired(self) -> Self {
        Self { current: None, next: self.next }
    }

    /// The trusted key of that fingerprint.
    fn find(&self, fingerprint: Fingerprint) -> Option<(KeyRole, &PublicKey)> {
        let keys = [(KeyRole::Current, self.current.as_ref()), (KeyRole::Next, self.next.as_ref())];
        keys.into_iter().filter_map(|(role, key)| Some((role, key?))).find(|(_, key)| key.fingerprint() == fingerprint)
    }

    /// Whether a trusted key of that fingerprint signed each of the messages, and which.
    ///
    /// # Errors
    /// [`Refusal::UnknownKey`], [`Refusal::BadSignature`].
    pub(crate) fn verify(&self, named: Fingerprint, signed: &[(&[u8], &Signature)]) -> Result<KeyRole, Refusal> {
        if faults::planted(faults::ANY_KEY) {
            return Ok(KeyRole::Current);
        }
        let (role, key) = self.find(named).ok_or(Refusal::UnknownKey { found: named })?;
        let all_hold = faults::planted(faults::SIGNATURE_UNCHECKED)
            || signed.iter().all(|(message, signature)| key.verifies(message, signature));
        if all_hold { Ok(role) } else { Err(Refusal::BadSignature) }
    }
}
