/**
 * A consumer that is cut off at random, again and again, against a cloud that is killed at random: from its stream alone it has
 * rebuilt, at the end, exactly what the cloud has. No event is missing, none comes twice, and none out of order.
 */
import { type Random, seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Fold } from "../parts/fold.ts";
import { Home, type Item } from "../parts/home.ts";
import { rawStream } from "../parts/raw-stream.ts";
import { rounds } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";

const SEED = 7;
const DEVICES = 4;
/** Ends a test that hangs, ms. */
const HANG = 600_000;

let home: Home;
let token: string;
beforeAll(async () => {
  home = await Home.start();
  const server = await home.api.good<{ id: string }>("POST", "/api/servers", {});
  const tokens = await home.api.good<{ items: { token: string }[] }>("GET", `/api/servers/${server.id}/tokens`);
  token = tokens.items[0]?.token ?? "";
});
afterAll(() => home[Symbol.asyncDispose]());

class WrongEvent extends Error {}

function backAgain(): Promise<boolean> {
  return eventually("the cloud is back", async () => (await home.api.call("GET", "/healthz")).status === 200);
}

/** Follows the stream over as many connections as it takes, each cut off after a few events or in the middle of one. */
class Consumer {
  readonly #random: Random;
  readonly #ended = new AbortController();
  fold: Fold | undefined;
  /** Connections that have sent an event, and were then cut off. */
  cuts = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Settles at the end. @throws WrongEvent when an event is missing, or comes twice */
  async run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const before = this.fold?.sequence;
      try {
        await this.#connection();
      } catch (error) {
        // Connections break here; the events that they have sent do not.
        if (error instanceof WrongEvent) throw error;
      }
      if (this.fold?.sequence !== before) this.cuts += 1;
      else await backAgain();
    }
  }

  end(): void {
    this.#ended.abort();
  }

  async #connection(): Promise<void> {
    const cut = new AbortController();
    const signal = AbortSignal.any([cut.signal, this.#ended.signal]);
    const url = `${home.api.base}/api/events${this.fold ? "" : "?snapshot=true"}`;
    let left = Math.floor(this.#random.fraction() * 40);
    for await (const { event, data } of rawStream(url, token, this.fold?.sequence, signal)) {
      if (event === "snapshot") this.fold = Fold.of(data);
      else this.#apply(event, data);
      if (left-- <= 0) cut.abort();
    }
  }

  #apply(type: string, data: Parameters<Fold["apply"]>[0]): void {
    if (type === "reset") throw new WrongEvent("a reset, of a log that keeps everything");
    try {
      this.fold?.apply(data);
    } catch (error) {
      throw new WrongEvent(String(error));
    }
  }
}

/** What the cloud has now. */
async function snapshot(): Promise<Fold> {
  const end = new AbortController();
  const stream = rawStream(`${home.api.base}/api/events?snapshot=true`, token, undefined, end.signal);
  const { value } = await stream.next();
  end.abort();
  // A connection that is ended on purpose breaks.
  await stream.return().catch(() => undefined);
  if (!value) throw new Error("the stream has ended without a snapshot");
  return Fold.of(value.data);
}

/** Virtual devices, and a lamp behind the hub. */
async function properties(): Promise<string[]> {
  const body = { environmentId: home.environmentId, services: [{ service: "LightColor" }] };
  const urls = [home.path(LAMP, "LightColor.hue")];
  while (urls.length <= DEVICES) {
    const { id } = await home.api.good<{ id: string }>("POST", "/api/devices", body);
    urls.push(`/api/devices/${id}/services/LightColor.hue`);
  }
  return urls;
}

test("a consumer rebuilds the cloud's state, however often it is cut off and the cloud is killed", async () => {
  const kills = rounds(2, 40);
  const cuts = rounds(12, 3_000);
  let isWriting = true;
  const write = async (url: string, seed: number) => {
    const random = seededRandom(seed);
    while (isWriting) {
      const value = Math.floor(random.fraction() * 360);
      const answer = await home.api.call("PUT", url, { value }).catch(() => undefined);
      if (!answer) await backAgain();
    }
  };
  const writers = (await properties()).map(write);
  const consumer = new Consumer(seededRandom(SEED));
  const following = consumer.run();
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = eventually("it was cut off often enough", async () => consumer.cuts >= (cuts * kill) / kills, HANG);
    await Promise.race([following, enough]);
    await home.cloud.kill();
    await home.startCloud();
  }
  isWriting = false;
  await Promise.all(writers);

  // Devices go on reporting: a snapshot is compared at the very sequence at which it stands.
  const compared = eventually("it stands where a snapshot does", async () => {
    const taken = await snapshot();
    const reached = await eventually("it has caught up", async () =>
      consumer.fold && consumer.fold.sequence >= taken.sequence ? consumer.fold : undefined,
    );
    return reached.sequence === taken.sequence ? { rebuilt: reached.items, taken: taken.items } : undefined;
  });
  const result = await Promise.race([compared, following]);
  if (!result) return expect.unreachable("it ends only on request");
  expect(result.rebuilt).toEqual(result.taken);
  const all = `/api/environments/${home.environmentId}/services/LightColor.hue`;
  const agreed = eventually("every read value was reported", async () => {
    const { items } = await home.api.good<{ items: Item[] }>("GET", all);
    const changed = items.filter(
      ({ deviceId, value }) => consumer.fold?.items.get(`${deviceId} LightColor:0.hue`) === value,
    );
    return changed.length === items.length ? items : undefined;
  });
  const items = await Promise.race([agreed, following]);
  consumer.end();
  await following;
  expect(items?.length).toBeGreaterThan(DEVICES);
  console.info(`${consumer.cuts} cuts, ${kills} kills, ${consumer.fold?.sequence} events, seed ${SEED}`);
}, 3_600_000);
