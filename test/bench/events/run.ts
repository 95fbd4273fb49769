/**
 * A run of events: hubs that report at a steady rate, a stream of everything for each ecosystem, and webhooks that together want
 * each event once. The cloud, the hubs, the readers and the receivers are a process each. Gives what came where, and what it cost.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../parts/eventually.ts";
import { Program } from "../../parts/program.ts";
import { processorSeconds } from "../parts.ts";
import { watched } from "../profile/explain.ts";
import { INSPECTED } from "../profile/session.ts";
import { type DeliveryRows, deliveryRows } from "./delivery-rows.ts";
import { settle } from "./homes.ts";
import type { Came, EventsShape } from "./plan.ts";

export interface EventsRun {
  /** Reports of all hubs. */
  readonly sent: number;
  readonly streams: Came;
  readonly webhooks: Came;
  /** Events that each webhook must be sent. */
  readonly wanted: readonly number[];
  readonly rows: DeliveryRows;
  /** Commits of the cloud while it ran. */
  readonly commits: number;
  /** Processor time of the cloud, of one core. */
  readonly cloudCore: number;
}

/** All that was sent has come by then, ms after the last report. */
const LAST_COMES = 60_000;

const listening = (line: string) => /^listening on (http\S+)$/.exec(line)?.[1];
const ready = (line: string) => (line === "ready" ? true : undefined);

/** @param database `postgres://…`; SQLite in the cloud's folder when left out @throws Error when a part of it ends, or what was sent does not come */
export async function runEvents(shape: EventsShape, database?: string): Promise<EventsRun> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-events-"));
  const file = (name: string, content: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  await using programs = new AsyncDisposableStack();
  const start = (name: string, main: string, ...args: string[]) =>
    programs.use(new Program(name, main, args, name === "cloud" ? INSPECTED : {}));
  programs.defer(() => rmSync(folder, { recursive: true, force: true }));
  const location = database ?? join(folder, "cloud", "cloud.db");
  const options = ["--data", join(folder, "cloud"), "--rate-limit", "off", "--webhook-allow", "127.0.0.0/8"];
  const at = database === undefined ? [] : ["--database", database];
  const cloud = start("cloud", "cloud/src/main.ts", "serve", "--port", "0", ...options, ...at);
  const url = await cloud.line(listening);
  const receivers = start("receivers", "test/bench/events/receivers.ts", String(shape.webhooks));
  const homes = await settle(url, shape);
  const { devicesPerHub, reportsPerHub } = shape;
  const hubsPlan = { url: url.replace("http", "ws"), tokens: homes.hubTokens, devicesPerHub, reportsPerHub };
  const hubs = start("hubs", "test/bench/events/hubs.ts", file("hubs.json", hubsPlan));
  await hubs.line(ready);
  const readersPlan = { url, tokens: homes.readerTokens };
  const readers = start("readers", "test/bench/events/readers.ts", file("readers.json", readersPlan));
  await readers.line(ready);
  // Last, so that what it took to get here is nothing that they want.
  const wanted = await homes.makeWebhooks(await receivers.line(listening));

  const commits = () => readMetric(url, "porchlight_write_groups");
  const before = { commits: await commits(), processor: processorSeconds(cloud.pid), at: performance.now() };
  const sent = await watched(`events, ${database === undefined ? "SQLite" : "PostgreSQL"}: cloud`, cloud, async () => {
    hubs.tell(`run ${shape.seconds}`);
    return hubs.line((line) => (line.startsWith("sent ") ? Number(line.slice(5)) : undefined));
  });
  const told = async (program: Program): Promise<Came> => {
    const answer = program.next((line) => (line.startsWith("{") ? (JSON.parse(line) as Came) : undefined));
    program.tell("tell");
    return answer;
  };
  const all = (program: Program, expected: number) => async () => {
    const came = await told(program);
    if (total(came) + came.gaps >= expected) return came;
    throw new Error(`${total(came)} of ${expected} came`);
  };
  const streams = await eventually("each stream has told all", all(readers, sent), LAST_COMES);
  const webhooks = await eventually("each webhook was sent all", all(receivers, sent), LAST_COMES);
  const seconds = (performance.now() - before.at) / 1000;
  const cloudCore = (processorSeconds(cloud.pid) - before.processor) / seconds;
  const rows = await eventually("each delivery is stored", async () => {
    const stored = await deliveryRows(location);
    return stored.rows >= sent ? stored : undefined;
  });
  return { sent, streams, webhooks, wanted, rows, commits: (await commits()) - before.commits, cloudCore };
}

export function total({ each }: Came): number {
  return each.reduce((sum, count) => sum + count, 0);
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}
