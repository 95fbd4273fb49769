import { attemptOf } from "@porchlight/driver-kit";
import { driverKit } from "@porchlight/driver-kit/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { inAChild, throughChannel } from "../../../agent/src/drivers/child/through-channel.fixture.ts";
import { BOARD, FakeBoard } from "./fake-board.fixture.ts";
import { relayDriver } from "./relay-driver.ts";
import { relayWorld } from "./relay-world.fixture.ts";

const ON = { service: "Switch", index: "0", property: "on" };
const all = { all: true, edgeIds: new Set<string>() };

/** A board, and its driver in a child as a package has it. */
async function withBoard(prepare: (board: FakeBoard) => void = () => undefined) {
  const [clock, host] = [new VirtualClock(), new FakeHost()];
  const board = new FakeBoard(clock);
  prepare(board);
  const child = await throughChannel({ clock, host, admit: all }, (around) =>
    relayDriver([{ name: "board:5040", connect: board.connect }], { ...around, kit: driverKit }),
  );
  await clock.advance(0);
  const attempt = (ms = 10_000, mayTouch = () => true) =>
    attemptOf(clock, { deadline: clock.monotonic() + ms, mayTouch });
  return { clock, host, board, child, attempt, driver: child.driver };
}

const without = {
  events: "every line of a board states what now is",
  secrets: "a board has an address only",
  "flood of long messages": "a connection that sends a longer line than a board does is closed (tcp.ts)",
};

everyDriver("the relay boards of an example", relayWorld, { without });

everyDriver("the relay boards of an example, in a child", relayWorld, { without, through: inAChild });

describe("a relay board", () => {
  test("reports the pressed value when its button is pressed during the first read", async () => {
    const { host } = await withBoard((board) => {
      const say = board.say.bind(board);
      board.say = (line) => {
        say(line);
        if (line === "IS 0 OFF") board.press(true);
      };
    });
    await settle();
    expect(host.learnings.filter(({ index }) => index === "0")).toEqual([]);
    expect(host.reports.map(({ report }) => report)).toEqual([expect.objectContaining({ ...ON, value: true })]);
  });

  test("refuses to switch a locked output, and leaves it as it is", async () => {
    const { board, driver, attempt } = await withBoard();
    board.answers = false;
    const written = driver.write(BOARD, ON, true, attempt());
    await settle();
    board.say("ERR 0");
    expect(await written).toMatchObject({ name: "Device Rejected", outcome: "rejected" });
  });

  test("reports a missing value as no value, also when it is read", async () => {
    const { board, host, driver, attempt, clock } = await withBoard((each) => each.parts.set("TEMP", "70.7 F"));
    const celsius = { service: "Temperature", index: "0", property: "celsius" };
    await clock.advance(0);
    expect(host.valueOf(BOARD, celsius)).toBe(21.5);
    board.parts.set("TEMP", "?");
    expect(await driver.read(BOARD, celsius, attempt())).toEqual({ kind: "value", value: null });
    board.say("OUT TEMP 21.5");
    await clock.advance(0);
    expect(host.valueOf(BOARD, celsius), "without a unit there is no value").toBeNull();
  });

  test("reads only the new parts when parts are plugged in", async () => {
    const { board, host, clock } = await withBoard();
    const before = host.learnings.length;
    board.have(new Map([["A7", "ON"]]));
    await clock.advance(0);
    expect(host.learnings.slice(before)).toEqual([
      expect.objectContaining({ service: "Switch", index: "4", value: true }),
    ]);
  });

  test("identifies itself; without an answer the outcome is unknown", async () => {
    const { driver, attempt, board, clock } = await withBoard();
    const identify = { service: "Identify", index: "0", property: "active" };
    expect(await driver.write(BOARD, identify, true, attempt())).toEqual({ kind: "value", value: true });
    board.answers = false;
    const silent = driver.write(BOARD, identify, true, attempt());
    expect(await clock.until(silent)).toMatchObject({ outcome: "unknown" });
  });

  test("is closed and tried again when its answer is not that of a board", async () => {
    const { host, board, clock, driver } = await withBoard();
    board.cut();
    board.isThere = true;
    board.answers = false;
    await clock.advance(5000);
    board.say("HTTP/1.1 400 Bad Request");
    await clock.advance(5000);
    expect(driver.has(BOARD)).toBe(false);
    board.answers = true;
    await clock.until(host.recorded(`arrived ${BOARD}`, 2));
  });
});
