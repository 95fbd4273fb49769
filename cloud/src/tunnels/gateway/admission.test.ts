/** Handshakes are let in at a bounded rate, and whoever is not is told when there will be room. */
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

/** What agents do by their backoff, and doors by their buckets, when nothing else takes any time. */
function secondsUntilAllAreIn(hubs: number, nodes: number, each: number): number {
  const downMs = 5_000;
  const random = seededRandom(1);
  const doors = Array.from({ length: nodes }, () => new HandshakeBucket(each, each, downMs));
  const policy = { firstMs: 1_000, capMs: 60_000, stableMs: 60_000 };
  const coming = new Map([[0, Array.from({ length: hubs }, () => new Backoff(policy, random))]]);
  const comesAgain = (at: number, hub: Backoff) => {
    const ms = Math.ceil(at);
    const others = coming.get(ms);
    if (others) others.push(hub);
    else coming.set(ms, [hub]);
  };
  let [turn, left, now] = [0, hubs, 0];
  for (; left > 0; now += 1) {
    for (const hub of coming.get(now) ?? []) {
      const admission = now < downMs ? undefined : doors[turn++ % nodes]?.take(now);
      if (admission?.kind === "admitted") left -= 1;
      else comesAgain(now + 1 + hub.next(0, (admission?.retryAfter ?? 0) * 1_000), hub);
    }
    coming.delete(now);
  }
  return (now - downMs) / 1_000;
}
