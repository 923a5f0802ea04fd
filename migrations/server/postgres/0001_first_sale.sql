-- The first sale: accounts, catalogue, orders, payments, chain, ledger, sync, audit.
-- Times are microseconds since the Unix epoch, UTC. Money is cents. Base units and rates are decimal text.

CREATE TABLE account (
  id TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL CONSTRAINT account_role CHECK (role IN ('customer', 'fulfilment', 'treasury', 'administrator')),
  status TEXT NOT NULL CONSTRAINT account_status CHECK (status IN ('active', 'blocked', 'deleted')),
  email_key TEXT UNIQUE,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  authenticator_sealed BYTEA,
  authenticator_last_step BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  -- When a sign-in was last made or used, to the hour: idle days are counted from here.
  last_used_at BIGINT NOT NULL
);
CREATE INDEX account_by_use ON account (last_used_at, id);

-- Head of an account's sync: bumped first in every transaction that touches what the customer may see.
CREATE TABLE account_head (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  generation TEXT NOT NULL,
  seq BIGINT NOT NULL CONSTRAINT account_head_seq CHECK (seq >= 0)
);

CREATE TABLE account_change (
  account_id TEXT NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (account_id, kind, entity_id)
);
CREATE INDEX account_change_by_seq ON account_change (account_id, seq);

-- A sign-in on one device. It has one token after another: they stand in `session_token`.
CREATE TABLE session (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  device_name TEXT NOT NULL,
  -- Number of the newest token that was used.
  token_number BIGINT NOT NULL CONSTRAINT session_token_number CHECK (token_number >= 1),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  -- When it ends if it is not used; when it ended, if that was earlier.
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  ended_why TEXT CONSTRAINT session_ended_why CHECK (ended_why IN ('signed_out', 'password_changed', 'copied', 'removed')),
  CONSTRAINT session_ended CHECK ((ended_at IS NULL) = (ended_why IS NULL))
);
CREATE INDEX session_by_account ON session (account_id);
CREATE INDEX session_by_end ON session (expires_at);

-- Every token that a sign-in had, by its hash. Replaced ones stay as long as the sign-in, so that a copy is recognised.
CREATE TABLE session_token (
  token_hash BYTEA NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES session (id),
  number BIGINT NOT NULL CONSTRAINT session_token_from_one CHECK (number >= 1),
  made_at BIGINT NOT NULL,
  -- When its successor was first used; null while it is the newest that was.
  replaced_at BIGINT,
  CONSTRAINT session_token_one_successor UNIQUE (session_id, number)
);

-- How often something was tried within a window, by account or network prefix.
CREATE TABLE throttle (
  key TEXT NOT NULL PRIMARY KEY,
  window_started_at BIGINT NOT NULL,
  tries BIGINT NOT NULL
);

-- A command's first answer, stored with its effect: the same id answers it again.
CREATE TABLE command (
  account_id TEXT NOT NULL REFERENCES account (id),
  id TEXT NOT NULL,
  body_hash BYTEA NOT NULL,
  answer TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX command_by_time ON command (at);

CREATE TABLE offer (
  id TEXT NOT NULL PRIMARY KEY,
  hardware TEXT NOT NULL,
  position BIGINT NOT NULL,
  lots_total BIGINT NOT NULL CONSTRAINT offer_lots CHECK (lots_total >= 0),
  visible BIGINT NOT NULL CONSTRAINT offer_visible CHECK (visible IN (0, 1)),
  sample BIGINT NOT NULL CONSTRAINT offer_sample CHECK (sample IN (0, 1))
);

-- Prices are dated and never edited; the newest one not in the future holds.
CREATE TABLE offer_price (
  offer_id TEXT NOT NULL REFERENCES offer (id),
  days BIGINT NOT NULL CONSTRAINT offer_price_days CHECK (days IN (3, 7, 30)),
  since BIGINT NOT NULL,
  per_lot_cents BIGINT NOT NULL CONSTRAINT offer_price_positive CHECK (per_lot_cents > 0),
  PRIMARY KEY (offer_id, days, since)
);

CREATE TABLE rental_order (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  reference TEXT NOT NULL UNIQUE,
  offer_id TEXT NOT NULL REFERENCES offer (id),
  hardware TEXT NOT NULL,
  per_lot_cents BIGINT NOT NULL CONSTRAINT rental_order_per_lot CHECK (per_lot_cents > 0),
  lots BIGINT NOT NULL CONSTRAINT rental_order_lots CHECK (lots BETWEEN 1 AND 10),
  days BIGINT NOT NULL CONSTRAINT rental_order_days CHECK (days IN (3, 7, 30)),
  preparation TEXT NOT NULL,
  ssh_public_key TEXT,
  total_cents BIGINT NOT NULL CONSTRAINT rental_order_total CHECK (total_cents > 0),
  placed_at BIGINT NOT NULL,
  lapses_at BIGINT NOT NULL,
  cancelled_at BIGINT,
  lapsed_at BIGINT,
  settled_at BIGINT,
  -- The payment whose money settled it; null when it was settled from balance alone.
  settled_by TEXT,
  -- Whether its lots are out of stock for everybody else, and until when if nothing is in sight.
  lots_held BIGINT NOT NULL CONSTRAINT rental_order_held CHECK (lots_held IN (0, 1)),
  lots_held_until BIGINT,
  fulfilment TEXT NOT NULL,
  expected_at BIGINT,
  preparing_at BIGINT,
  acceptance TEXT,
  ready_at BIGINT,
  ends_at BIGINT,
  wiped_at BIGINT,
  failed_at BIGINT,
  suspended_at BIGINT,
  access_sealed BYTEA,
  next_change_at BIGINT,
  CONSTRAINT rental_order_one_end CHECK (cancelled_at IS NULL OR lapsed_at IS NULL)
);
CREATE INDEX rental_order_by_account ON rental_order (account_id, placed_at);
CREATE INDEX rental_order_by_offer ON rental_order (offer_id, lots_held);
CREATE INDEX rental_order_by_change ON rental_order (next_change_at);
CREATE INDEX rental_order_by_date ON rental_order (placed_at, id);

CREATE TABLE address_file (
  id TEXT NOT NULL PRIMARY KEY,
  network TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  key_fingerprint TEXT NOT NULL,
  header TEXT NOT NULL,
  addresses BIGINT NOT NULL,
  last_day TEXT NOT NULL,
  imported_at BIGINT NOT NULL,
  text_hash BYTEA NOT NULL UNIQUE
);

CREATE TABLE address (
  id TEXT NOT NULL PRIMARY KEY,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  script_hex TEXT NOT NULL,
  derivation_index BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  last_day TEXT NOT NULL,
  record TEXT NOT NULL,
  file_id TEXT NOT NULL REFERENCES address_file (id),
  -- Set once, for ever: an address belongs to one payment.
  payment_id TEXT UNIQUE,
  issued_at BIGINT,
  -- When a restore set it aside: it may have been given out after the backup, so it is watched and never given out again.
  set_aside_at BIGINT,
  CONSTRAINT address_once UNIQUE (network, address),
  CONSTRAINT address_script_once UNIQUE (network, script_hex)
);
CREATE INDEX address_free ON address (network, epoch, derivation_index, last_day)
  WHERE payment_id IS NULL AND set_aside_at IS NULL;
CREATE INDEX address_by_epoch ON address (network, epoch);

CREATE TABLE payment (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  purpose TEXT NOT NULL CONSTRAINT payment_purpose CHECK (purpose IN ('order', 'extension', 'top_up')),
  order_id TEXT REFERENCES rental_order (id),
  method TEXT NOT NULL,
  network TEXT NOT NULL,
  asked_cents BIGINT NOT NULL CONSTRAINT payment_asked CHECK (asked_cents > 0),
  amount TEXT NOT NULL,
  rate TEXT NOT NULL,
  quote TEXT NOT NULL,
  address_id TEXT NOT NULL UNIQUE REFERENCES address (id),
  issued_at BIGINT NOT NULL,
  deadline BIGINT NOT NULL,
  network_prefix TEXT NOT NULL,
  notice_at BIGINT,
  -- Whether the mempool was not read for longer than a minute while these instructions were open: what arrived then may
  -- have been missed, so its block alone decides whether it was on time.
  blind BIGINT NOT NULL CONSTRAINT payment_blind CHECK (blind IN (0, 1)),
  -- Code of the headline: a projection for lists, written by the domain's own function in every transaction that
  -- changes a fact; a job applies the next change that time alone brings.
  headline TEXT NOT NULL,
  next_change_at BIGINT
);
CREATE INDEX payment_by_account ON payment (account_id, issued_at);
CREATE INDEX payment_by_order ON payment (order_id);
CREATE INDEX payment_by_headline ON payment (network, headline, deadline);
CREATE INDEX payment_by_change ON payment (next_change_at);
CREATE INDEX payment_by_date ON payment (issued_at, id);
CREATE INDEX payment_by_prefix ON payment (network_prefix, deadline);

-- The chain as the watcher has read it. `generation` moves with every applied step: whoever holds an old one stops.
CREATE TABLE watcher (
  network TEXT NOT NULL PRIMARY KEY,
  generation BIGINT NOT NULL,
  height BIGINT,
  hash TEXT,
  block_time BIGINT,
  tip_height BIGINT,
  checked_at BIGINT,
  at_tip_at BIGINT,
  error TEXT,
  error_since BIGINT
);

CREATE TABLE block (
  network TEXT NOT NULL,
  height BIGINT NOT NULL,
  hash TEXT NOT NULL,
  parent_hash TEXT NOT NULL,
  time BIGINT NOT NULL,
  PRIMARY KEY (network, height)
);

CREATE TABLE transfer (
  id TEXT NOT NULL PRIMARY KEY,
  network TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  out_index BIGINT NOT NULL,
  method TEXT NOT NULL,
  address_id TEXT NOT NULL REFERENCES address (id),
  payment_id TEXT REFERENCES payment (id),
  amount TEXT NOT NULL,
  only_once_mined BIGINT NOT NULL CONSTRAINT transfer_only_once_mined CHECK (only_once_mined IN (0, 1)),
  spendable_at_height BIGINT,
  inputs TEXT NOT NULL,
  inputs_all_ours BIGINT NOT NULL CONSTRAINT transfer_own CHECK (inputs_all_ours IN (0, 1)),
  -- When our node first saw it unmined; null when it was first seen in a block.
  unmined_at BIGINT,
  -- When it was first seen at all.
  first_seen_at BIGINT NOT NULL,
  vanished BIGINT NOT NULL CONSTRAINT transfer_vanished CHECK (vanished IN (0, 1)),
  replaced_by TEXT,
  CONSTRAINT transfer_once UNIQUE (network, tx_id, out_index)
);
CREATE INDEX transfer_by_payment ON transfer (payment_id);
CREATE INDEX transfer_by_address ON transfer (address_id);
CREATE INDEX transfer_by_transaction ON transfer (tx_id);

-- One transfer in one block. After a fork the same transaction in another block is another sighting; a block that comes
-- back after it was lost counts its return in `round`. Its id is the text of the domain's key.
CREATE TABLE sighting (
  id TEXT NOT NULL PRIMARY KEY,
  transfer_id TEXT NOT NULL REFERENCES transfer (id),
  network TEXT NOT NULL,
  block_hash TEXT NOT NULL,
  height BIGINT NOT NULL,
  block_time BIGINT NOT NULL,
  tx_id TEXT NOT NULL,
  out_index BIGINT NOT NULL,
  round BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  orphaned BIGINT NOT NULL CONSTRAINT sighting_orphaned CHECK (orphaned IN (0, 1)),
  CONSTRAINT sighting_once UNIQUE (network, block_hash, tx_id, out_index, round)
);
CREATE INDEX sighting_by_transfer ON sighting (transfer_id);
CREATE INDEX sighting_by_block ON sighting (network, block_hash);
CREATE INDEX sighting_by_height ON sighting (network, height);

-- A part of a sighting that was credited. Kept for ever: it fixes the transfer's verdict and value.
CREATE TABLE credit (
  sighting_id TEXT NOT NULL REFERENCES sighting (id),
  part TEXT NOT NULL CONSTRAINT credit_part CHECK (part IN ('on-time', 'rest')),
  transfer_id TEXT NOT NULL REFERENCES transfer (id),
  number BIGINT NOT NULL,
  units TEXT NOT NULL,
  cents BIGINT NOT NULL CONSTRAINT credit_cents CHECK (cents >= 0),
  place TEXT NOT NULL CONSTRAINT credit_place CHECK (place IN ('held', 'balance', 'unclaimed', 'own')),
  held_id TEXT,
  held_cents BIGINT,
  undone BIGINT NOT NULL CONSTRAINT credit_undone CHECK (undone IN (0, 1)),
  PRIMARY KEY (sighting_id, part)
);
CREATE INDEX credit_by_transfer ON credit (transfer_id, number);

-- Operators' rulings about transfers in review; the newest about a transfer counts.
CREATE TABLE ruling (
  id TEXT NOT NULL PRIMARY KEY,
  transfer_id TEXT NOT NULL REFERENCES transfer (id),
  ruling TEXT NOT NULL CONSTRAINT ruling_kind CHECK (ruling IN ('balance', 'purpose')),
  operator_id TEXT NOT NULL REFERENCES account (id),
  at BIGINT NOT NULL
);
CREATE INDEX ruling_by_transfer ON ruling (transfer_id, at);

CREATE TABLE recorded_rate (
  method TEXT NOT NULL,
  at BIGINT NOT NULL,
  rate TEXT NOT NULL,
  quote TEXT NOT NULL,
  PRIMARY KEY (method, at)
);

-- Double entry: one row is one posting, so it sums to zero by construction, and a cause posts once.
CREATE TABLE posting (
  cause TEXT NOT NULL PRIMARY KEY,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  cents BIGINT NOT NULL CONSTRAINT posting_positive CHECK (cents > 0),
  at BIGINT NOT NULL,
  reason TEXT NOT NULL,
  account_id TEXT REFERENCES account (id),
  order_id TEXT REFERENCES rental_order (id),
  payment_id TEXT REFERENCES payment (id),
  CONSTRAINT posting_two_accounts CHECK (debit <> credit)
);
CREATE INDEX posting_by_debit ON posting (debit);
CREATE INDEX posting_by_credit ON posting (credit);
CREATE INDEX posting_by_account ON posting (account_id, at);

-- Sums of `posting` by account, kept in the same transaction so that «never negative» is a constraint.
CREATE TABLE ledger_balance (
  account TEXT NOT NULL PRIMARY KEY,
  cents BIGINT NOT NULL,
  may_be_negative BIGINT NOT NULL CONSTRAINT ledger_balance_kind CHECK (may_be_negative IN (0, 1)),
  CONSTRAINT ledger_balance_available CHECK (may_be_negative = 1 OR cents >= 0)
);

CREATE TABLE timeline (
  cause TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  order_id TEXT REFERENCES rental_order (id),
  payment_id TEXT REFERENCES payment (id),
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX timeline_by_order ON timeline (order_id, at);

CREATE TABLE audit (
  number BIGINT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  data TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE
);

CREATE TABLE alarm (
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (kind, subject)
);

-- Small facts of the installation, such as the simulated network's state or the random secret of a generation.
CREATE TABLE setting (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);
