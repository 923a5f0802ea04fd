//! What the first four characters of an extended key say (SLIP-132, Litecoin's and Bitcoin's `chainparams`).

/// What kind of key a prefix announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A public account key for native segwit, or one whose script type the prefix leaves open.
    Usable {
        /// Whether it is for the main networks.
        main: bool,
    },
    /// A private key: whoever sees it can spend.
    Private,
    /// One key of several that sign together.
    Multisig,
    /// Segwit wrapped in an old-style script (BIP-49): other addresses.
    NestedSegwit,
    /// Old-style addresses (BIP-44): other addresses.
    Legacy,
}

/// One prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The four characters.
    pub text: &'static str,
    /// The four bytes they stand for.
    pub version: [u8; 4],
    /// What they announce.
    pub kind: Kind,
}

const fn prefix(text: &'static str, version: u32, kind: Kind) -> Prefix {
    Prefix { text, version: version.to_be_bytes(), kind }
}

const MAIN: Kind = Kind::Usable { main: true };
const TEST: Kind = Kind::Usable { main: false };

/// Every prefix that wallets of Bitcoin and Litecoin are known to write.
const PREFIXES: [Prefix; 26] = [
    prefix("xpub", 0x0488_b21e, MAIN),
    prefix("zpub", 0x04b2_4746, MAIN),
    prefix("tpub", 0x0435_87cf, TEST),
    prefix("vpub", 0x045f_1cf6, TEST),
    prefix("xprv", 0x0488_ade4, Kind::Private),
    prefix("yprv", 0x049d_7878, Kind::Private),
    prefix("zprv", 0x04b2_430c, Kind::Private),
    prefix("Yprv", 0x0295_b005, Kind::Private),
    prefix("Zprv", 0x02aa_7a99, Kind::Private),
    prefix("tprv", 0x0435_8394, Kind::Private),
    prefix("uprv", 0x044a_4e28, Kind::Private),
    prefix("vprv", 0x045f_18bc, Kind::Private),
    prefix("Uprv", 0x0242_85b5, Kind::Private),
    prefix("Vprv", 0x0257_5048, Kind::Private),
    prefix("Ltpv", 0x019d_9cfe, Kind::Private),
    prefix("Mtpv", 0x01b2_6792, Kind::Private),
    prefix("ttpv", 0x0436_ef7d, Kind::Private),
    prefix("Ypub", 0x0295_b43f, Kind::Multisig),
    prefix("Zpub", 0x02aa_7ed3, Kind::Multisig),
    prefix("Upub", 0x0242_89ef, Kind::Multisig),
    prefix("Vpub", 0x0257_5483, Kind::Multisig),
    prefix("ypub", 0x049d_7cb2, Kind::NestedSegwit),
    prefix("upub", 0x044a_5262, Kind::NestedSegwit),
    prefix("Mtub", 0x01b2_6ef6, Kind::NestedSegwit),
    prefix("Ltub", 0x019d_a462, Kind::Legacy),
    prefix("ttub", 0x0436_f6e1, Kind::Legacy),
];

impl Prefix {
    /// The prefix that a text begins with.
    pub fn of(text: &str) -> Option<Self> {
        PREFIXES.into_iter().find(|known| text.starts_with(known.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version number typed wrong would refuse a good key, or take a private one for something else.
    #[test]
    fn each_prefix_is_what_its_version_looks_like_in_base58() {
        for known in PREFIXES {
            for fill in [0x00, 0xff] {
                let mut bytes = [fill; 78];
                bytes[..4].copy_from_slice(&known.version);
                let text = bs58::encode(bytes).with_check().into_string();
                assert_eq!(Prefix::of(&text), Some(known), "{text}");
            }
        }
    }
}
