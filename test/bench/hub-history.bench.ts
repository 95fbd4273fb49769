/**
 * What history at home costs a hub: reports a second into its database, beside the same hub that keeps none; bytes for each property and day;
 * and how long a question of ten days takes. A virtual clock lets ten days pass, the database is a real file.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { State } from "@porchlight/agent/state/index.ts";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { historyPart, readHistoryQuery } from "@porchlight/shared/rest";
import Sqlite from "better-sqlite3";
import { median, print, ratio } from "./report.ts";

const EDGE = "00-1B-44-11-3A-00";
const HUB = "02-00-00-00-00-01";
const ROUNDS = 5;
const REPORTS = 4000;
const AT_ONCE = 20;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Properties of one device, each by its index. */
const PROPERTIES = 40;
const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
let files = 0;

function open(changes?: number) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const path = join(folder, `agent-${files++}.db`);
  const homeEvents = { edgeId: HUB, changes };
  const random = seededRandom(1);
  const state = State.open(path, { clock, random, log: silentLog, groupMs: 0, homeEvents });
  return { clock, path, state };
}

type Hub = ReturnType<typeof open>;

async function arrive({ state }: Hub): Promise<void> {
  const property = { property: "value", type: "number", access: ["read", "notify"] } as const;
  const description = Array.from({ length: PROPERTIES }, (_, index) => ({
    ...{ service: "Meter", index: String(index), properties: [property] },
  }));
  await state.arrive({ edgeId: EDGE, description, about: {}, transport: "bench" });
  const device = { edgeId: EDGE, id: "dev_01kad2vqz0fv8t7vqh5v8q5x5r", version: 1 };
  const place = { ecosystemId: "eco_1", environmentId: "env_1", clientId: "cli_1" };
  await state.home.takeNames({ digest: "d", ...place, devices: [device] });
  await state.home.takeName({ ...device, alias: "meter", meta: "{}", createdAt: 0 });
}

let seq = 0;
const report = ({ state }: Hub, index: number, value: number) =>
  state.report(
    { device: EDGE, service: "Meter", index: String(index), property: "value", value },
    { node: EDGE, boot: 1, seq: seq++ },
  );

/** Reports of all properties in turn, `AT_ONCE` in a commit; gives how many a second. */
async function rate(changes?: number): Promise<number> {
  const hub = open(changes);
  await arrive(hub);
  const start = performance.now();
  for (let count = 0; count < REPORTS; count += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, each) => report(hub, (count + each) % PROPERTIES, count / 10)),
    );
    void hub.state.acknowledge(hub.state.lastNumber);
    await hub.clock.advance(2 * MINUTE);
  }
  const seconds = (performance.now() - start) / 1000;
  await hub.state[Symbol.asyncDispose]();
  return REPORTS / seconds;
}

const pairs: [number, number][] = [];
for (let round = 0; round < ROUNDS; round++) pairs.push([await rate(), await rate(0)]);
print(`reports into a hub's database, ${AT_ONCE} in a commit, with history at home, a second (limit: without)`, {
  measured: median(pairs.map(([rate]) => rate)),
  limit: median(pairs.map(([, rate]) => rate)),
  ratio: ratio(pairs),
  goal: ">= 0.8",
});

for (const [what, everyMs, days] of [
  ["every 5 minutes", 5 * MINUTE, 10],
  ["every 30 seconds", MINUTE / 2, 2],
] as const) {
  const hub = open();
  await arrive(hub);
  const random = seededRandom(2);
  for (let at = 0; at < days * DAY; at += everyMs) {
    await Promise.all(
      Array.from({ length: PROPERTIES }, (_, index) => report(hub, index, Math.round(random.fraction() * 500) / 10)),
    );
    void hub.state.acknowledge(hub.state.lastNumber);
    await hub.clock.advance(everyMs);
  }
  const asked = readHistoryQuery({ from: "2026-01-01 00:00:00Z", resolution: "raw" }, hub.clock.now(), {
    rawFor: 10 * DAY,
  });
  const target = { device: EDGE, service: "Meter", index: "7", property: "value" };
  const series = [hub.state.series.source({ target, deviceId: "dev_1", kind: "number", unit: undefined })];
  const { recordedUntil, begins } = hub.state.series;
  const took = async (resolution: "raw" | "5m" | "1h") => {
    const start = performance.now();
    await historyPart({ recordedUntil, begins, series }, { ...asked, resolution }, undefined, 10_000);
    return performance.now() - start;
  };
  const times = { raw: await took("raw"), fiveMinutes: await took("5m"), hours: await took("1h") };
  await hub.state[Symbol.asyncDispose]();
  const bytes = sizes(hub.path);
  const each = (table: string) => (bytes.get(table) ?? 0) / PROPERTIES / days;
  const changes = each("history_changes") + each("history_recent");
  const all = changes + each("history_steps");
  print(`history of a property that changes ${what}, bytes a day`, {
    measured: all,
    limit: (DAY / everyMs) * 8,
    ratio: all / ((DAY / everyMs) * 8),
    goal: "none",
    changes,
    steps: each("history_steps"),
    ...{ days, "raw, ms": times.raw, "5m, ms": times.fiveMinutes, "1h, ms": times.hours },
  });
}
rmSync(folder, { recursive: true, force: true });

/** Bytes of each table in its file. */
function sizes(path: string): Map<string, number> {
  const db = new Sqlite(path, { readonly: true });
  const rows = db
    .prepare<[], { name: string; bytes: number }>("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name")
    .all();
  db.close();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
