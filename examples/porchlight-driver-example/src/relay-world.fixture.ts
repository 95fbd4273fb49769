/** The world of the driver for the judge: a board in memory, and others beside it. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { driverKit } from "@porchlight/driver-kit/driver-kit";
import type { DriverWorld, RawKind, Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Value } from "@porchlight/driver-kit/package-api";
import { BOARD, FakeBoard } from "./fake-board.fixture.ts";
import { relayDriver } from "./relay-driver.ts";

const ON = { service: "Switch", index: "0", property: "on" };

const BARE = "02-1B-44-00-00-02";
/** Outputs that are plugged in, by their serial numbers. */
const PLUGGED = ["A7", "B2", "C9"] as const;

/** The line of a part, its address, its value before, and its value after the line. */
const RAW: readonly (readonly [RawKind, string, string, Value, Value])[] = [
  ["no value", "OUT 1 ?", "Switch:1.on", true, null],
  ["no value", "OUT TEMP ? C", "Temperature:0.celsius", 20, null],
  ["member left out", "OUT TEMP 21.5", "Temperature:0.celsius", 20, null],
  ["word for no value", "OUT BAT unknown", "Battery:0.percent", 50, null],
  ["not a number", "OUT TEMP nan C", "Temperature:0.celsius", 20, null],
  ["number as text", "OUT TEMP 70.7 F", "Temperature:0.celsius", 20, 21.5],
  ["protocol marker", "OUT BAT 255", "Battery:0.percent", 50, null],
  ["excess of rounding", "OUT BAT 254.5", "Battery:0.percent", 50, 100],
  ["share out of range", "OUT BAT 65535", "Battery:0.percent", 50, null],
  ["measured out of range", "OUT TEMP 900 C", "Temperature:0.celsius", 20, 900],
  ["unlisted word", "OUT 1 HALF", "Switch:1.on", true, null],
];

export function relayWorld({ clock, fakeClock, random, log }: Stage): DriverWorld {
  const board = new FakeBoard(fakeClock);
  board.parts = new Map([
    ["TEMP", "20 C"],
    ["BAT", "127"],
  ]);
  const bare = new FakeBoard(fakeClock, BARE);
  bare.outputs.length = 0;
  bare.isThere = false;
  const store = memoryStore();
  const boards = [board];
  return {
    make: (host) => {
      const places = [...boards, bare].map(({ connect, edgeId }) => ({ name: `${edgeId}.home:5040`, connect }));
      return relayDriver(places, { host, clock, random, log, store, kit: driverKit });
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
    repeat: () => board.say(`OUT 0 ${board.outputs[0] ? "ON" : "OFF"}`),
    sampleEarly: () => {
      board.samplesEarly = true;
    },
    rawValues: {
      cases: RAW.map(([kind, raw, address, before, value]) => ({
        ...{ kind, raw, before, value, property: addressIn(address) },
        sendBefore: () => {
          for (const line of ["OUT 1 ON", "OUT TEMP 20 C", "OUT BAT 127"]) board.say(line);
        },
        send: () => board.say(raw),
      })),
      cannot: {},
    },
    things: {
      ...{ device: BARE, service: "Switch", property: "on", ids: PLUGGED },
      have: (ids) => {
        bare.isThere = true;
        bare.have(new Map(ids.map((id) => [id, "OFF"])));
      },
      commanded: () => bare.commanded,
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
