//! Three ways into the one list of commands, one per audience: a window is allowed a way, not single commands.

use std::sync::Arc;

use api::host::{COMMANDS, dispatch};
use api::{ApiError, Audience, ErrorCode};
use client::Desktop;
use tauri::State;

/// The longest request that is read, bytes.
const MAX_REQUEST_BYTES: usize = 256 * 1024;

/// The program behind the window, shared by all commands.
pub struct Behind(pub Arc<Desktop>);

/// Commands of everybody and of customers.
#[tauri::command]
pub async fn customer_call(behind: State<'_, Behind>, name: String, body: String) -> Result<String, ApiError> {
    call(&behind, &[Audience::Everyone, Audience::Customer], name, body).await
}

/// Commands of operators.
#[tauri::command]
pub async fn operator_call(behind: State<'_, Behind>, name: String, body: String) -> Result<String, ApiError> {
    call(&behind, &[Audience::Operator], name, body).await
}

/// Commands of the sandbox's panel.
#[cfg(feature = "sandbox")]
#[tauri::command]
pub async fn sandbox_call(behind: State<'_, Behind>, name: String, body: String) -> Result<String, ApiError> {
    call(&behind, &[Audience::Sandbox], name, body).await
}

/// Answers on a thread that may wait: commands talk to the server and to the disk.
async fn call(behind: &Behind, way: &[Audience], name: String, body: String) -> Result<String, ApiError> {
    let known = COMMANDS.iter().any(|command| command.name == name && way.contains(&command.audience));
    if !known {
        return Err(ErrorCode::UnknownCommand.into());
    }
    if body.len() > MAX_REQUEST_BYTES {
        return Err(ErrorCode::BadRequest { reason: "too long".into() }.into());
    }
    let desktop = Arc::clone(&behind.0);
    let answered = tauri::async_runtime::spawn_blocking(move || dispatch(&*desktop, &(), &name, body.as_bytes())).await;
    let answer = answered.ok().flatten().unwrap_or_else(|| Err(ErrorCode::Internal.into()))?;
    String::from_utf8(answer).map_err(|_| ErrorCode::Internal.into())
}
