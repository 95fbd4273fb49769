/**
 * The bare limits, each a process of its own by its first word: `cloud FILE COMMITS` and `hub FILE COMMITS URL` relay a PUT with so many
 * group-committed rows in a row, `answer FILE` returns one JSON, `inserts FILE COUNT BATCH` inserts what a report leaves in the cloud.
 */
import { readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import Fastify from "fastify";
import WebSocket, { WebSocketServer } from "ws";
import { GroupCommit } from "./group-commit.ts";

const [kind = "", file = "", count = "0", more = ""] = process.argv.slice(2);
const PROGRAMS: Readonly<Record<string, () => void | Promise<void>>> = { cloud, hub, answer, inserts };
await PROGRAMS[kind]?.();

async function cloud(): Promise<void> {
  const rows = new GroupCommit(file);
  const app = Fastify();
  const waiting = new Map<number, (value: unknown) => void>();
  let hub: WebSocket | undefined;
  let last = 0;
  app.put("/api/devices/:id/services/:selector", async (request) => {
    const id = ++last;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    hub?.send(JSON.stringify({ jsonrpc: "2.0", id, method: "command", params: request.body }));
    const answer = await answered;
    for (let commit = 0; commit < Number(count); commit++) await rows.add(JSON.stringify(answer));
    return answer;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  new WebSocketServer({ server: app.server, perMessageDeflate: false }).on("connection", (socket) => {
    hub = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString());
      waiting.get(message.id)?.(message.params);
      waiting.delete(message.id);
    });
  });
  process.stdout.write(`listening on ${app.listeningOrigin}\n`);
}

/** Returns each message of the WebSocket after its commits. */
function hub(): void {
  const rows = new GroupCommit(file);
  const socket = new WebSocket(more, { perMessageDeflate: false });
  const relay = async (text: string) => {
    for (let commit = 0; commit < Number(count); commit++) await rows.add(text);
    socket.send(text);
  };
  socket.on("message", (data) => void relay(data.toString()));
  socket.on("open", () => process.stdout.write("ready\n"));
  socket.on("close", () => process.exit(0));
}

async function answer(): Promise<void> {
  const body = JSON.parse(readFileSync(file, "utf8"));
  const app = Fastify();
  app.get("/api/environments/:id/services/:selector", async () => body);
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.stdout.write(`listening on ${app.listeningOrigin}\n`);
}

/** Prints how many a second. */
function inserts(): void {
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
  const time = "2026-11-21 08:13:05Z";
  const data = JSON.stringify({
    item: {
      ...{ ecosystemId: "eco_01m7yjmq0ee0d869r77vh1rgdt", id: "env_01m7yjmq0ge3bajhkne939870n" },
      ...{ deviceId: "dev_01m7yjmqzqe2tb9rcrgh04v5tk", service: "LightColor", index: "0", property: "hue" },
      ...{ value: 123.4, modifiedAt: time, observedAt: time },
    },
    previousValue: 123.3,
    cause: { kind: "device" },
  });
  const start = performance.now();
  const [total, size] = [Number(count), Number(more)];
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
}
