use std::path::Path;

use domain::Environment;

use super::file::File;
use super::*;

/// A folder with the node's password, as the defaults expect it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("litecoin.password"), "secret\n").unwrap();
    folder
}

#[test]
fn the_example_says_what_holds_when_it_is_left_out() {
    let example: File = toml::from_str(EXAMPLE).unwrap();
    assert_eq!(example, File::default());
    let folder = folder();
    let config = Config::parse(EXAMPLE, folder.path()).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(config.environment, Environment::Production);
    assert_eq!(config.limits, Limits::default());
    assert_eq!(config.confirmations, ConfirmationPolicy::default());
    assert_eq!(config.litecoin.rpc.password, "secret");
    assert_eq!(config.prices.len(), 7);
    assert_eq!(config.methods, backend::policy::BUILT);
}

/// Every value of the example stands alone on its line, so that turning it into a wrong one shows which line is named.
#[test]
fn a_mistake_is_told_with_its_line() {
    let folder = folder();
    let table = [
        ("environment = \"production\"", "environment = \"sandbox\""),
        ("environment = \"production\"", "environment = \"prod\""),
        ("listen = \"127.0.0.1:8420\"", "listen = \"127.0.0.1\""),
        ("forwarded_hops = 0", "forwarded_hops = -1"),
        ("forwarded_hops = 0", "forwarded_hop = 0"),
        ("methods = [\"litecoin:ltc\"]", "methods = [\"bitcoin:btc\"]"),
        ("methods = [\"litecoin:ltc\"]", "methods = [\"dogecoin:doge\"]"),
        ("filter = \"info\"", "filter = \"info,=\""),
        ("url = \"http://127.0.0.1:9332\"", "url = \"http://user:secret@127.0.0.1:9332\""),
        ("password_file = \"litecoin.password\"", "password_file = \"nowhere\""),
        ("password_file = \"litecoin.password\"", "password_env = \"KERNODECK_NO_SUCH_VARIABLE\""),
        ("timeout_seconds = 30", "timeout_seconds = 0"),
        ("poll_milliseconds = 1000", "poll_milliseconds = 1"),
        ("made_up = false", "made_up = true"),
        ("made_up = false", "made_up = \"no\""),
        ("pool_reserve_percent = 20", "pool_reserve_percent = 101"),
        ("renew_after_hours = 24", "renew_after_hours = 0"),
        ("replaced_grace_seconds = 120", "replaced_grace_seconds = 30"),
        ("idle_account = 30", "idle_account = 0"),
        ("command_result = 30", "command_result = 1"),
        ("recorded_rate = 400", "recorded_rate = 30"),
        ("ended_session = 30", "log = 30"),
        (
            "litecoin = [{ below_usd = \"1000\", blocks = 6 }, { blocks = 12 }]",
            "litecoin = [{ below_usd = \"1000\", blocks = 6 }]",
        ),
        (
            "litecoin = [{ below_usd = \"1000\", blocks = 6 }, { blocks = 12 }]",
            "litecoin = [{ below_usd = \"1,000\", blocks = 6 }, { blocks = 12 }]",
        ),
        ("litecoin = [{ below_usd = \"1000\", blocks = 6 }, { blocks = 12 }]", "dogecoin = [{ blocks = 12 }]"),
        ("# current_key = \"\"", "current_key = \"00\""),
        ("# next_key = \"\"", "next_key = \"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\""),
        ("# post_to = \"https://alarms.example/kernodeck\"", "post_to = \"http://alarms.example/kernodeck\""),
    ];
    for (good, bad) in table {
        assert!(EXAMPLE.contains(good), "{good}");
        let text = EXAMPLE.replacen(good, bad, 1);
        let line = text.lines().position(|line| line == bad).unwrap() + 1;
        let problems = Config::parse(&text, folder.path()).err().unwrap_or_else(|| panic!("accepted: {bad}"));
        assert!(problems.iter().any(|problem| problem.line == Some(line)), "{bad} (line {line}): {problems:?}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_and_none_shows_the_password() {
    let folder = folder();
    let text = "listen = \"x\"\n[litecoin]\nurl = \"ftp://127.0.0.1\"\n[prices]\nsources = [\"kraken\", \"kraken\"]\n";
    let problems = Config::parse(text, folder.path()).err().unwrap();
    let lines: Vec<Option<usize>> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(1), Some(3), Some(5), Some(5)]);
    let said = ConfigError::Problems { path: Path::new("server.toml").into(), problems }.to_string();
    assert!(said.contains("server.toml:3: ") && !said.contains("secret"), "{said}");
}
