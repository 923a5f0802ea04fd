//! Addresses of the simulated network.

use super::{SIM_HRP, SimError};

/// The script that an address stands for (BIP-141, BIP-173, BIP-350).
pub(super) fn script_hex(address: &str) -> Result<String, SimError> {
    let (prefix, version, program) =
        bech32::segwit::decode(address).map_err(|_| SimError::NotOurAddress { what: "it is no segwit address" })?;
    if prefix.to_lowercase() != SIM_HRP {
        return Err(SimError::NotOurAddress { what: "it belongs to another network" });
    }
    let opcode = match version.to_u8() {
        0 => 0x00,
        version => 0x50 + version,
    };
    let length = u8::try_from(program.len()).map_err(|_| SimError::NotOurAddress { what: "it is too long" })?;
    Ok(hex::encode([opcode, length].into_iter().chain(program).collect::<Vec<u8>>()))
}
