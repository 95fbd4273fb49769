/** What is kept of a command's request and of its time, in two columns of its row. */
import { expect, it } from "vitest";
import { hopsOf, hopsText, originOf, originText } from "./command-origin.ts";

it("an origin comes back as it was kept; of nothing nothing is kept", () => {
  const origin = { address: "192.0.2.7", requestId: "r-1", idempotencyKey: "k", isReport: true } as const;
  expect(originOf({ origin: originText(origin) })).toEqual(origin);
  expect(originText({ address: undefined })).toBeNull();
  expect(originOf({ origin: null })).toEqual({});
});

it.each([
  [
    "a hub that reports its own time: what is left of the tunnel's is the way there and back",
    { check: 0.42, queue: 1, tunnel: 40, "hub-turn": 1, "hub-journal": 2, "hub-device": 30.06 },
    false,
    "api 1.4, tunnel 6.9, hub 3, device 30.1",
  ],
  ["a hub that does not report it", { check: 1, tunnel: 40 }, false, "api 1, tunnel 40"],
  ["a refusal of the hub, whose device was not asked", { tunnel: 5, "hub-turn": 4 }, false, "api 0, tunnel 1, hub 4"],
  ["another node took the request", { check: 1, queue: 1, tunnel: 5 }, true, "node 2, tunnel 5"],
  ["nothing was sent", { check: 1 }, false, "api 1"],
  ["clocks that differ by a little", { tunnel: 5, "hub-device": 5.2 }, false, "api 0, tunnel 0, device 5.2"],
])("%s", (_name, ms, isElsewhere, expected) => {
  const hops = hopsOf({ hops: hopsText(ms, isElsewhere) });
  expect(hops.map(({ hop, ms: each }) => `${hop} ${each}`).join(", ")).toBe(expected);
});

it("of a command from before hops were kept none are known", () => {
  expect(hopsOf({ hops: null })).toEqual([]);
});
