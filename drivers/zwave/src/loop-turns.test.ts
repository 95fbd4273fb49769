import { LONGEST_TURN_MS, longestTurn } from "@porchlight/driver-kit/turn-meter.fixture.ts";
import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import type { OpenServer } from "./server/ws-socket.ts";
import { ZwaveHome } from "./zwave-home.fixture.ts";

const MEBIBYTE = 1024 * 1024;
const GREETING = {
  ...{ type: "version", driverVersion: "15.29.0", serverVersion: "3.10.2" },
  ...{ homeId: 1, minSchemaVersion: 0, maxSchemaVersion: 50 },
};

/**
 * A server that answers `start_listening` with `result`, and sends `events` after it. The text of an answer is made once, in one piece, as
 * a socket delivers it: making it is no work of the driver, so it must not count in the rounds after the first.
 */
function serverOf(result: string, events: readonly string[]): OpenServer {
  const answers = new Map<string, string>();
  return async ({ text, pong }) => {
    text(JSON.stringify(GREETING));
    return {
      send: (asked) => {
        const { messageId, command } = JSON.parse(asked);
        const found = command === "start_listening" ? result : "{}";
        const made = () => flat(`{"type":"result","success":true,"messageId":"${messageId}","result":${found}}`);
        if (!answers.has(asked)) answers.set(asked, made());
        text(answers.get(asked) ?? "");
        if (command === "start_listening") for (const event of events) text(event);
      },
      ping: pong,
      close: () => undefined,
    };
  };
}

const flat = (text: string) => Buffer.from(text).toString();

function stateOf(nodes: readonly unknown[]): string {
  return JSON.stringify({ state: { controller: { homeId: 1, status: 0 }, nodes } });
}

function nodeOf(nodeId: number, values: number, value: (at: number) => unknown = configuration) {
  const about = { label: "x".repeat(200), name: `node ${nodeId}` };
  return {
    nodeId,
    status: 4,
    ready: true,
    isListening: true,
    ...about,
    values: Array.from({ length: values }, (_, at) => value(at)),
  };
}

function configuration(at: number) {
  return {
    ...{
      endpoint: 0,
      commandClass: 112,
      commandClassName: "Configuration",
      property: at,
      propertyName: `p${at}`,
      ccVersion: 4,
    },
    metadata: {
      type: "number",
      readable: true,
      writeable: true,
      min: 0,
      max: 99,
      label: "x".repeat(60),
      states: { 0: "a", 1: "b" },
    },
    value: 1,
  };
}

const sensor = (at: number) => ({
  ...{
    endpoint: at % 100,
    commandClass: 49,
    commandClassName: "Multilevel Sensor",
    property: `Air temperature ${at}`,
    ccVersion: 11,
  },
  metadata: { type: "number", readable: true, writeable: false, unit: "°C", ccSpecific: { sensorType: 1, scale: 0 } },
  value: 20,
});
const range = (length: number) => Array.from({ length }, (_, at) => at);
const event = (more: object) => JSON.stringify({ type: "event", event: { source: "node", nodeId: 2, ...more } });

const HOSTILE: readonly (readonly [string, () => string, readonly string[]])[] = [
  ["a network of 100 nodes with 5 MB", () => stateOf(range(100).map((at) => nodeOf(at + 2, 230))), []],
  ["1,000 nodes", () => stateOf(range(1000).map((at) => nodeOf(at + 2, 10, sensor))), []],
  ["nodes with very many values", () => stateOf(range(5).map((at) => nodeOf(at + 2, 5000))), []],
  ["nodes with very many sensors", () => stateOf(range(5).map((at) => nodeOf(at + 2, 5000, sensor))), []],
  ["a list of very many numbers", () => `{"state":{"nodes":[${"0,".repeat(4 * MEBIBYTE)}0]}}`, []],
  ["very many values that are none", () => stateOf([nodeOf(2, 5000, () => ({ metadata: {}, value: [{}] }))]), []],
  ["no JSON", () => "[".repeat(MEBIBYTE), []],
  ["a text without an end", () => `"${"x".repeat(4 * MEBIBYTE)}`, []],
  [
    "5,000 events at once",
    () => stateOf([nodeOf(2, 200, sensor)]),
    range(5000).map((at) => {
      const { metadata: _, ...id } = sensor(at % 200);
      return event({ event: "value updated", args: { ...id, newValue: at } });
    }),
  ],
  [
    "events that make no sense",
    () => stateOf([nodeOf(2, 200)]),
    [
      ...range(2000).map(() => event({ event: "value updated", args: { newValue: [{}] } })),
      event({ event: "ready", nodeState: nodeOf(2, 5000) }),
      `{"type":"event","event":{${range(200_000).map((at) => `"k${at}":${at}`)}}}`,
      "{".repeat(MEBIBYTE),
    ],
  ],
];

describe("no turn of the loop is long", () => {
  test.for(HOSTILE)("while a server sends %s", async ([, result, events]) => {
    const open = serverOf(result(), events.map(flat));
    const most = await longestTurn(async () => {
      await using home = new ZwaveHome();
      await home.start({ open });
      await settle(1000);
      await home.pass(5000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });
});
