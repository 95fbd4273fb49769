/** Handshakes are let in at a bounded rate, and a refused hub learns when there will be room. */
import { Backoff, seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { HandshakeBucket } from "./admission.ts";

it("lets in a burst, then so many a second", () => {
  const bucket = new HandshakeBucket(100, 50, 0);
  const admitted = (now: number, tries: number) =>
    Array.from({ length: tries }, () => bucket.take(now)).filter(({ kind }) => kind === "admitted").length;
  expect(admitted(0, 500)).toBe(50);
  expect(admitted(100, 500)).toBe(10);
  expect(admitted(100_000, 500)).toBe(50);
});

it("sends those it refuses to places one after another, a minute at most", () => {
  const bucket = new HandshakeBucket(100, 100, 0);
  const waits = Array.from({ length: 10_000 }, () => bucket.take(0)).flatMap((each) =>
    each.kind === "refused" ? [each.retryAfter] : [],
  );
  expect(waits[0]).toBe(1);
  expect(waits[250]).toBe(3);
  expect(Math.max(...waits)).toBe(60);
  // There is not room for all in a minute: they share it evenly.
  const perSecond = Map.groupBy(waits, (seconds) => seconds);
  expect(perSecond.size).toBe(60);
  expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThanOrEqual(200);
});

it.each([
  { hubs: 10_000, nodes: 3, each: 50, within: 75 },
  { hubs: 10_000, nodes: 1, each: 600, within: 25 },
  { hubs: 100_000, nodes: 3, each: 200, within: 215 },
])(
  "$hubs hubs that come after 5 s without a service are in within $within s, where $nodes nodes let in $each a second",
  ({ hubs, nodes, each, within }) => {
    expect(secondsUntilAllAreIn(hubs, nodes, each)).toBeLessThanOrEqual(within);
  },
);

it("lets in no hub while there is too much to do, and then those that come", () => {
  const bucket = new HandshakeBucket(100, 100, 0);
  const kinds = [24, 25, 40, 24].map((underWay) => bucket.take(0, { underWay, done: 0 }).kind);
  expect(kinds).toEqual(["admitted", "refused", "refused", "admitted"]);
});

it("while there is too much to do, gives places as far apart as hubs are really done with", () => {
  const bucket = new HandshakeBucket(100, 100, 0);
  const last = (now: number, done: number, hubs: number) => {
    const given = Array.from({ length: hubs }, () => bucket.take(now, { underWay: 25, done }));
    const admission = given.at(-1);
    return admission?.kind === "refused" ? admission.retryAfter : 0;
  };
  // At first it cannot be known.
  expect(last(0, 0, 100)).toBe(1);
  // 20 a second: a hundred more are five seconds more.
  expect(last(1_000, 20, 100)).toBe(5);
  // When it is done with all, hubs are let in as they come.
  expect(bucket.take(6_000, { underWay: 5, done: 120 }).kind).toBe("admitted");
});

it("10000 hubs that come after 5 s without a service are in within 60 s, and none waits in vain, where a node could let in 600 a second and does 230", () => {
  const { seconds, inVain } = untilAllAreIn({ hubs: 10_000, nodes: 1, each: 600, done: 230 });
  expect(seconds).toBeLessThanOrEqual(60);
  expect(inVain).toBe(0);
});

/** When nothing but the door takes any time. */
function secondsUntilAllAreIn(hubs: number, nodes: number, each: number): number {
  return untilAllAreIn({ hubs, nodes, each, done: Number.POSITIVE_INFINITY }).seconds;
}

/** A crowd that is not in by then is taken not to get in, ms. */
const LONGEST_MS = 300_000;
/** How long a hub is waited for, or waits, behind the door, ms. */
const PATIENCE_MS = 5_000;

/** A node that does so many hubs a second, one after another. */
class Node {
  readonly door: HandshakeBucket;
  readonly #waiting: { readonly hub: Backoff; readonly since: number }[] = [];
  readonly #perMs: number;
  #may = 0;
  #done = 0;

  constructor(each: number, perSecond: number, now: number) {
    this.door = new HandshakeBucket(each, each, now);
    this.#perMs = perSecond / 1000;
  }

  take(hub: Backoff, now: number) {
    const admission = this.door.take(now, { underWay: this.#waiting.length, done: this.#done });
    if (admission.kind === "admitted") this.#waiting.push({ hub, since: now });
    return admission;
  }

  /** What a millisecond brings: how many are in, and which have waited in vain. */
  work(now: number): { readonly stored: number; readonly inVain: readonly Backoff[] } {
    this.#may += this.#perMs;
    const turn = this.#waiting.splice(0, Math.floor(this.#may));
    // Time in which no hub waits is not saved up.
    this.#may = this.#waiting.length === 0 ? 0 : this.#may - turn.length;
    this.#done += turn.length;
    const inVain = turn.filter(({ since }) => now - since > PATIENCE_MS).map(({ hub }) => hub);
    return { stored: turn.length - inVain.length, inVain };
  }
}

interface ComingBack {
  readonly hubs: number;
  readonly nodes: number;
  /** How many a node may let in a second. */
  readonly each: number;
  /** How many it is done with a second. */
  readonly done: number;
}

/** What agents do by their backoff, doors by their buckets, and nodes by their speed. */
function untilAllAreIn({ hubs, nodes, each, done }: ComingBack): { seconds: number; inVain: number } {
  const downMs = 5_000;
  const random = seededRandom(1);
  const all = Array.from({ length: nodes }, () => new Node(each, done, downMs));
  const policy = { firstMs: 1_000, capMs: 60_000, stableMs: 60_000 };
  const coming = new Map([[0, Array.from({ length: hubs }, () => new Backoff(policy, random))]]);
  const comesAgain = (at: number, hub: Backoff) => {
    const ms = Math.ceil(at);
    const others = coming.get(ms);
    if (others) others.push(hub);
    else coming.set(ms, [hub]);
  };
  let [turn, left, now, inVain] = [0, hubs, 0, 0];
  for (; left > 0 && now < LONGEST_MS; now += 1) {
    for (const hub of coming.get(now) ?? []) {
      const admission = now < downMs ? undefined : all[turn++ % nodes]?.take(hub, now);
      if (admission?.kind === "admitted") continue;
      comesAgain(now + 1 + hub.next(0, (admission?.retryAfter ?? 0) * 1_000), hub);
    }
    coming.delete(now);
    for (const node of all) {
      const worked = node.work(now);
      left -= worked.stored;
      inVain += worked.inVain.length;
      for (const hub of worked.inVain) comesAgain(now + 1 + hub.next(0), hub);
    }
  }
  return { seconds: (now - downMs) / 1_000, inVain };
}
