/** The world of a driver of lines for the judge: one line in memory, and a node at its end. */
import type { DriverWorld, MakeDriver, RawKind, Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import type { Value } from "@porchlight/shared/model";
import type { ByteLink } from "@porchlight/shared/wire";
import { SWITCH } from "./hub-and-node.fixture.ts";
import { linkDriver } from "./link-driver.ts";
import { LINE_ASIDE, ReportingNode } from "./reporting-node.fixture.ts";
import { HUB, LAMP } from "./scripted-node.fixture.ts";

const LEVEL = { service: "LightLevel", index: "0", property: "level" };
const RAW: readonly (readonly [RawKind, string, Value, Value])[] = [
  ["no value", "Switch.on", null, null],
  ["no value", "LightLevel.level", null, null],
  ["excess of rounding", "LightLevel.level", 100.3, 100],
  ["excess of rounding", "LightLevel.level", -0.2, 0],
  ["share out of range", "LightLevel.level", 130, null],
  ["share out of range", "LightLevel.level", -5, null],
  ["unlisted word", "Switch.on", "half", null],
  ["unlisted word", "LightLevel.level", "51", null],
  ["unlisted word", "LightLevel.level", true, null],
];

/** A place at which a node is plugged in, and what the hub has opened there. */
export class LinePlace {
  isThere = true;
  tries = 0;
  held = 0;
  readonly #far: ReportingNode;

  constructor(far: ReportingNode) {
    this.#far = far;
  }

  readonly connect = async (): Promise<ByteLink> => {
    this.tries += 1;
    if (!this.isThere) throw new Error("there is no such line");
    const [hub, far] = memoryLinkPair();
    this.held += 1;
    this.#far.node.attach({
      ...{ write: (bytes) => far.write(bytes), close: () => far.close() },
      listen: (onBytes, onClosed) =>
        far.listen(onBytes, (why) => {
          this.held -= 1;
          onClosed(why);
        }),
    });
    return hub;
  };

  cut(): void {
    this.isThere = false;
    this.#far.node.detach();
  }
}

/** What all lines of the device protocol have in common. */
export function handsOfNode(far: ReportingNode) {
  return {
    device: LAMP,
    property: SWITCH,
    leftAside: LINE_ASIDE,
    touched: () => far.touched,
    actual: () => far.actual,
    silence: () => {
      far.isSilent = true;
    },
    speak: () => {
      far.isSilent = false;
    },
    slow: (ms) => {
      far.delayMs = ms;
    },
    refuse: () => {
      far.refuses = true;
    },
    change: (value) => far.change(value),
    event: {
      property: { service: "Button", index: "0", property: "event" },
      values: ["press", "release", "double", "long"],
      happen: (value) => far.happen(value),
    },
    repeat: () => far.tell("Switch.on", far.actual),
    sampleEarly: () => {
      far.samplesEarly = true;
    },
    rawValues: {
      cases: RAW.map(([kind, name, value, read]) => ({
        kind,
        raw: `${name} ${JSON.stringify(value)}`,
        property: name === "Switch.on" ? SWITCH : LEVEL,
        before: name === "Switch.on" ? true : 40,
        sendBefore: () => far.tell(name, name === "Switch.on" ? true : 40),
        send: () => far.tell(name, value),
        value: read,
      })),
      cannot: {
        "member left out": "a report names one property and has its value",
        "word for no value": "null is no value, and a text is no number",
        "not a number": "CBOR of the protocol has no NaN and no infinity",
        "number as text": "a value has the type that the device describes",
        "protocol marker": "null is no value, and every number is one",
        "measured out of range": "the node measures nothing",
      },
    },
    things: {
      ...{ device: LAMP, service: "Switch", property: "on", ids: ["0", "1", "2"] },
      have: (ids) => far.describeSwitches(ids.map(Number)),
      commanded: () =>
        far.node.got("WRITE").flatMap(({ service, index }) => (service === "Switch" ? [String(index)] : [])),
    },
    floods: {
      reports: () => far.floodReports(),
      garbage: () => far.floodGarbage(),
      "long messages": () => far.floodLong(),
    },
  } satisfies Partial<DriverWorld>;
}

/** What a line of the machine itself is not judged on. */
export const LINE_EXCUSES = {
  secrets: "a line has no settings but its name",
  backoff: "a port that is not there is looked for four times a second, which is a look at a file and no network",
} as const;

/** @param make of the driver on the line; a bare one when left out */
export function lineWorld(stage: Stage, make?: (connect: () => Promise<ByteLink>) => MakeDriver): DriverWorld {
  const { clock, random, log, fakeClock } = stage;
  const far = new ReportingNode(fakeClock);
  const line = new LinePlace(far);
  const { connect } = line;
  const bare: MakeDriver = (host) => linkDriver({ name: "memory", connect, clock, random, log, host, hubEdgeId: HUB });
  return {
    ...handsOfNode(far),
    make: make ? make(connect) : bare,
    cut: () => line.cut(),
    mend: () => {
      line.isThere = true;
    },
    tries: () => line.tries,
    held: () => line.held,
    crowd: (count) => far.bridge(count),
  };
}
