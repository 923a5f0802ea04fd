//! Before the window: what must be so, or the program does not start.

use std::env;

use thiserror::Error;

/// Whoever sets it can drive the window from outside.
#[cfg(not(feature = "sandbox"))]
const AUTOMATION: &str = "TAURI_WEBVIEW_AUTOMATION";

/// Why the program does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The window would obey another program.
    #[cfg(not(feature = "sandbox"))]
    #[error("{AUTOMATION} is set: this build does not let other programs drive its window")]
    Automation,
    /// No server to talk to.
    #[error("no server: start with --server https://…")]
    NoServer,
    /// The system names no folder for the program's data.
    #[error("the system names no folder for the program's data: start with --data-dir")]
    NoDataFolder(#[source] tauri::Error),
    /// The desktop behind the window.
    #[error(transparent)]
    Desktop(#[from] client::StartError),
    /// The window itself.
    #[error(transparent)]
    Window(#[from] tauri::Error),
    /// The window's configuration names none.
    #[error("the configuration has no window")]
    NoWindow,
}

/// Refuses to run under automation. The sandbox allows it: its tests drive the real window.
///
/// # Errors
/// [`StartError::Automation`].
pub fn refuse_automation() -> Result<(), StartError> {
    #[cfg(not(feature = "sandbox"))]
    if env::var_os(AUTOMATION).is_some() {
        return Err(StartError::Automation);
    }
    Ok(())
}

/// WebKitGTK's DMABUF renderer leaves the window blank with some drivers and costs memory with others. Its switch must stand
/// in the environment before GTK starts: the program starts itself again with it, in the same process.
pub fn with_plain_renderer() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        use std::process::Command;

        const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
        if env::var_os(SWITCH).is_none()
            && let Ok(program) = env::current_exe()
        {
            let error = Command::new(program).args(env::args_os().skip(1)).env(SWITCH, "1").exec();
            tracing::warn!(%error, "the program goes on without {SWITCH}");
        }
    }
}
