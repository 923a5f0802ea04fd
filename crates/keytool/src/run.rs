//! The commands, with everything they need from the world as arguments.

use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;

use domain::Timestamp;
use manifest::{
    AddressFile, Day, Expectations, PublicKey, TrustedKeys, check_file,
    file::{FileError, MAX_FILE_BYTES},
};

use crate::account_key::AccountKey;
use crate::chain::Chain;
use crate::cli::{CheckArgs, Cli, Command, DeriveArgs, Source};
use crate::derive::{Derived, derive};
use crate::error::ToolError;
use crate::key_file;
use crate::sign::sign;
use crate::words::{WordsError, read_account};

/// Runs one command.
///
/// # Errors
/// [`ToolError`], a sentence for the operator.
pub fn run(cli: Cli, input: &mut dyn BufRead, output: &mut dyn Write, now: Timestamp) -> Result<(), ToolError> {
    match cli.command {
        Command::Derive(args) => run_derive(args, input, output),
        Command::NewKey { out } => print_key(&key_file::create(&out)?, output),
        Command::ShowKey { key } => {
            print_key(&key_file::read(&key)?.public_key().map_err(key_file::KeyFileError::from)?, output)
        }
        Command::Sign(args) => sign(args, input, output, Day::of(now)),
        Command::Check(args) => check(args, output, Day::of(now)),
    }
}

/// The account that the arguments name.
pub(crate) fn account(source: &Source, chain: Chain, input: &mut dyn BufRead) -> Result<AccountKey, ToolError> {
    match (&source.account, source.words.as_deref()) {
        (Some(text), _) => Ok(AccountKey::parse(text, chain)?),
        (None, Some("-")) => Ok(read_account(input, source.passphrase, chain)?),
        (None, _) => Err(WordsError::NotOnCommandLine.into()),
    }
}

fn run_derive(args: DeriveArgs, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), ToolError> {
    let key = account(&args.source, args.network, input)?;
    let addresses = derive(&key, args.network, args.from, args.count)?;
    if args.json {
        writeln!(output, "{}", serde_json::to_string(&addresses)?)?;
        return Ok(());
    }
    print_addresses(&addresses, output)
}

/// One address a line.
pub(crate) fn print_addresses(addresses: &[Derived], output: &mut dyn Write) -> Result<(), ToolError> {
    for Derived { index, path, address } in addresses {
        writeln!(output, "{index:>6}  {path:<24}  {address}")?;
    }
    Ok(())
}

fn print_key(key: &PublicKey, output: &mut dyn Write) -> Result<(), ToolError> {
    writeln!(output, "public key   {}", key.to_hex())?;
    writeln!(output, "fingerprint  {}", key.fingerprint())?;
    Ok(())
}

fn check(args: CheckArgs, output: &mut dyn Write, clock: Day) -> Result<(), ToolError> {
    let keys = match args.trust.as_slice() {
        [current] => TrustedKeys::new(*current, None),
        [current, next] => TrustedKeys::new(*current, Some(*next)),
        _ => return Err(ToolError::TooManyKeys),
    };
    let text = read_bounded(&args.file)?;
    let header = AddressFile::parse(&text)?.header.header;
    let (environment, network) = match args.network {
        Some(chain) => (chain.environment(), chain.network()),
        None => (header.environment, header.network),
    };
    let expected = Expectations::new(environment, network, args.today.unwrap_or(clock), args.epoch_floor)?;
    match check_file(&text, &expected, &keys) {
        Ok(file) => print_header(file.header(), output),
        Err(report) => {
            for problem in &report.problems {
                writeln!(output, "{problem}")?;
            }
            Err(ToolError::Problems { problems: report.problems.len() })
        }
    }
}

pub(crate) fn print_header(header: &manifest::Header, output: &mut dyn Write) -> Result<(), ToolError> {
    let last = header.first_index + (header.count - 1);
    writeln!(output, "good: {} addresses, index {} to {last}", header.count, header.first_index)?;
    writeln!(output, "network      {} ({})", header.network.code(), header.environment.code())?;
    writeln!(output, "epoch        {}", header.epoch)?;
    writeln!(output, "signed on    {}", header.signed_on)?;
    writeln!(output, "last day     {}", header.last_day)?;
    writeln!(output, "signed by    {}", header.key)?;
    Ok(())
}

/// Reads a file no longer than the format allows.
fn read_bounded(path: &Path) -> Result<String, ToolError> {
    let failed = |error| ToolError::File { path: path.display().to_string(), error };
    let length = fs::metadata(path).map_err(failed)?.len();
    if usize::try_from(length).is_ok_and(|length| length <= MAX_FILE_BYTES) {
        return fs::read_to_string(path).map_err(failed);
    }
    Err(FileError::TooLong.into())
}
