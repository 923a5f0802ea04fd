//! The shell and nothing else: a window, and three ways into the one list of commands.

mod args;
mod commands;
mod downloads;
mod start;
mod wallet;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use client::{Desktop, Keeping, Options};
use tauri::{App, AppHandle, Emitter, Manager, WebviewWindowBuilder};

use crate::args::Args;
use crate::commands::Behind;
use crate::start::StartError;

/// The event that tells the window to ask again.
const CHANGED: &str = "changed";

/// Runs the program until its window closes.
pub fn run() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("KERNODECK_LOG");
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let args = Args::parse();
    if let Err(error) = start::refuse_automation() {
        return refuse(&error);
    }
    start::with_plain_renderer();
    match show(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(&error),
    }
}

fn refuse(error: &StartError) -> ExitCode {
    tracing::error!(%error, "the program does not start");
    ExitCode::FAILURE
}

fn show(args: Args) -> Result<(), StartError> {
    let builder = tauri::Builder::default();
    #[cfg(feature = "sandbox")]
    let builder = builder.invoke_handler(tauri::generate_handler![
        commands::customer_call,
        commands::operator_call,
        commands::sandbox_call
    ]);
    #[cfg(not(feature = "sandbox"))]
    let builder = builder.invoke_handler(tauri::generate_handler![commands::customer_call, commands::operator_call]);
    let app = builder.build(tauri::generate_context!())?;
    set_up(&app, &args)?;
    app.run(|_, _| {});
    Ok(())
}

/// Opens the desktop behind the window, and then the window.
fn set_up(app: &App, args: &Args) -> Result<(), StartError> {
    let data = match &args.data_dir {
        Some(folder) => folder.clone(),
        None => app.path().app_data_dir().map_err(StartError::NoDataFolder)?,
    };
    let handle = app.handle().clone();
    let desktop = Arc::new(Desktop::open(Options {
        keeping: if args.no_keyring { Keeping::PasswordOnly } else { Keeping::KeyringOrPassword },
        opener: Box::new(wallet::opens),
        on_changed: Box::new(move || tell(&handle)),
        ..Options::new(data.join("data"), args.server().ok_or(StartError::NoServer)?)
    })?);
    desktop.start();
    app.manage(Behind(desktop));
    let window = app.config().app.windows.first().cloned().ok_or(StartError::NoWindow)?;
    WebviewWindowBuilder::from_config(app, &window)?
        .data_directory(data.join("webview"))
        .on_navigation(is_own_page)
        .on_download(downloads::place)
        .build()?;
    Ok(())
}

fn tell(app: &AppHandle) {
    if let Err(error) = app.emit(CHANGED, ()) {
        tracing::warn!(%error, "the window could not be told of a change");
    }
}

/// The window shows its own page and nothing else, whatever a page asks for.
fn is_own_page(url: &tauri::Url) -> bool {
    let own = matches!(url.scheme(), "tauri" | "blob" | "data") || url.host_str() == Some("tauri.localhost");
    own || (cfg!(debug_assertions) && url.host_str() == Some("localhost"))
}
