/** The world of the driver for the judge: a board in memory, and others beside it. */

import type { DriverWorld, Stage } from "../../../agent/src/drivers/kit/judge/world.suite.ts";
import { driverKit } from "../../../agent/src/drivers/packages/driver-kit.ts";
import { BOARD, FakeBoard } from "./fake-board.fixture.ts";
import { relayDriver } from "./relay-driver.ts";

const ON = { service: "Switch", index: "0", property: "on" };

export function relayWorld({ clock, fakeClock, random }: Stage): DriverWorld {
  const board = new FakeBoard(fakeClock);
  const boards = [board];
  return {
    make: (host) => {
      const places = boards.map(({ connect, edgeId }) => ({ name: `${edgeId}.home:5040`, connect }));
      return relayDriver(places, { host, clock, random, kit: driverKit });
    },
    device: BOARD,
    property: ON,
    touched: () => board.touched,
    actual: () => board.outputs[0] ?? null,
    silence: () => {
      board.answers = false;
    },
    speak: () => {
      board.answers = true;
    },
    slow: (ms) => {
      board.delayMs = ms;
    },
    cut: () => board.cut(),
    mend: () => {
      board.isThere = true;
    },
    change: (value) => board.press(value === true),
    tries: () => board.tries,
    held: () => boards.reduce((sum, { held }) => sum + held, 0),
    leftAside: ["notUnderstood"],
    crowd: (count) =>
      Array.from({ length: count }, (_, at) => {
        const other = new FakeBoard(fakeClock, `02-1B-44-00-01-${at.toString(16).padStart(2, "0").toUpperCase()}`);
        boards.push(other);
        const silence = () => {
          other.answers = false;
        };
        return { edgeId: other.edgeId, property: ON, silence };
      }),
    refuse: () => {
      board.refuses = true;
    },
    floods: {
      reports: () => flood(10_000, (at) => board.say(`OUT 1 ${at % 2 === 0 ? "ON" : "OFF"}`)),
      garbage: () => flood(1000, (at) => board.say(["OUT 99", "GET / HTTP/1.1", "\u0000"][at % 3] ?? "")),
    },
  };
}

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}
