/** Memory of an idle tunnel in the cloud, against that of a bare WebSocket connection: heap and buffers after a collection, per connection. Both servers run here, one after the other; their hubs in other processes. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { App } from "@porchlight/cloud";
import { cloudSettings } from "@porchlight/cloud/config/settings.ts";
import { silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { WebSocketServer } from "ws";
import { Program } from "../test/parts/program.ts";
import { print } from "./frame.ts";
import { addClient, ready, signUp } from "./product.ts";

const TUNNELS = 2000;
/** Connections before the measured ones, which stay: code that is compiled and loaded once is part of none. */
const FIRST = 200;
/** Records that are written every ten seconds, such as the last use of a token, are written by then. */
const SETTLE_SECONDS = 12;
const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
setFlagsFromString("--expose-gc");
// Otherwise it is by chance that 4 MB of text go meanwhile, of code that is not used any more and is no part of a tunnel.
setFlagsFromString("--no-flush-bytecode");
const collect = runInNewContext("gc") as () => void;

const perSocket = await bare();
const perTunnel = await product();
print(`memory of an idle tunnel, KB (${TUNNELS} of them)`, {
  measured: perTunnel / 1024,
  limit: perSocket / 1024,
  ratio: perTunnel / perSocket,
  goal: "<= 1.5",
});
process.exit(0);

/** Bytes that stay after what the handshakes left behind has been collected. */
async function settledBytes(): Promise<number> {
  for (let second = 0; second < SETTLE_SECONDS; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @param what of the first connections and then of the others, as the hubs' process takes it */
async function growth(kind: "bare" | "hubs", url: string, what: readonly [string, string]): Promise<number> {
  await using _first = await connected(kind, url, what[0]);
  const before = await settledBytes();
  await using _others = await connected(kind, url, what[1]);
  return ((await settledBytes()) - before) / TUNNELS;
}

async function connected(kind: "bare" | "hubs", url: string, what: string): Promise<Program> {
  const hubs = new Program("idle hubs", "bench/idle-hubs.ts", [kind, url.replace("http", "ws"), what]);
  await hubs.line(ready);
  return hubs;
}

async function bare(): Promise<number> {
  const server: Server = createServer();
  new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) =>
    socket.on("message", () => undefined),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const bytes = await growth("bare", `http://127.0.0.1:${port}`, [String(FIRST), String(TUNNELS)]);
  server.closeAllConnections();
  server.close();
  return bytes;
}

async function product(): Promise<number> {
  // All come at once here, into one home: admission and quotas are not measured.
  const open = { handshakesPerSecond: 100_000, handshakeBurst: 100_000, maxClientsPerEnvironment: FIRST + TUNNELS };
  const settings = cloudSettings.parse({ data: join(folder, "cloud"), port: 0, rateLimit: "off", ...open });
  const app = await App.start({ settings, clock: systemClock, random: systemRandom, log: silentLog });
  const url = await app.listen();
  const account = await signUp(url);
  const tokens: string[] = [];
  for (let client = 0; client < FIRST + TUNNELS; client++) tokens.push((await addClient(account)).token);
  return growth("hubs", url, [fileOf(tokens.slice(0, FIRST)), fileOf(tokens.slice(FIRST))]);
}

function fileOf(tokens: readonly string[]): string {
  const file = join(folder, `tokens-${tokens.length}`);
  writeFileSync(file, tokens.join("\n"), { mode: 0o600 });
  return file;
}
