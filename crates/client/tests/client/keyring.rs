//! The system's keyring, for real: a bus and a GNOME keyring of the test's own, a bus without one, and no bus at all.

use std::path::Path;
use std::process::{Command, Output};

use api::host::{Host, SignOutForm, UnsentChoice};
use api::server::Nothing;
use client::{Desktop, Options};

use crate::support::{Stub, listing, register_form};

/// Unlocks a new keyring, waits until it answers on the bus, and runs the rest of the line.
const WITH_KEYRING: &str = r#"
printf '%s' 'a keyring password' | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
daemon=$!
for try in $(seq 100); do
  dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
    string:org.freedesktop.secrets 2>/dev/null | grep -q true && break
  sleep 0.1
done
"$@"
outcome=$?
kill $daemon
exit $outcome
"#;

fn child(name: &str) -> Vec<String> {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    [program.as_str(), "--exact", name, "--ignored", "--nocapture"].map(str::to_owned).to_vec()
}

/// Runs a line with folders of its own, so that no keyring of whoever runs the test is touched.
fn run(mut command: Command, home: &Path) -> Output {
    use std::os::unix::fs::PermissionsExt;
    let (runtime, stub, data) = (home.join("run"), Stub::start(), home.join("data"));
    std::fs::create_dir(&runtime).unwrap();
    std::fs::set_permissions(&runtime, PermissionsExt::from_mode(0o700)).unwrap();
    command
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .env_remove("DISPLAY")
        .envs([("HOME", home), ("XDG_DATA_HOME", &home.join("share")), ("XDG_RUNTIME_DIR", &runtime)])
        .envs([("TEST_URL", stub.url()), ("TEST_FOLDER", data.to_str().unwrap().to_owned())])
        .output()
        .expect("dbus-run-session and gnome-keyring are needed for this test")
}

fn assert_passed(output: &Output) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn with_a_keyring_no_key_stands_on_the_disk_and_no_password_is_asked_again() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("timeout");
    command.args(["60", "dbus-run-session", "--", "sh", "-c", WITH_KEYRING, "sh"]);
    command.args(child("keyring::child_with_keyring"));
    assert_passed(&run(command, home.path()));
}

#[test]
fn with_a_keyring_that_cannot_be_unlocked_the_password_keeps_the_key() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("timeout");
    command.args(["60", "dbus-run-session", "--"]).args(child("keyring::child_without_keyring"));
    assert_passed(&run(command, home.path()));
}

#[test]
fn without_a_bus_the_password_keeps_the_key() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("timeout");
    command.arg("60").args(child("keyring::child_without_keyring"));
    assert_passed(&run(command, home.path()));
}

fn open() -> (Desktop, String) {
    let given = |name: &str| std::env::var(name).unwrap();
    let folder = given("TEST_FOLDER");
    (Desktop::open(Options::new(folder.clone().into(), given("TEST_URL"))).unwrap(), folder)
}

/// The name of the only account's folder, which is also the keyring's.
fn account_name(folder: &str) -> String {
    let accounts = listing(&Path::new(folder).join("accounts"));
    accounts.into_iter().find(|name| !name.contains('/')).unwrap()
}

fn in_the_keyring(name: &str) -> bool {
    keyring::Entry::new("Kernodeck Sandbox", name).unwrap().get_password().is_ok()
}

#[test]
#[ignore = "runs beside a keyring that the test above starts"]
fn child_with_keyring() {
    let (program, folder) = open();
    program.register(&(), register_form("ada@example.com")).unwrap();
    let name = account_name(&folder);
    assert!(in_the_keyring(&name));
    assert!(!listing(Path::new(&folder)).iter().any(|name| name.contains("key")), "no key on the disk");
    drop(program);
    let (program, _) = open();
    assert!(program.session(&(), Nothing {}).unwrap().account.is_some(), "opened without asking");
    program.sign_out(&(), SignOutForm { unsent: UnsentChoice::Ask }).unwrap();
    assert!(!in_the_keyring(&name), "gone from the keyring");
    assert_eq!(listing(Path::new(&folder)), ["device.db"]);
}

#[test]
#[ignore = "runs where no keyring works"]
fn child_without_keyring() {
    let (program, folder) = open();
    program.register(&(), register_form("ada@example.com")).unwrap();
    assert!(listing(Path::new(&folder)).iter().any(|name| name.ends_with("/key.json")));
    drop(program);
    let (program, _) = open();
    assert!(program.session(&(), Nothing {}).unwrap().account.is_none(), "waits for the password");
}
