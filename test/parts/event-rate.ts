/**
 * A run of events: hubs that report at a steady rate, a stream of everything for each ecosystem, and webhooks that together want
 * each event once. The cloud, the hubs, the readers and the receivers are a process each. Returns what arrived where, and what it cost.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "pg";
import { Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import { processorSeconds } from "./process-figures.ts";
import { Program } from "./program.ts";

export interface EventsShape {
  readonly ecosystems: number;
  readonly hubsEach: number;
  readonly devicesPerHub: number;
  /** Reports of one hub a second, of its devices in turn; each is an event. */
  readonly reportsPerHub: number;
  readonly seconds: number;
  /** Over all ecosystems: together they want each event once. */
  readonly webhooks: number;
}

/** A thousand events a second from 200 hubs in 20 ecosystems. */
export const FULL: Omit<EventsShape, "seconds"> = {
  ecosystems: 20,
  hubsEach: 10,
  devicesPerHub: 5,
  reportsPerHub: 5,
  webhooks: 50,
};

/** For the hubs. */
export interface HubsPlan {
  /** `ws://…` of the cloud. */
  readonly url: string;
  readonly tokens: readonly string[];
  readonly devicesPerHub: number;
  readonly reportsPerHub: number;
}

/** For the readers of streams. */
export interface ReadersPlan {
  readonly url: string;
  /** One stream each: of a server, which sees all of its ecosystem. */
  readonly tokens: readonly string[];
}

/** The events of streams, or of receivers, as far as they are reports of a hub. */
export interface Came {
  /** By place: ecosystem or webhook; each event once. */
  readonly each: readonly number[];
  /** Came again. */
  readonly repeats: number;
  /** Did not follow what came before it: the value of a device, or the sequence of a stream. */
  readonly gaps: number;
  /** From the device to here, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface DeliveryRows {
  readonly rows: number;
  /** Of one delivery; 1 when all succeeded at the first. */
  readonly mostAttempts: number;
}

const COUNT = "select count(*) as rows, coalesce(max(attempt), 0) as most from deliveries";

/** @param location `postgres://…`, or a file */
async function deliveryRows(location: string): Promise<DeliveryRows> {
  const row = location.startsWith("postgres") ? await ofPostgres(location) : ofSqlite(location);
  return { rows: Number(row.rows), mostAttempts: Number(row.most) };
}

type Row = Readonly<Record<"rows" | "most", unknown>>;

function ofSqlite(file: string): Row {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db.prepare<[], Row>(COUNT).get() ?? { rows: 0, most: 0 };
  } finally {
    db.close();
  }
}

async function ofPostgres(url: string): Promise<Row> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(COUNT)).rows[0] ?? { rows: 0, most: 0 };
  } finally {
    await client.end();
  }
}

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

/** The program of hubs, readers and receivers. */
const PARTICIPANTS = "test/parts/event-rate-program.ts";

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
  const start = (name: string, main: string, ...args: string[]) => programs.use(new Program(name, main, args));
  programs.defer(() => rmSync(folder, { recursive: true, force: true }));
  const location = database ?? join(folder, "cloud", "cloud.db");
  const options = ["--data", join(folder, "cloud"), "--rate-limit", "off", "--webhook-allow", "127.0.0.0/8"];
  const at = database === undefined ? [] : ["--database", database];
  const cloud = start("cloud", "cloud/src/main.ts", "serve", "--port", "0", ...options, ...at);
  const url = await cloud.line(listening);
  const receivers = start("receivers", PARTICIPANTS, "receivers", String(shape.webhooks));
  const homes = await settle(url, shape);
  const { devicesPerHub, reportsPerHub } = shape;
  const hubsPlan = { url: url.replace("http", "ws"), tokens: homes.hubTokens, devicesPerHub, reportsPerHub };
  const hubs = start("hubs", PARTICIPANTS, "hubs", file("hubs.json", hubsPlan));
  await hubs.line(ready);
  const readersPlan = { url, tokens: homes.readerTokens };
  const readers = start("readers", PARTICIPANTS, "readers", file("readers.json", readersPlan));
  await readers.line(ready);
  // Last, so that readers want none of the events before.
  const wanted = await homes.makeWebhooks(await receivers.line(listening));

  const commits = () => readMetric(url, "porchlight_write_groups");
  const before = { commits: await commits(), processor: processorSeconds(cloud.pid), at: performance.now() };
  hubs.tell(`run ${shape.seconds}`);
  const sent = await hubs.line((line) => (line.startsWith("sent ") ? Number(line.slice(5)) : undefined));
  const arrived = async (program: Program): Promise<Came> => {
    const answer = program.next((line) => (line.startsWith("{") ? (JSON.parse(line) as Came) : undefined));
    program.tell("tell");
    return answer;
  };
  const all = (program: Program, expected: number) => async () => {
    const came = await arrived(program);
    if (total(came) + came.gaps >= expected) return came;
    throw new Error(`${total(came)} of ${expected} came`);
  };
  const streams = await eventually("each stream has sent all", all(readers, sent), LAST_COMES);
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

interface Homes {
  /** Of the servers that read, one an ecosystem. */
  readonly readerTokens: readonly string[];
  readonly hubTokens: readonly string[];
  /**
   * Makes the webhooks. Gives how many events each will want.
   * @param receivers where webhook N is sent to: `http://…/N`
   */
  makeWebhooks(receivers: string): Promise<readonly number[]>;
}

/** Each of them means all that hubs report; that they read differently is what patterns are for. */
const PATTERNS = [["property.changed"], ["property.*", "hub.*"], ["*"]] as const;

interface NewHome {
  readonly ecosystemId: string;
  readonly environmentId: string;
  hubs: number;
}

/** @param url of a cloud without users */
async function settle(url: string, shape: EventsShape): Promise<Homes> {
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const anonymous = new Api(url);
  await anonymous.good("POST", "/api/accounts", login);
  const api = anonymous.as((await anonymous.good<{ token: string }>("POST", "/api/accounts/login", login)).token);
  const made = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;
  const readerTokens: string[] = [];
  const hubTokens: string[] = [];
  const homes: NewHome[] = [];
  for (let at = 0; at < shape.ecosystems; at++) {
    const ecosystemId = await made("/api/ecosystems", {});
    const serverId = await made("/api/servers", { ecosystemId });
    readerTokens.push((await api.good<{ token: string }>("POST", `/api/servers/${serverId}/tokens`)).token);
    const own: NewHome[] = [];
    for (let home = 0; home < homesOf(shape, at); home++)
      own.push({ ecosystemId, environmentId: await made("/api/environments", { ecosystemId }), hubs: 0 });
    for (let hub = 0; hub < shape.hubsEach; hub++) {
      const home = own[hub % own.length];
      if (!home) throw new Error("an ecosystem without a home");
      home.hubs += 1;
      const clientId = await made("/api/clients", { environmentId: home.environmentId });
      hubTokens.push((await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`)).token);
    }
    homes.push(...own);
  }
  const makeWebhooks = async (receivers: string) => {
    for (const [at, { environmentId }] of homes.entries()) {
      const events = PATTERNS[at % PATTERNS.length];
      await made("/api/webhooks", { url: `${receivers}/${at}`, environmentId, events });
    }
    return homes.map(({ hubs }) => hubs * shape.reportsPerHub * shape.seconds);
  };
  return { readerTokens, hubTokens, makeWebhooks };
}

/** As many as there must be webhooks, spread evenly: each home has one. */
function homesOf({ webhooks, ecosystems }: EventsShape, at: number): number {
  return Math.floor((webhooks * (at + 1)) / ecosystems) - Math.floor((webhooks * at) / ecosystems);
}
