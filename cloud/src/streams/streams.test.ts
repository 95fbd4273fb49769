/** All streams of a node: what other nodes append reaches them, a revocation concerns whom it concerns, and a node that is cut off ends all. */
import { type Id, IdMaker, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Caller, Revocations } from "../access/index.ts";
import { EventNotifier, LogWatch } from "../events/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import type { EventStream } from "./event-stream.ts";
import { Streams } from "./streams.ts";

const ASKED = {
  ...{ ecosystemId: "eco_1", environmentId: undefined, types: ["*"] },
  ...{ after: undefined, snapshot: false },
};

let clock: VirtualClock;
let fresh: FreshLocation;
let store: Store;
let notifier: EventNotifier;
let revocations: Revocations;
let streams: Streams;
beforeEach(async () => {
  clock = new VirtualClock();
  fresh = await freshLocation();
  store = await openStore(1);
  notifier = EventNotifier.start(store);
  revocations = new Revocations();
  streams = Streams.start({ store, clock, log: silentLog, notifier, revocations, streamsPerToken: 10 });
});
afterEach(async () => {
  await streams[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

function openStore(seed: number): Promise<Store> {
  return Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(seed)) });
}

function serverOf(number: number): Caller & { readonly ownerId: string } {
  const [tokenId, serverId] = [`tok_${number}` as Id<"tok">, `srv_${number}` as Id<"srv">];
  return { kind: "server", tokenId, ownerId: "acc_1", serverId, ecosystemId: "eco_1" };
}

/** A stream of a server with that number, what it sent, and how often its credential was looked at. */
async function follow(number: number) {
  const caller = serverOf(number);
  const observed = { text: "", looks: 0, hasEnded: false };
  const stream: EventStream = await streams.open(caller, ASKED, async () => {
    observed.looks += 1;
    return caller;
  });
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    observed.text += text;
  });
  stream.on("end", () => {
    observed.hasEnded = true;
  });
  return observed;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle(1);
}

it("an event of another node without a notification is sent within a second", async () => {
  await using _watch = LogWatch.start({ store, clock, log: silentLog, notifier });
  await using other = await openStore(2);
  const [one, two] = [await follow(1), await follow(2)];
  await until(() => one.text !== "" && two.text !== "");
  await other.write("eco_1", async (tx) => tx.append({ type: "zone.created", data: { id: "zon_1" } }));
  await clock.advance(1_000);
  await until(() => one.text.includes("zone.created") && two.text.includes("zone.created"));
});

it("the end of a token makes only its own streams look who follows them", async () => {
  const [one, two] = [await follow(1), await follow(2)];
  revocations.tell({ kind: "token", tokenId: "tok_1", subjectId: "srv_1" });
  await until(() => one.looks === 1);
  await settle(5);
  expect(two.looks).toBe(0);
});

it("a node that cannot know what a credential carries ends every stream, and takes new ones when it can", async () => {
  const [one, two] = [await follow(1), await follow(2)];
  streams.endAll();
  await until(() => one.hasEnded && two.hasEnded);
  const again = await follow(1);
  await store.write("eco_1", async (tx) => tx.append({ type: "zone.created", data: { id: "zon_1" } }));
  await until(() => again.text.includes("zone.created"));
});
