/**
 * A controller of Matter as a process of its own: matter.js' own, of another version than the one that the bridge is made with, from
 * `test/peers`. It gets orders as lines of JSON, and answers each with one.
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? "";
const required = createRequire(fileURLToPath(new URL("../../peers/package.json", import.meta.url)));
// The environment is read when the library is loaded.
for (const name of ["log", "info", "debug", "warn"] as const) console[name] = console.error;
Object.assign(process.env, { MATTER_STORAGE_PATH: folder });
// biome-ignore lint/suspicious/noExplicitAny: the types are those of another version, which the checks do not see
const { ServerNode, Environment, Crypto, Logger }: any = required("@matter/main");
// biome-ignore lint/suspicious/noExplicitAny: as above
const { PaseClient, Write }: any = required("@matter/main/protocol");
// biome-ignore lint/suspicious/noExplicitAny: as above
const { ManualPairingCodeCodec }: any = required("@matter/main/types");
Environment.default.vars.set("runtime.signals", false);
Logger.level = "warn";

interface Order {
  readonly number: number;
  readonly order: "pair" | "leave" | "endpoints" | "invoke" | "write" | "share" | "attribute";
  readonly code?: string;
  readonly endpoint?: number;
  readonly cluster?: string;
  readonly name?: string;
  readonly value?: unknown;
}

const node = await ServerNode.create({ id: "controller", network: { port: 0 }, commissioning: { enabled: false } });
await node.start();
// biome-ignore lint/suspicious/noExplicitAny: as above
const peer = (): any => [...node.peers][0];

// biome-ignore lint/suspicious/noExplicitAny: as above
function* endpointsOf(of: any): Generator<any> {
  yield of;
  for (const part of of.parts ?? []) yield* endpointsOf(part);
}

function endpoint(number: number | undefined) {
  for (const each of endpointsOf(peer())) if (each.number === number) return each;
  throw new Error(`there is no endpoint ${number}`);
}

/** The last notified values of a cluster's attributes. */
function stateOf(cluster: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(Object(cluster))) values[name] = Reflect.get(Object(cluster), name);
  return values;
}

/** Gives the milliseconds until it is paired; settles when all of it is known. */
async function pair(code: string | undefined): Promise<number> {
  const began = performance.now();
  // This version of the library does not look for what is in `pairingCode`, and finds no device.
  const { shortDiscriminator, passcode } = ManualPairingCodeCodec.decode(code);
  const paired = await node.peers.commission({ shortDiscriminator, passcode });
  const ms = performance.now() - began;
  await new Promise<void>((resolve) => {
    paired.events.network.subscriptionStatusChanged.on((isActive: boolean) => isActive && resolve());
    // biome-ignore lint/suspicious/noExplicitAny: as above
    paired.act((agent: any) => agent.network.subscriptionActive && resolve());
  });
  return ms;
}

async function carryOut({ order, code, endpoint: number, cluster = "", name = "", value }: Order): Promise<unknown> {
  switch (order) {
    case "pair":
      return await pair(code);
    case "leave":
      // The session can have ended before the answer is read: then it has left too.
      await peer()
        .decommission()
        .catch(() => peer()?.delete());
      return null;
    case "endpoints":
      return [...endpointsOf(peer())].map((each) => ({
        number: each.number,
        parent: each.owner?.number ?? null,
        types: (each.state.descriptor?.deviceTypeList ?? []).map(
          ({ deviceType }: { deviceType: number }) => deviceType,
        ),
        information: stateOf(each.state.bridgedDeviceBasicInformation),
      }));
    case "attribute":
      return endpoint(number).state[cluster]?.[name] ?? null;
    case "invoke":
      await endpoint(number).commands[cluster][name](value);
      return null;
    case "write":
      await write(number, cluster, name, value);
      return null;
    case "share":
      return await share();
  }
}

/** By a request of its own: setting an attribute of an endpoint loses the status of Matter. */
async function write(number: number | undefined, cluster: string, name: string, value: unknown): Promise<void> {
  const type = endpoint(number).behaviors.supported[cluster].cluster;
  const request = Write(Write.Attribute({ endpoint: number, cluster: type, attributes: [name], value }));
  const [{ status }] = await peer().interaction.write(request);
  if (status !== 0) throw Object.assign(new Error(`${cluster}.${name} is refused`), { code: status });
}

/** Lets another controller in, as the app of a phone does: with a code of its own for a few minutes. */
async function share(): Promise<string> {
  const [discriminator, passcode, iterations] = [2741, 46_120_375, 1000];
  const salt = node.env.get(Crypto).randomBytes(32);
  const about = { iterations, salt };
  const pakePasscodeVerifier = await PaseClient.generatePakePasscodeVerifier(node.env.get(Crypto), passcode, about);
  await peer().commands.administratorCommissioning.openCommissioningWindow({
    ...{ commissioningTimeout: 180, pakePasscodeVerifier, discriminator, ...about },
  });
  return ManualPairingCodeCodec.encode({ discriminator, passcode });
}

const print = (answer: object) =>
  process.stdout.write(`${JSON.stringify(answer, (_, each) => (typeof each === "bigint" ? Number(each) : each))}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const order: Order = JSON.parse(line);
  const began = performance.now();
  carryOut(order)
    .then((answer) => print({ number: order.number, answer, ms: performance.now() - began }))
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .catch((failure: any) =>
      print({ number: order.number, failure: String(failure?.stack ?? failure), status: failure?.code ?? null }),
    );
});
process.stdin.on("end", () => process.exit(0));
print({ number: 0, answer: "ready" });
