//! From a new key to a file that the desktop takes, and each point where the program stops instead.

use std::fs;
use std::path::{Path, PathBuf};

use domain::{Environment, Network};
use manifest::{Day, Expectations, PublicKey, TrustedKeys, check_file};
use tempfile::TempDir;

use crate::support::*;

struct Desk {
    folder: TempDir,
    public: PublicKey,
}

impl Desk {
    /// An operator's folder with a new signing key in it.
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let key = folder.path().join("key");
        let answer = keytool(&["new-key", "--out", key.to_str().unwrap()], "");
        assert!(answer.good, "{answer:?}");
        let public = PublicKey::from_hex(value(&answer.output, "public key")).unwrap();
        assert_eq!(value(&answer.output, "fingerprint"), public.fingerprint().to_string());
        Self { folder, public }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Signs five addresses from index 10, with further arguments and an answer typed.
    fn sign(&self, more: &[&str], typed: &str) -> Answer {
        let (key, out) = (self.path("key"), self.path("out"));
        let mut args =
            vec!["sign", "--key", text(&key), "--from", "10", "--count", "5", "--epoch", "2", "--out", text(&out)];
        args.extend(["--today", "2026-12-01", "--last-day", "2027-03-01"]);
        args.extend(more);
        keytool(&args, typed)
    }

    fn check(&self, more: &[&str]) -> Answer {
        let (out, public) = (self.path("out"), self.public.to_hex());
        let mut args = vec!["check", text(&out), "--trust", &public];
        args.extend(more);
        keytool(&args, "")
    }
}

const MAIN: [&str; 6] = ["--environment", "production", "--network", "litecoin", "--account", LITECOIN_ZPUB];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The rest of the line that begins with `name`.
fn value<'a>(output: &'a str, name: &str) -> &'a str {
    output.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim()
}

#[test]
fn a_signed_file_holds_the_wallets_addresses_and_passes_the_desktops_check() {
    let desk = Desk::new();
    let answer = desk.sign(&MAIN, "yes\n");
    assert!(answer.good, "{answer:?}");
    let file = fs::read_to_string(desk.path("out")).unwrap();
    let today: Day = "2026-12-24".parse().unwrap();
    let expected = Expectations::new(Environment::Production, Network::Litecoin, today, 2).unwrap();
    let checked = check_file(&file, &expected, &TrustedKeys::new(desk.public, None)).unwrap();
    let wallet = derive("litecoin", &["--account", LITECOIN_ZPUB], 10, 5, "");
    let pairs = |(index, address): (u32, &str)| (index, address.to_string());
    let signed: Vec<_> = checked.addresses().iter().map(|found| pairs((found.index(), found.address()))).collect();
    let derived: Vec<_> = wallet.iter().map(|found| pairs((found.index, &found.address))).collect();
    assert_eq!(signed, derived);
    assert!(desk.check(&["--today", "2027-03-01", "--network", "litecoin"]).good);
}

/// Signing the wrong account is the most expensive mistake: the three addresses come first, and only `yes` signs.
#[test]
fn nothing_is_signed_before_three_addresses_were_compared() {
    let desk = Desk::new();
    for typed in ["", "no\n", "y\n", "\n", "YES!\n"] {
        let answer = desk.sign(&MAIN, typed);
        assert!(!answer.good && answer.error.contains("nothing was signed"), "{answer:?}");
        assert!(!desk.path("out").exists());
        for Derived { address, .. } in derive("litecoin", &["--account", LITECOIN_ZPUB], 0, 3, "") {
            assert!(answer.output.contains(&address), "{}", answer.output);
        }
    }
    let mut compared = MAIN.to_vec();
    compared.push("--compared");
    assert!(desk.sign(&compared, "").good);
}

#[test]
fn words_sign_what_their_account_key_signs() {
    let (by_key, by_words) = (Desk::new(), Desk::new());
    let words = format!("{} about\nyes\n", ["abandon"; 11].join(" "));
    assert!(by_key.sign(&MAIN, "yes\n").good);
    let answer = by_words.sign(&["--environment", "production", "--network", "litecoin", "--words", "-"], &words);
    assert!(answer.good, "{answer:?}");
    let addresses = |desk: &Desk| {
        let file = manifest::AddressFile::parse(&fs::read_to_string(desk.path("out")).unwrap()).unwrap();
        file.entries.into_iter().map(|entry| entry.record).collect::<Vec<_>>()
    };
    assert_eq!(addresses(&by_key), addresses(&by_words));
}

#[test]
fn a_regtest_file_is_for_regtest() {
    let desk = Desk::new();
    let regtest = ["--environment", "regtest", "--network", "litecoin-regtest", "--account", TEST_VPUB];
    assert!(desk.sign(&regtest, "yes\n").good);
    assert!(desk.check(&["--today", "2026-12-24", "--network", "litecoin-regtest"]).good);
    let elsewhere = desk.check(&["--today", "2026-12-24", "--network", "litecoin"]);
    assert!(!elsewhere.good && elsewhere.output.contains("environment regtest, not production"), "{elsewhere:?}");
    let contradiction = ["--environment", "production", "--network", "litecoin-regtest", "--account", TEST_VPUB];
    assert!(Desk::new().sign(&contradiction, "yes\n").error.contains("belongs to the environment regtest"));
}

#[test]
fn check_refuses_what_the_desktop_would() {
    let desk = Desk::new();
    assert!(desk.sign(&MAIN, "yes\n").good);
    let refused = |more: &[&str], sentence: &str| {
        let answer = desk.check(more);
        assert!(!answer.good && answer.output.contains(sentence), "{sentence}: {answer:?}");
    };
    refused(&["--today", "2027-03-02"], "last day was 2027-03-01");
    refused(&["--today", "2026-12-24", "--epoch-floor", "3"], "epoch 2 was withdrawn");
    refused(&["--today", "2026-12-24", "--network", "bitcoin"], "network litecoin, not bitcoin");
    refused(&["--today", "2026-11-30"], "after today");
    let stranger = Desk::new();
    fs::copy(desk.path("out"), stranger.path("out")).unwrap();
    assert!(stranger.check(&["--today", "2026-12-24"]).output.contains("not trusted here"));
    let file = fs::read_to_string(desk.path("out")).unwrap();
    fs::write(desk.path("out"), file.replacen("\"index\":12", "\"index\":13", 1)).unwrap();
    refused(&["--today", "2026-12-24"], "record 3: the signature does not belong");
}

#[test]
fn ninety_days_and_not_one_more() {
    let desk = Desk::new();
    let (key, out) = (desk.path("key"), desk.path("out"));
    let mut args =
        vec!["sign", "--key", text(&key), "--from", "0", "--count", "1", "--epoch", "1", "--out", text(&out)];
    args.extend(["--today", "2026-12-01", "--last-day", "2027-03-02", "--compared"]);
    args.extend(MAIN);
    let answer = keytool(&args, "");
    assert!(!answer.good && answer.error.contains("longer than 90 days"), "{answer:?}");
    assert!(!out.exists());
}

#[test]
fn keys_and_files_are_never_overwritten() {
    let desk = Desk::new();
    let key = desk.path("key");
    let before = fs::read(&key).unwrap();
    let again = keytool(&["new-key", "--out", text(&key)], "");
    assert!(!again.good && again.error.contains("never overwritten"), "{again:?}");
    assert_eq!(fs::read(&key).unwrap(), before);
    fs::write(desk.path("out"), "something").unwrap();
    assert!(desk.sign(&MAIN, "yes\n").error.contains("not overwritten"));
    assert_eq!(fs::read_to_string(desk.path("out")).unwrap(), "something");
}

#[test]
fn two_new_keys_differ_and_show_key_shows_the_one_in_the_file() {
    let (one, other) = (Desk::new(), Desk::new());
    assert_ne!(one.public, other.public);
    let shown = keytool(&["show-key", "--key", text(&one.path("key"))], "");
    assert_eq!(value(&shown.output, "public key"), one.public.to_hex());
    let secret = fs::read_to_string(one.path("key")).unwrap();
    let secret = value(&secret, "secret");
    assert_eq!(secret.len(), 64);
    assert!(!shown.output.contains(secret) && !one.sign(&MAIN, "yes\n").output.contains(secret));
}

#[test]
fn a_damaged_key_file_signs_nothing() {
    let desk = Desk::new();
    let good = fs::read_to_string(desk.path("key")).unwrap();
    let secret = value(&good, "secret").to_string();
    let first = if secret.starts_with('0') { "1" } else { "0" };
    for damaged in [good.replace(&secret, &format!("{first}{}", &secret[1..])), good[..40].to_string(), String::new()] {
        fs::write(desk.path("key"), damaged).unwrap();
        let answer = desk.sign(&MAIN, "yes\n");
        assert!(!answer.good && answer.error.contains("not a signing key"), "{answer:?}");
        assert!(!answer.error.contains(&secret[1..]));
    }
}

#[cfg(unix)]
#[test]
fn a_key_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let key = desk.path("key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(desk.sign(&MAIN, "yes\n").error.contains("chmod 600"));
}
