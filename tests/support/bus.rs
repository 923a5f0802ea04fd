//! A message bus with a keyring of its own, so that nobody's real keyring is touched.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::process::Running;
use crate::{folder, programs, wait};

/// A session bus and an unlocked keyring on it.
pub struct Bus {
    folder: TempDir,
    _keyring: Running,
    _bus: Running,
    address: String,
}

impl Bus {
    /// Starts both and waits until the keyring can keep something.
    pub fn start() -> Self {
        let folder = folder::temporary();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let address = format!("unix:path={}/bus", folder.path().display());
        let bus = Running::start(Path::new("dbus-daemon"), &folder.path().join("bus.log"), |command| {
            command.args(["--session", "--nofork", "--nopidfile", "--address"]).arg(&address);
        });
        wait::until("a message bus", || folder.path().join("bus").exists().then_some(()));
        let mut keyring =
            Running::start(Path::new("gnome-keyring-daemon"), &folder.path().join("keyring.log"), |command| {
                command.args(["--unlock", "--components=secrets", "--foreground"]).stdin(Stdio::piped());
                environment(command, folder.path(), &address);
            });
        keyring.stdin().unwrap().write_all(b"a password of nobody").unwrap();
        let started = Self { folder, _keyring: keyring, _bus: bus, address };
        // Asked before it is there, the bus would start another one, a locked one, in its place.
        wait::until("a keyring", || started.has_keyring().then_some(()));
        wait::until("an unlocked keyring", || started.items().map(drop));
        started
    }

    /// Lets a program find this bus and no other.
    pub fn apply(&self, command: &mut Command) {
        environment(command, self.folder.path(), &self.address);
    }

    /// What the keyring holds, by the paths of its entries.
    pub fn entries(&self) -> Vec<String> {
        self.items().expect("a keyring that answers")
    }

    fn has_keyring(&self) -> bool {
        let ask = ["org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner"];
        self.send(ask, &["string:org.freedesktop.secrets"]).is_some_and(|answer| answer.contains("boolean true"))
    }

    fn items(&self) -> Option<Vec<String>> {
        let collection = "/org/freedesktop/secrets/aliases/default";
        let ask = ["org.freedesktop.secrets", collection, "org.freedesktop.DBus.Properties.Get"];
        let answer = self.send(ask, &["string:org.freedesktop.Secret.Collection", "string:Items"])?;
        let paths = answer.lines().filter_map(|line| line.trim().strip_prefix("object path \""));
        Some(paths.map(|path| path.trim_end_matches('"').to_owned()).collect())
    }

    fn send(&self, [to, object, member]: [&str; 3], arguments: &[&str]) -> Option<String> {
        let mut command = Command::new("dbus-send");
        self.apply(&mut command);
        command.args(["--session", "--print-reply", &format!("--dest={to}"), object, member]).args(arguments);
        let output = programs::output(&mut command);
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn environment(command: &mut Command, folder: &Path, address: &str) {
    command.env("DBUS_SESSION_BUS_ADDRESS", address).env("XDG_RUNTIME_DIR", folder).env("XDG_DATA_HOME", folder);
    command.env("HOME", folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sign-out test asks whether an entry is gone: it must be able to see one, and only its own.
    #[test]
    fn an_entry_in_the_keyring_is_seen_on_its_own_bus_only() {
        let (bus, other) = (Bus::start(), Bus::start());
        assert!(bus.entries().is_empty());
        let mut command = Command::new(std::env::current_exe().unwrap());
        bus.apply(&mut command);
        programs::run(command.args(["--ignored", "--exact", "bus::tests::keep_an_entry"]));
        assert_eq!(bus.entries().len(), 1);
        assert!(other.entries().is_empty());
    }

    /// Runs in a process of its own, which finds the bus by its environment.
    #[test]
    #[ignore = "the other half of the test above"]
    fn keep_an_entry() {
        let folder = folder::temporary();
        let key = client::sealed::AccountKey::random().unwrap();
        let keeping = client::Keeping::KeyringOrPassword;
        let kind = client::vault::keep(keeping, folder.path(), "test", &key, "").unwrap();
        assert_eq!(kind, client::device::KeyKind::Keyring);
    }
}
