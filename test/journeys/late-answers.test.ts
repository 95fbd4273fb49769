/** A device that answers late with former values, and a device whose answer is lost before its hub stands still: real processes on a real pseudo-terminal. */
import { TestBoard } from "@porchlight/firmware-sim/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Home, type Item } from "../parts/home.ts";
import { WAIT_MS } from "../parts/limits.ts";

const DESK_LAMP = "02-50-4C-51-00-0D";
const FILE = `
nodes:
  - edgeId: ${DESK_LAMP}
    devices: [{ edgeId: ${DESK_LAMP}, kind: colour-light }]
`;
/** Longer than the hub stands still: it may still carry out its commands. */
const LEASE_MS = "60000";
const HUE = "LightColor.hue";
/** Shorter than a try of the hub, which lasts 856 ms on this line, and longer than everything else takes here, ms. */
const LATE = "stale 600";

describe("a lamp on a serial line", () => {
  const stack = new AsyncDisposableStack();
  let board: TestBoard;
  let home: Home;
  beforeAll(async () => {
    board = stack.use(await TestBoard.start(FILE, { on: "port" }));
    home = stack.use(await Home.start({ serial: [board.path ?? ""], env: { PORCHLIGHT_LEASE_MS: LEASE_MS } }));
  });
  afterAll(() => stack.disposeAsync());
  afterEach(() => board.device().fault("none"));

  const isShown = (value: number) =>
    eventually(`${value} is shown`, async () => (await home.cached(DESK_LAMP, HUE))?.value === value);
  const refresh = (): Promise<Answer<{ items: Item[] }>> =>
    home.api.call("GET", `${home.path(DESK_LAMP, HUE)}?refresh=true`);
  const writesOf = (value: number) => board.device().writes.filter((write) => write.value === value).length;

  it("that is turned by hand while it is read is shown with its new value, although its VALUE has the old one", async () => {
    await home.put(DESK_LAMP, HUE, 10);
    board.device().fault(LATE);
    const read = board.frame("READ", WAIT_MS);
    const answer = refresh();
    await read;
    board.device().set(HUE, 20);
    expect(await answer).toMatchObject({ status: 200, body: { items: [{ value: 20 }] } });
    await isShown(20);
  });

  it("that is turned by hand while it is set is shown with its new value, although its WRITTEN comes after the report", async () => {
    board.device().fault(LATE);
    const write = board.frame("WRITE", WAIT_MS);
    const answer = home.put(DESK_LAMP, HUE, 30);
    await write;
    const read = board.frame("READ", WAIT_MS);
    board.device().set(HUE, 40);
    expect(await answer).toMatchObject({ status: 200, body: { value: 30 } });
    await read;
    await isShown(40);
  });

  it("whose answer was lost before the hub stood still for nine seconds is set once", async () => {
    board.device().fault("forget 1");
    const write = board.frame("WRITE", WAIT_MS);
    const answer = home.put(DESK_LAMP, HUE, 50, 30);
    await write;
    // ACK leaves after the WRITE has left: the hub's try is timed by then.
    const acknowledged = board.frame("ACK", WAIT_MS);
    board.device().set("Switch.on", board.device().get("Switch.on") !== true);
    await acknowledged;
    home.agent.signal("SIGSTOP");
    await board.frame("HELLO", WAIT_MS);
    await board.frame("HELLO", WAIT_MS);
    const read = board.frame("READ", WAIT_MS);
    home.agent.signal("SIGCONT");
    expect((await answer).status).toBeGreaterThanOrEqual(500);
    await read;
    await isShown(50);
    expect(writesOf(50)).toBe(1);
    expect(await home.put(DESK_LAMP, HUE, 60)).toMatchObject({ status: 200 });
    expect([writesOf(50), writesOf(60)]).toEqual([1, 1]);
  });
});
