-- What only this device knows of one account. Nothing here can be fetched again.
CREATE TABLE sign_in (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    account_id TEXT NOT NULL,
    role TEXT NOT NULL,
    token TEXT NOT NULL,
    -- The token that is to follow. Saved before the server is asked to take it, used once it has.
    next_token TEXT,
    renew_at INTEGER NOT NULL,
    email TEXT NOT NULL,
    profile TEXT NOT NULL,
    -- Why the server has ended it; null while it holds.
    ended TEXT CHECK (ended IN ('expired', 'copied', 'removed'))
) STRICT;

-- Saved before sending; gone once the server's word is known.
CREATE TABLE command (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- The request without its id: pressing the same button again finds the same command.
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    -- 1: sent by itself as soon as it can be. 0: only when the person asks again.
    kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    UNIQUE (name, subject)
) STRICT;

-- What the person confirmed on this device before a payment's instructions came.
CREATE TABLE confirmed (
    payment_id TEXT NOT NULL PRIMARY KEY,
    method TEXT NOT NULL,
    total_cents INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
