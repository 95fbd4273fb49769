/** The tables of `agent.db`, in the order in which versions of the agent added them. */

/** One entry per version; `user_version` of the file counts the entries that were applied. */
export const MIGRATIONS: readonly string[] = [
  `
  -- What there is once in a hub. last_number: the last number of the history given out. running_ms: how long this
  -- database has been in use, by the monotonic clock: what the journal's age is measured with.
  CREATE TABLE hub (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    log_id TEXT NOT NULL,
    last_number INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    last_arrival INTEGER NOT NULL,
    running_ms REAL NOT NULL
  ) STRICT;

  -- online: what the history last said, which outlives a restart of the agent.
  CREATE TABLE devices (
    edge_id TEXT PRIMARY KEY,
    description TEXT NOT NULL,
    about TEXT NOT NULL,
    digest TEXT NOT NULL,
    arrival INTEGER NOT NULL,
    online INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- event: the property can only notify, so that telling its value again would be telling of something new.
  CREATE TABLE property_values (
    device TEXT NOT NULL,
    service TEXT NOT NULL,
    idx TEXT NOT NULL,
    property TEXT NOT NULL,
    value TEXT NOT NULL,
    number INTEGER NOT NULL,
    observed_at REAL NOT NULL,
    written_at REAL NOT NULL,
    event INTEGER NOT NULL,
    PRIMARY KEY (device, service, idx, property)
  ) STRICT, WITHOUT ROWID;

  -- What the cloud must still hear. collapse: of two records with the same key the older may be dropped when room is short.
  CREATE TABLE outbox (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    collapse TEXT,
    payload TEXT NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX outbox_collapse ON outbox (collapse, number) WHERE collapse IS NOT NULL;

  -- target: what was asked for, as JSON. ended: the result record, as JSON. begun_ms: hub.running_ms at the time.
  CREATE TABLE journal (
    command TEXT PRIMARY KEY,
    begun_ms REAL NOT NULL,
    target TEXT NOT NULL,
    ended TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX journal_open ON journal (command) WHERE ended IS NULL;

  -- seen: the last reports of a node that were stored, as JSON [[boot, seq], …], oldest first.
  CREATE TABLE seen_reports (
    node TEXT PRIMARY KEY,
    seen TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- known_at: the latest time of which the hub was sure, ms since 1970: a clock that is earlier is wrong.
  -- stamp, boot: when a record was observed on the machine's monotonic clock, where the time was not known yet.
  -- crc: over what the row says (row-checksum.ts).
  ALTER TABLE hub ADD COLUMN known_at REAL NOT NULL DEFAULT 0;
  ALTER TABLE hub ADD COLUMN crc INTEGER;
  ALTER TABLE devices ADD COLUMN crc INTEGER;
  ALTER TABLE property_values ADD COLUMN crc INTEGER;
  ALTER TABLE outbox ADD COLUMN stamp REAL;
  ALTER TABLE outbox ADD COLUMN boot TEXT;
  ALTER TABLE outbox ADD COLUMN crc INTEGER;
  ALTER TABLE journal ADD COLUMN crc INTEGER;
  ALTER TABLE seen_reports ADD COLUMN crc INTEGER;
  `,
  `
  -- since: when online last changed, ms since 1970. modified_at: when the value last changed.
  ALTER TABLE devices ADD COLUMN since REAL NOT NULL DEFAULT 0;
  ALTER TABLE property_values ADD COLUMN modified_at REAL NOT NULL DEFAULT 0;
  UPDATE property_values SET modified_at = observed_at;

  -- For the API at home. place: where the hub is, as JSON. digest: of the names that are here whole.
  CREATE TABLE home_place (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    digest TEXT NOT NULL,
    place TEXT NOT NULL,
    crc INTEGER
  ) STRICT;

  -- name: what the cloud calls a device, as JSON.
  CREATE TABLE device_names (
    edge_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    crc INTEGER
  ) STRICT, WITHOUT ROWID;

  -- hash: SHA-256 of the token, hex; the token itself is nowhere.
  CREATE TABLE local_tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at REAL NOT NULL,
    crc INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What has happened in the home, for those who follow it there. log_id: the history (hub.log_id) of which it tells.
  -- begun: the sequence after which it began.
  CREATE TABLE home_log (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    log_id TEXT NOT NULL,
    begun INTEGER NOT NULL,
    crc INTEGER
  ) STRICT;

  -- text: the whole event, as JSON.
  CREATE TABLE home_events (
    sequence INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    text TEXT NOT NULL,
    crc INTEGER
  ) STRICT;
  `,
  `
  -- What drivers keep. value: base64 of nonce, tag and ciphertext (kept.ts).
  CREATE TABLE driver_entries (
    driver TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    crc INTEGER,
    PRIMARY KEY (driver, key)
  ) STRICT, WITHOUT ROWID;

  -- Devices that a person has admitted while the hub ran.
  CREATE TABLE admitted_devices (
    edge_id TEXT PRIMARY KEY,
    admitted_at REAL NOT NULL,
    crc INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- alive_at: up to when properties were recorded, ms since 1970. In this table, because its row is written with most commits anyway.
  -- kept_from: of earlier times only the last change of each property is kept.
  ALTER TABLE hub ADD COLUMN alive_at REAL NOT NULL DEFAULT 0;
  ALTER TABLE hub ADD COLUMN kept_from REAL NOT NULL DEFAULT 0;

  -- A property whose values over time are recorded. number: names it below. kind: as the API has it.
  CREATE TABLE history_series (
    number INTEGER PRIMARY KEY,
    device TEXT NOT NULL,
    service TEXT NOT NULL,
    idx TEXT NOT NULL,
    property TEXT NOT NULL,
    kind TEXT NOT NULL,
    crc INTEGER,
    UNIQUE (device, service, idx, property)
  ) STRICT;

  -- What it changed to, as JSON, and when, ms since 1970. number: that of the value in the hub's history. Changes and steps have no
  -- checksum: there may be millions of them, and each start would have to read them all.
  CREATE TABLE history_changes (
    series INTEGER NOT NULL,
    at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (series, at, number)
  ) STRICT, WITHOUT ROWID;

  -- Statistics of complete steps in which something changed. step: 0 of five minutes, 1 of an hour. states: as JSON.
  CREATE TABLE history_steps (
    series INTEGER NOT NULL,
    step INTEGER NOT NULL,
    start INTEGER NOT NULL,
    count INTEGER NOT NULL,
    known_ms INTEGER NOT NULL,
    min REAL,
    max REAL,
    area REAL NOT NULL,
    growth REAL NOT NULL,
    resets INTEGER NOT NULL,
    last TEXT NOT NULL,
    states TEXT,
    PRIMARY KEY (series, step, start)
  ) STRICT, WITHOUT ROWID;

  -- When nothing was known of a device, or of all of them ('' for the hub). until: NULL while it lasts.
  CREATE TABLE history_gaps (
    device TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    reason TEXT NOT NULL,
    crc INTEGER,
    PRIMARY KEY (device, since)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- home: where the scenes are, as JSON. digest: of the scenes that are here whole.
  CREATE TABLE scene_home (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    digest TEXT NOT NULL,
    home TEXT NOT NULL,
    crc INTEGER
  ) STRICT;

  -- scene: as the cloud told it, as JSON.
  CREATE TABLE scenes (
    id TEXT PRIMARY KEY,
    scene TEXT NOT NULL,
    crc INTEGER
  ) STRICT;
  `,
  `
  -- What is not ended is looked for at a start only, which reads the whole journal anyway; each command paid for it twice.
  DROP INDEX journal_open;

  -- Changes of the hour that is open of a series, in the form of history_changes, to which they move when it is complete.
  CREATE TABLE history_recent (
    series INTEGER NOT NULL,
    at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (series, at, number)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** The columns covered by a row's `crc`, in order; other tables have no `crc`. */
export const SEALED = {
  hub: ["log_id", "last_number", "acknowledged", "last_arrival", "running_ms", "known_at", "alive_at", "kept_from"],
  devices: ["edge_id", "description", "about", "digest", "arrival", "online", "since"],
  property_values: [
    ...["device", "service", "idx", "property", "value", "number"],
    ...["observed_at", "written_at", "event", "modified_at"],
  ],
  outbox: ["number", "kind", "collapse", "payload", "bytes", "stamp", "boot"],
  journal: ["command", "begun_ms", "target", "ended"],
  seen_reports: ["node", "seen"],
  home_place: ["digest", "place"],
  device_names: ["edge_id", "name"],
  local_tokens: ["id", "hash", "label", "created_at"],
  home_log: ["log_id", "begun"],
  home_events: ["sequence", "type", "text"],
  driver_entries: ["driver", "key", "value"],
  admitted_devices: ["edge_id", "admitted_at"],
  history_series: ["number", "device", "service", "idx", "property", "kind"],
  history_gaps: ["device", "since", "until", "reason"],
  scene_home: ["digest", "home"],
  scenes: ["id", "scene"],
} as const;

/** The schema version since which rows are sealed over these columns. */
export const SEALED_SINCE = 6;
