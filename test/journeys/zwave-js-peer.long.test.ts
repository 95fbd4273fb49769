/** The real zwave-js-server with Z-Wave JS on a simulated stick: that the driver's fake is like it, in all that the driver relies on. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { openByWebSocket } from "@porchlight/driver-zwave/server/ws-socket.ts";
import { ZwaveDriver } from "@porchlight/driver-zwave/zwave-driver.ts";
import { zwaveEdgeId } from "@porchlight/driver-zwave/zwave-home.fixture.ts";
import { silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { ZwaveJs } from "../parts/zwave-js.ts";

/** Only ends a hung test, ms. */
const HOME_ID = 0x7e570001;
const [PLUG, LAMP, LOCK] = [2, 3, 4].map((node) => zwaveEdgeId(node, HOME_ID));
const ON = { service: "Switch", index: "0", property: "on" };

describe("zwave-js-server on a simulated stick", () => {
  const host = new FakeHost(systemClock);
  let peer: ZwaveJs;
  let driver: ZwaveDriver;

  beforeAll(async () => {
    peer = await ZwaveJs.start();
    driver = await ZwaveDriver.start({
      ...{ server: "peer", open: openByWebSocket(peer.url), log: silentLog, host },
      admit: { all: true, edgeIds: new Set([LOCK ?? ""]) },
      ...{ clock: systemClock, random: systemRandom },
    });
    for (const device of [PLUG, LAMP, LOCK]) await host.recorded(`arrived ${device}`);
  });
  afterAll(async () => {
    await driver?.[Symbol.asyncDispose]();
    await peer?.[Symbol.asyncDispose]();
  });

  const attempt = (ms: number) =>
    attemptOf(systemClock, { deadline: systemClock.monotonic() + ms, mayTouch: () => true });
  const write = (device: string | undefined, of: typeof ON, value: Value, ms = 30_000) =>
    driver.write(device ?? "", of, value, attempt(ms));
  const read = (device: string | undefined, of: typeof ON) => driver.read(device ?? "", of, attempt(30_000));

  it("describes its nodes by their kinds, and reports that a lock without encryption is not safe", () => {
    const services = (edgeId: string | undefined) =>
      host.arrivals
        .find((each) => each.edgeId === edgeId)
        ?.description.map(({ service, index }) => `${service}:${index}`);
    expect(services(PLUG)).toEqual(["Switch:0", "Button:1", "Button:2"]);
    expect(services(LAMP)).toEqual(["Switch:0", "LightLevel:0"]);
    expect(services(LOCK)).toEqual(["Lock:0", "Contact:0", "Readings:0"]);
    expect(driver.status()).toMatchObject({ connection: "connected", ignored: {} });
    expect(driver.status().troubles).toMatchObject([{ why: "lock_not_secure", node: 4 }]);
  });

  it("sets values that the node confirms by itself, and values that are read back", async () => {
    expect(await write(LAMP, { service: "LightLevel", index: "0", property: "level" }, 42)).toEqual(value(42));
    expect(await write(LAMP, ON, false)).toEqual(value(false));
    expect(await write(LOCK, { service: "Lock", index: "0", property: "locked" }, true)).toEqual(value(true));
    expect(await write(PLUG, ON, true)).toEqual(value(true));
    expect(await read(PLUG, ON)).toEqual(value(true));
  });

  it("reports an expected value of a plug, which the driver does not take for the plug's own report", async () => {
    await peer.order({ order: "idle", node: 2 });
    const other = await setByAnother(peer.url, 2, false);
    expect(other).toEqual(["targetValue false", "currentValue false"]);
    expect(await read(PLUG, ON)).toEqual(value(true));
    const result = await write(PLUG, ON, false, 2000);
    expect(result).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("has not said") });
    await peer.order({ order: "act", node: 2 });
    expect(await write(PLUG, ON, false)).toEqual(value(false));
  });

  it("reports a plug that is switched by hand, and each press of its button", async () => {
    await peer.order({ order: "switch", node: 2, on: true });
    await host.recorded("reported Switch.on true");
    await peer.order({ order: "press", node: 2, key: 0 });
    await peer.order({ order: "press", node: 2, key: 3 });
    await host.recorded('reported Button.event "double"');
    const presses = host.story.filter((line) => line.startsWith("reported Button"));
    expect(presses).toEqual(['reported Button.event "press"', 'reported Button.event "double"']);
  });

  it("refuses a write to a missing node, and an invalid value, with words and a code", async () => {
    const answers = await asked(peer.url, [
      { command: "node.set_value", nodeId: 99, valueId: SWITCHED, value: true },
      { command: "node.set_value", nodeId: 2, valueId: SWITCHED, value: "yes" },
      { command: "node.poll_value", nodeId: 3, valueId: { ...SWITCHED, property: "currentValue" } },
      { command: "nonsense" },
    ]);
    expect(answers).toMatchObject([
      { success: false, errorCode: "node_not_found" },
      { success: true, result: { result: { status: 5 } } },
      { success: false, errorCode: "zwave_error", zwaveErrorCode: 302 },
      { success: false, errorCode: "unknown_command" },
    ]);
  });

  it("leaves a write to a silent node unknown", async () => {
    await peer.order({ order: "silence", node: 2 });
    expect(await write(PLUG, ON, false, 3000)).toMatchObject({ kind: "failed", outcome: "unknown" });
    await peer.order({ order: "speak", node: 2 });
  });
});

const SWITCHED = { commandClass: 37, endpoint: 0, property: "targetValue" };

function value(now: Value) {
  return { kind: "value", value: now };
}

/** What the server answers to each, on a connection of its own. */
async function asked(url: string, commands: readonly object[]): Promise<object[]> {
  const answers: object[] = [];
  await talk(url, commands, (message) => {
    if (message.type === "result" && Number(message.messageId) >= 0) answers.push(message);
    return answers.length === commands.length;
  });
  return answers;
}

/** Another program sets a switch: the updates that all clients receive at once, before the device could answer. */
async function setByAnother(url: string, nodeId: number, on: boolean): Promise<string[]> {
  const updates: string[] = [];
  await talk(url, [{ command: "node.set_value", nodeId, valueId: SWITCHED, value: on }], (message) => {
    const { event, args } = message.event ?? {};
    if (event === "value updated" && message.event?.nodeId === nodeId)
      updates.push(`${args?.property} ${args?.newValue}`);
    return updates.length === 2;
  });
  return updates;
}

interface Message {
  readonly type: string;
  readonly messageId?: string;
  readonly event?: {
    readonly event: string;
    readonly nodeId?: number;
    readonly args?: { readonly property: unknown; readonly newValue: unknown };
  };
}

/** Sends commands when it listens, and receives until `isEnough`. */
async function talk(url: string, commands: readonly object[], isEnough: (message: Message) => boolean): Promise<void> {
  const socket = new WebSocket(url);
  const enough = Promise.withResolvers<void>();
  socket.once("error", enough.reject);
  socket.on("message", (data) => {
    const message: Message = JSON.parse(String(data));
    if (message.type === "version") {
      send(socket, { messageId: "initialize", command: "initialize", schemaVersion: 50 });
      send(socket, { messageId: "listen", command: "start_listening" });
    } else if (message.messageId === "listen")
      for (const [at, command] of commands.entries()) send(socket, { messageId: String(at), ...command });
    else if (isEnough(message)) enough.resolve();
  });
  await enough.promise.finally(() => socket.close());
}

function send(socket: WebSocket, message: object): void {
  socket.send(JSON.stringify(message));
}
