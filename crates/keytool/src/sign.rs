//! The command `sign`: nothing is signed before the operator has compared three addresses with the wallet.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use manifest::{Day, Expectations, Terms, TrustedKeys, check_file, sign_file};

use crate::account_key::AccountKey;
use crate::chain::Chain;
use crate::cli::SignArgs;
use crate::derive::derive;
use crate::error::ToolError;
use crate::key_file;
use crate::run::{account, print_addresses, print_header};

/// Addresses compared with the wallet, from index 0: those that every wallet shows first.
const COMPARED: u32 = 3;
/// The longest answer that is read, in bytes.
const MAX_ANSWER_BYTES: u64 = 64;

/// Derives, asks, signs, checks what was signed, writes.
///
/// # Errors
/// [`ToolError`]; no file is written then.
pub(crate) fn sign(
    args: SignArgs,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    clock: Day,
) -> Result<(), ToolError> {
    let chain = args.network;
    same_environment(&args.environment, chain)?;
    let signing_key = key_file::read(&args.key)?;
    let public_key = signing_key.public_key().map_err(key_file::KeyFileError::from)?;
    let account = account(&args.source, chain, input)?;
    let addresses: Vec<String> =
        derive(&account, chain, args.from, args.count)?.into_iter().map(|derived| derived.address).collect();
    let today = args.today.unwrap_or(clock);
    writeln!(output, "signing key  {}", public_key.fingerprint())?;
    writeln!(output, "today        {today}, by this machine's clock unless --today was given")?;
    compare(&account, chain, args.compared, input, output)?;
    let terms = Terms {
        environment: chain.environment(),
        network: chain.network(),
        epoch: args.epoch,
        signed_on: today,
        last_day: args.last_day,
        first_index: args.from,
        tokens: Vec::new(),
    };
    let text = sign_file(&signing_key, terms, &addresses)?.to_text()?;
    // What is written has passed the very check that server and desktop will put it to.
    let expected = Expectations::new(chain.environment(), chain.network(), today, args.epoch)?;
    let checked = check_file(&text, &expected, &TrustedKeys::new(public_key, None))
        .map_err(|report| ToolError::Problems { problems: report.problems.len() })?;
    write_new(&args.out, &text)?;
    print_header(checked.header(), output)
}

fn same_environment(said: &str, chain: Chain) -> Result<(), ToolError> {
    let expected = chain.environment().code();
    if said == expected { Ok(()) } else { Err(ToolError::EnvironmentDiffers { chain: chain.name(), expected }) }
}

/// Shows the first three addresses and asks whether the wallet shows the same.
fn compare(
    account: &AccountKey,
    chain: Chain,
    compared: bool,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ToolError> {
    writeln!(output, "\nThe first three receiving addresses of this account on {}:", chain.name())?;
    print_addresses(&derive(account, chain, 0, COMPARED)?, output)?;
    if compared {
        writeln!(output, "Compared before (--compared).\n")?;
        return Ok(());
    }
    write!(output, "Does the wallet show these three, in this order? Type yes to sign: ")?;
    output.flush()?;
    let mut answer = String::new();
    input.take(MAX_ANSWER_BYTES).read_line(&mut answer)?;
    writeln!(output)?;
    if answer.trim() == "yes" { Ok(()) } else { Err(ToolError::NotCompared) }
}

/// Writes a file that wasn't there before, or leaves none.
fn write_new(path: &Path, text: &str) -> Result<(), ToolError> {
    let shown = path.display().to_string();
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => ToolError::OutputExists { path: shown.clone() },
        _ => ToolError::File { path: shown.clone(), error },
    })?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| {
        // A cut-off file is refused wherever it is read; without it the next attempt finds the name free.
        let _ = fs::remove_file(path);
        ToolError::File { path: shown, error }
    })
}
