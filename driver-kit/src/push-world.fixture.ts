/** The world of the smallest driver for the judge, and an example of one: a bus in memory, and plugs behind it. */
import type { DriverWorld, RawCase, RawKind, Stage } from "./judge/world.suite.ts";
import { PushBus } from "./push-bus.fixture.ts";
import { LEVEL, ON, PRESS, pushDriver } from "./push-driver.fixture.ts";

export const PLUG = "02-00-00-00-00-31";

/** What the plugs are not judged on. */
export const PUSH_EXCUSES = {
  secrets: "a bus in memory has no settings",
  things: "a plug has one relay",
} as const;

const RAW: readonly (readonly [RawKind, string, RawCase["value"]])[] = [
  ["no value", '{"level":null}', null],
  ["no value", '{"on":null}', null],
  ["member left out", '{"level":204}', 80],
  ["word for no value", '{"level":"unavailable"}', null],
  ["word for no value", '{"on":"unknown"}', null],
  ["not a number", '{"level":NaN}', null],
  ["number as text", '{"level":"51"}', 20],
  ["protocol marker", '{"level":65535}', null],
  ["excess of rounding", '{"level":256}', 100],
  ["share out of range", '{"level":-20}', null],
  ["unlisted word", '{"on":"half"}', null],
];

export function pushWorld({ clock, fakeClock, random }: Stage): DriverWorld {
  const bus = new PushBus(fakeClock);
  bus.add(PLUG);
  const plug = bus.plug(PLUG);
  const say = (what: unknown) => {
    if (!plug.isSilent) bus.say(PLUG, JSON.stringify(what));
  };
  /** Says each of so many texts, and gives how many. */
  const flood = (many: number, text: (at: number) => string) => {
    for (let at = 0; at < many; at++) bus.say(PLUG, text(at));
    return many;
  };
  return {
    make: (host) => pushDriver({ bus, host, clock, random }),
    device: PLUG,
    property: ON,
    touched: () => plug.touched,
    actual: () => plug.on,
    silence: () => {
      plug.isSilent = true;
    },
    speak: () => {
      plug.isSilent = false;
    },
    slow: (ms) => {
      bus.delayMs = ms;
    },
    cut: () => bus.cut(),
    mend: () => {
      bus.isThere = true;
    },
    change: (value) => {
      plug.on = value;
      say({ on: value });
    },
    tries: () => bus.tries,
    held: () => bus.held,
    leftAside: ["notJson", "tooLong", "wrongType"],
    crowd: (count) =>
      Array.from({ length: count }, (_, at) => {
        const edgeId = `02-00-00-00-01-${at.toString(16).padStart(2, "0").toUpperCase()}`;
        bus.add(edgeId);
        const silence = () => {
          bus.plug(edgeId).isSilent = true;
        };
        return { edgeId, property: ON, silence };
      }),
    event: { property: PRESS, values: ["press", "release", "double", "long"], happen: (event) => say({ event }) },
    refuse: () => {
      bus.refuses = true;
    },
    repeat: () => say({ on: plug.on }),
    sampleEarly: () => {
      bus.samplesEarly = true;
    },
    rawValues: {
      cases: RAW.map(([kind, raw, value]) => ({
        kind,
        raw,
        property: raw.includes("on") ? ON : LEVEL,
        before: raw.includes("on") ? true : 40,
        sendBefore: () => say({ on: true, level: 102 }),
        send: () => bus.say(PLUG, raw),
        value,
      })),
      cannot: { "measured out of range": "a plug measures nothing" },
    },
    floods: {
      reports: () => flood(10_000, (at) => JSON.stringify({ level: at % 100 })),
      garbage: () => flood(1000, (at) => ["{", "[1]", '{"x":1}'][at % 3] ?? ""),
      "long messages": () => flood(10, () => "x".repeat(1024 * 1024)),
    },
  };
}
