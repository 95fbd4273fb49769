/** The bare ingestion: the rows that a report leaves in the cloud, inserted in batches of the size that the hub sends. Prints how many a second. */
import Sqlite from "better-sqlite3";

const [file = "", count = "100000", batch = "200"] = process.argv.slice(2);
const db = new Sqlite(file);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`
  create table property_values (device text, service text, idx text, property text, value text, number integer, modified_at integer, observed_at integer,
    primary key (device, service, idx, property));
  create table events (ecosystem text, sequence integer, id text, type text, environment text, data text, created_at integer, primary key (ecosystem, sequence));
`);
const upsert = db.prepare(`insert into property_values values (?, 'LightColor', '0', 'hue', ?, ?, ?, ?)
  on conflict do update set value = excluded.value, number = excluded.number, modified_at = excluded.modified_at, observed_at = excluded.observed_at`);
const insert = db.prepare(
  "insert into events values ('eco_01m7yjmq0ee0d869r77vh1rgdt', ?, ?, 'property.changed', 'env_01m7yjmq0ge3bajhkne939870n', ?, ?)",
);
const data = JSON.stringify({
  item: {
    ecosystemId: "eco_01m7yjmq0ee0d869r77vh1rgdt",
    id: "env_01m7yjmq0ge3bajhkne939870n",
    deviceId: "dev_01m7yjmqzqe2tb9rcrgh04v5tk",
    service: "LightColor",
    index: "0",
    property: "hue",
    value: 123.4,
    modifiedAt: "2026-11-21 08:13:05Z",
    observedAt: "2026-11-21 08:13:05Z",
  },
  previousValue: 123.3,
  cause: { kind: "device" },
});

const start = performance.now();
const total = Number(count);
const size = Number(batch);
for (let first = 0; first < total; first += size) {
  db.exec("begin immediate");
  for (let n = first; n < Math.min(first + size, total); n++) {
    const at = 1_795_248_774_106 + n;
    upsert.run(`dev_01m7yjmqzqe2tb9rcrgh04v5${n % 32}`, String((n % 3600) / 10), n, at, at);
    insert.run(n, `evt_01m7yjmqzqe2tb9rcr${n}`, data, at);
  }
  db.exec("commit");
}
process.stdout.write(`rate ${(total / (performance.now() - start)) * 1000}\n`);
