//! Writes the TypeScript side of the host's command list: a file per type, and `commands.ts` with the list itself.

use std::fs;
use std::io;
use std::path::Path;

use thiserror::Error;
use ts_rs::{Config, TS};

use crate::error::ApiError;
use crate::host;

/// The files could not be written.
#[derive(Debug, Error)]
pub enum TypescriptError {
    /// A type could not be exported.
    #[error("a TypeScript type could not be written: {0}")]
    Export(#[from] ts_rs::ExportError),
    /// The list could not be written.
    #[error("commands.ts could not be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes every type of the host's list, and the list, into `folder`.
///
/// # Errors
/// When a file can't be written.
pub fn write_to(folder: &Path) -> Result<(), TypescriptError> {
    let config = Config::new().with_out_dir(folder);
    ApiError::export_all(&config)?;
    let mut names = vec!["ApiError".to_owned()];
    let mut entries = String::new();
    for command in host::COMMANDS {
        (command.export_types)(&config)?;
        let (request, answer) = ((command.request_type)(&config), (command.answer_type)(&config));
        entries.push_str(&format!(
            "  /**{} */\n  {}: {{ request: {request}; answer: {answer}; audience: '{}' }};\n",
            command.about,
            command.name,
            format!("{:?}", command.audience).to_lowercase(),
        ));
        names.extend([request, answer]);
    }
    names.sort();
    names.dedup();
    let imports: String = names.iter().map(|name| format!("import type {{ {name} }} from './{name}';\n")).collect();
    let audiences: String = host::COMMANDS
        .iter()
        .map(|command| format!("  {}: '{}',\n", command.name, format!("{:?}", command.audience).to_lowercase()))
        .collect();
    let list = format!(
        "// Generated from the command list in crates/api. Do not edit.\n{imports}\n\
         export interface Commands {{\n{entries}}}\n\n\
         export const audiences = {{\n{audiences}}} as const satisfies {{ [name in keyof Commands]: Commands[name]['audience'] }};\n\n\
         export type {{ ApiError }};\n"
    );
    fs::write(folder.join("commands.ts"), list)?;
    Ok(())
}
