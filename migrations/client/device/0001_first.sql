-- What this device remembers whoever is signed in. It names nobody: accounts, addresses and payments stand as keyed hashes.
CREATE TABLE device (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

CREATE TABLE epoch (
    environment TEXT NOT NULL,
    network TEXT NOT NULL,
    highest INTEGER NOT NULL CHECK (highest >= 0),
    PRIMARY KEY (environment, network)
) STRICT, WITHOUT ROWID;

-- Keys that a record under their successor has retired.
CREATE TABLE retired_key (
    fingerprint TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Every address that was drawn here, and the one payment that it was drawn for.
CREATE TABLE drawn (
    address_tag BLOB NOT NULL PRIMARY KEY,
    payment_tag BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Accounts whose files are on this device. `leaving` is set before the first file goes and the row goes last.
CREATE TABLE account (
    folder TEXT NOT NULL PRIMARY KEY,
    key_kind TEXT NOT NULL CHECK (key_kind IN ('keyring', 'password')),
    current INTEGER NOT NULL CHECK (current IN (0, 1)),
    leaving INTEGER NOT NULL CHECK (leaving IN (0, 1))
) STRICT, WITHOUT ROWID;
