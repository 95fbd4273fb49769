/**
 * A flood in a process of its own: `flood.ts URL TOKENS_FILE` prints the names of all floods as JSON, then takes `start NAME` and `stop` on stdin
 * and prints `sent COUNT` after each. It runs at the lowest priority, so that callers measure what the cloud spends on it, not what it takes of the machine.
 */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "undici";
import { edgeIdOf, SimulatedHub } from "../test/parts/simulated-hub.ts";

/** The parameters of a hub's message, as JSON already. */
interface HubMessage {
  readonly method: string;
  readonly params: string;
}

interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param first the number of the first record @param device one that the hub has described */
type HubFlood = (first: number, device: string) => HubMessage;

function record(n: number, device: string, value: string): string {
  const target = `"device":"${device}","service":"Meter","index":"0","property":"count"`;
  return `{"kind":"value","n":${n},${target},"value":${value},"observedAt":${Date.now()},"cause":"report"}`;
}

const records = (first: number, device: string, values: readonly string[]): HubMessage => ({
  method: "records",
  params: `{"records":[${values.map((value, at) => record(first + at, device, value)).join()}]}`,
});

const ARRAY_OF_200_KB = `[${Array.from({ length: 100_000 }, (_, at) => at % 10).join()}]`;
const LEVELS = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const TEXT_OF_16_KB = `"${"x".repeat(16_000)}"`;
const UNKNOWN_PARAMS = `{"records":[${Array.from({ length: 12_000 }, () => '{"kind":"rumour"}').join()}]}`;

const HUB_FLOODS: Readonly<Record<string, HubFlood>> = {
  "values of 200 KB of JSON": (first, device) => records(first, device, [ARRAY_OF_200_KB]),
  "values of 100,000 levels": (first, device) => records(first, device, [LEVELS]),
  "500 records a message": (first, device) =>
    records(
      first,
      device,
      Array.from({ length: 500 }, (_, at) => `"${first + at}"`),
    ),
  "texts of 16 KB": (first, device) =>
    records(
      first,
      device,
      Array.from({ length: 15 }, () => TEXT_OF_16_KB),
    ),
  "unknown parameters": () => ({ method: "records", params: UNKNOWN_PARAMS }),
  "unknown methods": () => ({ method: "gossip", params: "{}" }),
};

const LOG_IN_FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`f${at}`, at])));
const JSON_BODY = { "content-type": "application/json" };

const ANONYMOUS_FLOODS: Readonly<Record<string, (n: number) => HttpRequest>> = {
  "/api/openapi.json": () => ({ method: "GET", path: "/api/openapi.json" }),
  "/metrics": () => ({ method: "GET", path: "/metrics" }),
  "log-ins with 15,000 fields": () => ({
    method: "POST",
    path: "/api/accounts/login",
    headers: JSON_BODY,
    body: LOG_IN_FIELDS,
  }),
  "bad tokens": (n) => ({ method: "GET", path: "/api/devices", headers: { authorization: `Bearer plt_${n}` } }),
  "paths that are not there": (n) => ({ method: "GET", path: `/api/nothing/${n}` }),
};

/** Requests with the token of an account that has 300 zones with 60 KB of metadata each. */
const ACCOUNT_FLOODS: Readonly<Record<string, HttpRequest>> = {
  "pages of large zones": { method: "GET", path: "/api/zones?pageSize=1000" },
  "pages of large events": { method: "GET", path: "/api/event-log?pageSize=1000" },
};

const LOWEST = 19;
/** Messages of the hub in flight at once. */
const MESSAGES_IN_FLIGHT = 16;
/** Apart from any other hub of the run. */
const HUB_NUMBER = 99;
/** Numbers of the history that one message may take. */
const STRIDE = 1_000;
/** After a refused connection, ms: as little as a hostile hub would wait. */
const PAUSE_MS = 20;
const CONNECTIONS = 50;

const [url = "", tokenFile = ""] = process.argv.slice(2);
/** Of a hub, and of an account. */
const [token = "", accountToken = ""] = readFileSync(tokenFile, "utf8").trim().split("\n");
/** The client of the hub's token is bound to it. */
const key = generateKeyPairSync("ed25519");
let current: AbortController | undefined;

setPriority(LOWEST);
process.stdout.write(`${JSON.stringify([HUB_FLOODS, ANONYMOUS_FLOODS, ACCOUNT_FLOODS].flatMap(Object.keys))}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.split(" ");
  if (command === "stop") current?.abort();
  if (command === "start") void run(words.join(" "));
});

async function run(name: string): Promise<void> {
  current = new AbortController();
  const message = HUB_FLOODS[name];
  const request = ANONYMOUS_FLOODS[name] ?? ofAccount(ACCOUNT_FLOODS[name]);
  if (!message && !request) throw new Error(`there is no flood of ${name}`);
  let count = 0;
  if (message) count = await floodAsHub(message, current.signal);
  if (request) count = await floodOverHttp(request, current.signal);
  process.stdout.write(`sent ${count}\n`);
}

function ofAccount(request: HttpRequest | undefined): (() => HttpRequest) | undefined {
  const headers = { authorization: `Bearer ${accountToken}` };
  return request && (() => ({ ...request, headers }));
}

/** Sends as fast as the cloud allows, and connects again at once each time its connection is closed. Returns the number of messages. */
async function floodAsHub(message: HubFlood, signal: AbortSignal): Promise<number> {
  const device = edgeIdOf(HUB_NUMBER, 0);
  const options = { url: url.replace("http", "ws"), token, number: HUB_NUMBER, devices: 1, key };
  let sent = 0;
  while (!signal.aborted) {
    const hub = await SimulatedHub.connect(options).catch(() => undefined);
    if (!hub) {
      await pause(PAUSE_MS);
      continue;
    }
    let first = 1;
    const send = async () => {
      while (!signal.aborted && hub.isOpen) {
        const { method, params } = message(first, device);
        first += STRIDE;
        sent += 1;
        await hub.askText(method, params).catch(() => pause(0));
      }
    };
    await Promise.all(Array.from({ length: MESSAGES_IN_FLIGHT }, send));
    hub.close();
  }
  return sent;
}

/** Sends on many connections as fast as answers arrive. Returns how many requests were answered, with any status. */
async function floodOverHttp(request: (n: number) => HttpRequest, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const one = async () => {
    const client = new Client(url);
    while (!signal.aborted)
      try {
        const { body } = await client.request(request(answered));
        await body.dump();
        answered += 1;
      } catch {
        // A connection that the cloud has closed: the client opens another.
      }
    await client.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return answered;
}
