use proptest::prelude::*;

use super::*;

const ED25519: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFla8PfydHfvk7yDDl0a6xGRVbGiWLpnJNR0B12Rgam6";
const P256: &str = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJeW6LFjREEEj9u7o4+vqBOSDk7SdFZx0M7yhJ1Aeot4ODAEL/7WKQOdgrVrSpPJHxcTnrH5Xf0KpQJddSHxviY=";
const P384: &str = "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBMDnNVx0vg4/GiA2Fm7PbMg9xJDfvtRq0yIAg6aIMacRTMsNhIVQ/Lb9uTzfvtxieNW2/z19o/sFmwkhhqmCv4bGuHH4A0EqoAJsMJlJ2Inv+bRjQTsGzu1Yla6/4jBUXA==";
const P521: &str = "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBADGYj//jQmZXAhEnwez/Sw04tyfYnvyF0a+E7LyPgPeWwF0+lb2HzRFsoC8KdcGVMqyhMqHkARXYTHmYKnHhw3C7wD8Rlcr3z+dq4df7C7+asjZuz51IYWSGMViMY2q+SL9bFEL4Xe3dGtCUd6ujuLXmgZc0Jd2rGTiEhKFJrE/CRaLTw==";
const RSA_2048: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDYKYJuq4O1+j+hpgSYXs+qdCFoKW3JvtY7vMG+QLiVD3t7J5iFtp6ytGgJaP+b9K06uYvyzCXFJs79HhaG2EYxrOpjdTSXZPA8LKHbtoaeaKuaz537u0dy8vT+8MNaz7Ci3V7Ve8lvKOZDtthFcdK8eq2lTlFffEeK1s8CxNrppTYJwxq7x46nYsH9l0eUjYdJ2/i6/A2JoS3SUTvTxQ33//1OEEOWQaWQa6pGuLmvSM7wkEnGgKWSdZYDWg744uLeysWPt4LEtWb/+nWOoe0aRpKZePABUIusC2oS/Evyvv3gpHxGG1YArgJ+ogdAoULpgr6e0QsptpQ2IXliw1Dn";
const RSA_1024: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCrrTZfR/Yu5TTphzsGq3acygn+2ibNFGjFmLj5vi1YCn6mmmgOkXGM4pNch3wzpFxhAs+vzB31G3GHjh+xc/4xXz7yWPKqEfWs6xfoCFMeKU21qIbX4N5dnNlZ7b3a3qPICHcyajsW4ggC/arPaSXXAlUIN+1jftmOUeYXtF4FIQ==";
const FINGERPRINT: &str = "SHA256:5yD/ZQKc6JPPAWEfujmzEl4cniv7PyCufdkzVXyBhOA";

/// What an option, a command or a second line looks like; refused in every field that reaches a program.
const ATTACKS: &[&str] = &[
    "-oProxyCommand=touch /tmp/x",
    "-oProxyCommand=x",
    "-p22",
    "--",
    "a b",
    " a",
    "a\n",
    "a\nb",
    "a\r\nb",
    "a\0b",
    "a\u{1b}[2J",
    "a\u{202e}b",
    "a\u{200b}b",
    "$(id)",
    "`id`",
    "a;id",
    "a|id",
    "a&id",
    "a>b",
    "a<b",
    "a'b",
    "a\"b",
    "a\\b",
    "${IFS}",
    "a*b",
    "a?b",
    "a#b",
    "a!b",
    "a(b)",
    "a{b}",
    "ａ",
    "a\u{a0}b",
];

fn good() -> AccessInput {
    AccessInput {
        host: "gpu-7.example.net".into(),
        port: 22022,
        user: "renter".into(),
        host_key: FINGERPRINT.into(),
        public_key: format!("{ED25519} maria@example.com"),
        notebook_url: "https://gpu-7.example.net:8888/lab".into(),
        notebook_token: "4f1d2c".into(),
        notes: "Data disk: /data\nNothing else.".into(),
        ..AccessInput::default()
    }
}

type Change = fn(&mut AccessInput);

fn refusals(change: impl FnOnce(&mut AccessInput)) -> Vec<AccessRefused> {
    let mut input = good();
    change(&mut input);
    input.check().err().unwrap_or_default()
}

#[test]
fn good_access_is_taken_and_its_secrets_stay_out_of_debug_output() {
    let access = good().check().unwrap();
    assert_eq!(access.port.get(), 22022);
    let mut with_password = good();
    (with_password.public_key, with_password.password) = (String::new(), "Kept-secret_2026".into());
    let printed = format!("{:?}", with_password.check().unwrap());
    for secret in ["Kept-secret_2026", "4f1d2c", "Nothing else", "Data disk"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[test]
fn nothing_that_ssh_or_a_shell_could_take_for_more_than_a_value_is_handed_over() {
    for attack in ATTACKS {
        let attack = *attack;
        assert!(!refusals(|input| input.host = attack.into()).is_empty(), "host {attack:?}");
        assert!(!refusals(|input| input.user = attack.into()).is_empty(), "user {attack:?}");
        assert!(!refusals(|input| input.host_key = format!("{FINGERPRINT}{attack}")).is_empty(), "key {attack:?}");
        assert!(!refusals(|input| input.notebook_token = attack.into()).is_empty(), "token {attack:?}");
        assert!(!refusals(|input| input.notebook_url = format!("https://example.net/{attack} x")).is_empty());
        let long_enough = format!("{attack}aaaaaaaaaaaa");
        let as_password = |input: &mut AccessInput| (input.public_key, input.password) = (String::new(), long_enough);
        assert!(!refusals(as_password).is_empty(), "password {attack:?}");
    }
}

#[test]
fn every_unfit_field_is_named_at_once_with_its_reason() {
    let table: [(Change, AccessField, Unfit); 16] = [
        (|input| input.host = "-oProxyCommand=x".into(), AccessField::Host, Unfit::LeadingDash),
        (|input| input.host = "a b".into(), AccessField::Host, Unfit::Space),
        (|input| input.host = "a\nb".into(), AccessField::Host, Unfit::HiddenCharacter),
        (|input| input.host = "user@host".into(), AccessField::Host, Unfit::Character('@')),
        (|input| input.host = String::new(), AccessField::Host, Unfit::Empty),
        (|input| input.host = "127.1".into(), AccessField::Host, Unfit::Host),
        (|input| input.port = 0, AccessField::Port, Unfit::Port),
        (|input| input.port = 65_536, AccessField::Port, Unfit::Port),
        (|input| input.user = "-l root".into(), AccessField::User, Unfit::LeadingDash),
        (|input| input.user = "a".repeat(33), AccessField::User, Unfit::TooLong { max: 32 }),
        (|input| input.host_key = "SHA256:short".into(), AccessField::HostKey, Unfit::Fingerprint),
        (|input| input.notebook_url = "http://example.net/".into(), AccessField::NotebookUrl, Unfit::PlainHttp),
        (|input| input.notebook_url = "javascript:alert".into(), AccessField::NotebookUrl, Unfit::Url),
        (|input| input.notebook_token = "a b".into(), AccessField::NotebookToken, Unfit::Space),
        (|input| input.notes = "a\u{7}".into(), AccessField::Notes, Unfit::HiddenCharacter),
        (|input| input.password = "Kept-secret_2026".into(), AccessField::PublicKey, Unfit::NotExactlyOneLogin),
    ];
    for (change, field, reason) in table {
        assert_eq!(refusals(change), [AccessRefused { field, reason }]);
    }
    let empty = AccessInput::default().check().unwrap_err();
    let fields: Vec<&str> = empty.iter().map(|refused| refused.field.code()).collect();
    assert_eq!(fields, ["host", "port", "user", "host_key", "public_key"]);
}

#[test]
fn hosts_are_names_or_whole_addresses() {
    let good =
        ["example.net", "a", "10.0.0.7", "2001:db8::7", "::1", "xn--bcher-kva.example", "EXAMPLE.net", "1.example.net"];
    for host in good {
        assert!(SshHost::parse(host).is_ok(), "{host}");
    }
    let long = "a.".repeat(130);
    let bad = [
        "0x7f.1",
        "127.1",
        "2130706433",
        "1.2.3.4.5",
        "256.1.1.1",
        "a..b",
        ".a",
        "a.",
        "a-.b",
        "a.-b",
        "[::1]",
        "::1%eth0",
        "host:22",
        "bücher.example",
        &long,
    ];
    for host in bad {
        assert!(SshHost::parse(host).is_err(), "{host}");
    }
}

#[test]
fn a_forgeable_fingerprint_is_refused_by_name() {
    let md5 = "16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48";
    assert_eq!(HostKeyFingerprint::parse(md5), Err(Unfit::Md5Fingerprint));
    assert_eq!(HostKeyFingerprint::parse(&format!("MD5:{md5}")), Err(Unfit::Md5Fingerprint));
    for text in [&FINGERPRINT[7..], &FINGERPRINT.to_lowercase(), &format!("{FINGERPRINT}="), &FINGERPRINT[..49]] {
        assert!(HostKeyFingerprint::parse(text).is_err(), "{text}");
    }
    // The last character carries two bits too many unless they are zero: the same sum has one spelling.
    assert!(HostKeyFingerprint::parse(&FINGERPRINT.replace("hOA", "hOB")).is_err());
}

#[test]
fn notebooks_are_reached_over_https_or_through_a_tunnel() {
    let good = [
        "https://gpu.example.net",
        "https://gpu.example.net:8888/lab/tree/a%20b",
        "https://10.0.0.7/",
        "https://[2001:db8::7]:8888/",
        "http://127.0.0.1:8888/lab",
        "http://localhost:8888",
        "http://[::1]:8888/",
    ];
    for url in good {
        assert!(NotebookUrl::parse(url).is_ok(), "{url}");
    }
    let bad = [
        "http://10.0.0.7/",
        "http://localhost.example.net/",
        "http://127.0.0.1.example.net/",
        "ftp://a/",
        "https://",
        "https:///lab",
        "https://user:word@example.net/",
        "https://example.net:0/",
        "https://example.net:70000/",
        "https://example.net/?token=x",
        "https://example.net/#a",
        "HTTPS://example.net/",
        "https://[::1/",
        "https://-a.example/",
        "https://example.net/[",
        "https://a:b/",
    ];
    for url in bad {
        assert!(NotebookUrl::parse(url).is_err(), "{url}");
    }
}

#[test]
fn keys_that_openssh_made_are_taken_and_their_comment_is_not_kept() {
    for key in [ED25519, P256, P384, P521, RSA_2048] {
        assert_eq!(PublicKey::parse(key).unwrap().to_string(), key);
        let commented = format!("  {key} maria@example.com the laptop\r\n");
        assert_eq!(PublicKey::parse(&commented).unwrap().to_string(), key);
    }
}

#[test]
fn each_mistake_with_a_key_has_its_own_answer() {
    use PublicKeyRefused as Refused;
    let body = ED25519.split(' ').nth(1).unwrap();
    let table = [
        (String::new(), Refused::Empty),
        (" \n ".into(), Refused::Empty),
        ("null".into(), Refused::WordForNothing),
        ("NULL\n".into(), Refused::WordForNothing),
        ("undefined".into(), Refused::WordForNothing),
        (FINGERPRINT.into(), Refused::Fingerprint),
        (format!("256 {FINGERPRINT} maria@example.com (ED25519)"), Refused::Fingerprint),
        ("16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48".into(), Refused::Fingerprint),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----".into(), Refused::PrivateKey),
        ("-----BEGIN RSA PRIVATE KEY-----".into(), Refused::PrivateKey),
        ("PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1".into(), Refused::PrivateKey),
        ("PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 2".into(), Refused::PuttyForm),
        ("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA".into(), Refused::PuttyForm),
        (format!("{ED25519} {ED25519}"), Refused::SeveralKeys),
        (format!("{ED25519}\n{RSA_2048}\n"), Refused::SeveralKeys),
        (format!("{body} {body}"), Refused::SeveralKeys),
        (body.into(), Refused::TypeMissing),
        (format!("command=\"id\" {ED25519}"), Refused::Options),
        ("ssh-dss AAAAB3NzaC1kc3MAAACB".into(), Refused::UnknownType),
        (format!("-oProxyCommand=x {body}"), Refused::UnknownType),
        ("ssh-ed25519".into(), Refused::KeyMissing),
        (ED25519[..70].into(), Refused::Damaged),
        (ED25519.replacen("AAAAIF", "AAAAIE", 1).replacen("Rgam6", "Rga", 1), Refused::Damaged),
        (format!("ssh-ed25519 {}\n{}", &body[..30], &body[30..]), Refused::Damaged),
        (format!("ssh-rsa {body}"), Refused::TypeMismatch),
        (RSA_1024.into(), Refused::RsaTooShort { bits: 1024 }),
        ("A".repeat(9000), Refused::TooLong),
    ];
    for (text, reason) in table {
        assert_eq!(PublicKey::parse(&text), Err(reason), "{text}");
    }
}

proptest! {
    /// Whatever is typed: what is taken is one word that no program reads as an option.
    #[test]
    fn what_is_taken_is_harmless(text in "\\PC{0,40}|[-a-z0-9.:@ $]{0,20}") {
        let harmless = |taken: &str| !taken.starts_with('-') && taken.chars().all(|symbol| symbol.is_ascii_graphic() && !"'\"\\$`;|&<>*?#!(){} ".contains(symbol));
        if let Ok(host) = SshHost::parse(&text) { prop_assert!(harmless(host.as_str())); }
        if let Ok(user) = SshUser::parse(&text) { prop_assert!(harmless(user.as_str())); }
        if let Ok(url) = NotebookUrl::parse(&text) { prop_assert!(harmless(url.as_str())); }
        if let Ok(token) = NotebookToken::parse(&text) { prop_assert!(harmless(token.reveal())); }
        if let Ok(password) = SshPassword::parse(&text) { prop_assert!(harmless(password.reveal())); }
        let _ = PublicKey::parse(&text);
    }

    #[test]
    fn a_changed_or_cut_key_body_never_panics(cut in 0usize..200, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        use base64::Engine;
        let _ = PublicKey::parse(&RSA_2048[..cut]);
        let body = base64::engine::general_purpose::STANDARD.encode(bytes);
        let _ = PublicKey::parse(&format!("ssh-ed25519 {body}"));
    }
}

/// Whoever is refused is told why, also when the reason is the very character that they typed.
#[test]
fn every_refusal_has_a_reason_that_the_window_knows() {
    let refused = [
        (Unfit::Character('<'), "character"),
        (Unfit::Character('a'), "character"),
        (Unfit::PublicKey(PublicKeyRefused::RsaTooShort { bits: 1024 }), "rsa_too_short"),
        (Unfit::TooLong { max: 3 }, "too_long"),
    ];
    for (refused, reason) in refused {
        assert_eq!(refused.reason(), reason, "{refused:?}");
    }
}
