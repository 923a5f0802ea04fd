-- The last states that this version knew of an order or a payment, as a JSON object, where a newer server told others since.
-- It outlives a reset of the history: that is when a newer server is met.
CREATE TABLE last_known (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    states TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
