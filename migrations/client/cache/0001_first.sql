-- What the server told of one account. Everything here can be dropped and fetched again.
CREATE TABLE history (
    -- Date in microseconds × 1000, moved to the next free number: order of rows is order of dates, and nothing sorts.
    place INTEGER NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, id)
) STRICT;

-- An index of a table ends with its rowid: this one lists a kind by date.
CREATE INDEX history_by_kind ON history (kind);

-- The cursor, when the last page came, the catalogue and the status as last told.
CREATE TABLE fact (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
