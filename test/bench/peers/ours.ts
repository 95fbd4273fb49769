/**
 * Our own way: a PUT through cloud, tunnel and agent to a device in memory, as an ordinary caller sends it; and the bare relay by the same
 * HTTP and WebSocket, without commits or with as many in a row as the product has, which says what of our time is theirs.
 */
import { Client } from "undici";
import { startBare, startProduct } from "../parts.ts";
import { expectValue, type Promises, type Way, writeOf } from "./way.ts";

const OURS: Promises = {
  "stored before the device is asked": "yes",
  "at most once": "yes",
  "answer stored": "yes, at the hub and in the cloud",
};
/** The hub commits before and after it touches a device, the cloud once with command, value and event. */
const COMMITS = { cloud: 1, hub: 2 };
const NO_COMMITS = { cloud: 0, hub: 0 };

/** @param workers how many may be in flight, each on a connection and with a property of its own */
export async function throughPorchlight(workers: number): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const product = stack.use(await startProduct(1, workers));
  const pids = [product.cloud.pid, ...product.hubs.map(({ pid }) => pid)];
  const way = byHttp(stack, product.url, product.devices, product.headers);
  return { name: "Porchlight, SQLite", promises: OURS, pids, ...way };
}

/** @param commits whether it has the commits of the product, each of one row that nobody reads */
export async function throughBareRelay(workers: number, commits: boolean): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const bare = stack.use(await startBare(commits ? COMMITS : NO_COMMITS));
  const devices = Array.from({ length: workers }, () => "x");
  const way = byHttp(stack, bare.url, devices, { "content-type": "application/json" });
  const stored = commits ? "yes" : "no";
  return {
    name: commits ? "bare relay, three commits in a row" : "bare relay, no commits",
    promises: { "stored before the device is asked": stored, "at most once": "not looked at", "answer stored": stored },
    pids: [bare.cloud.pid, bare.hub.pid],
    ...way,
  };
}

/** PUTs of one worker a device, each on a connection of its own; what the stack has ends with them. */
function byHttp(
  stack: AsyncDisposableStack,
  url: string,
  devices: readonly string[],
  headers: Readonly<Record<string, string>>,
): Pick<Way, "trip" | typeof Symbol.asyncDispose> {
  const clients = devices.map((device) => ({
    client: stack.adopt(new Client(url), (client) => client.close()),
    path: `/api/devices/${device}/services/LightColor.hue`,
  }));
  const all = stack.move();
  return {
    async trip(worker, value) {
      const { client, path } = clients[worker] ?? {};
      if (client === undefined || path === undefined) throw new Error(`there is no worker ${worker}`);
      const answer = await client.request({ method: "PUT", path, headers, body: writeOf(value) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
      expectValue(text, value);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
