/** The connection over real sockets, and what it takes of bytes that come in any pieces. */
import { openNetworkLink } from "@porchlight/driver-kit/links";
import { systemClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { PLUG } from "../devices.fixture.ts";
import { EspHomeServer } from "../esphome-server.fixture.ts";
import { KEY } from "../esphome-world.fixture.ts";
import { FakeEspHome, type FakeOptions } from "../fake-esphome.fixture.ts";
import { EspHomeChannel } from "./esphome-channel.ts";
import { type ApiMessage, NoiseFrames, noiseFrame, PlaintextFrames, plaintextFrame, WireProblem } from "./frames.ts";
import { askIntroduction, serverHello } from "./noise.ts";

const { signal } = new AbortController();
const text = (type: number, words: string): ApiMessage => ({ type, body: Buffer.from(words) });
const asText = ({ type, body }: ApiMessage) => `${type} ${body.toString()}`;

describe("frames", () => {
  const messages = [text(1, "hello"), text(300, ""), text(21, "x".repeat(300))];

  test("are the same in any pieces", () => {
    const bytes = Buffer.concat(messages.map(plaintextFrame));
    for (const size of [1, 2, 7, bytes.length]) {
      const frames = new PlaintextFrames(() => undefined);
      const heard: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        heard.push(...frames.push(bytes.subarray(at, at + size)).map(asText));
      expect(heard).toEqual(messages.map(asText));
    }
  });

  test("that are too large are passed over and counted, and what follows is heard", () => {
    const bytes = Buffer.concat([plaintextFrame(text(9, "x".repeat(70_000))), plaintextFrame(text(1, "hello"))]);
    for (const size of [1000, bytes.length]) {
      let tooLarge = 0;
      const frames = new PlaintextFrames(() => {
        tooLarge += 1;
      });
      const heard: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        heard.push(...frames.push(bytes.subarray(at, at + size)).map(asText));
      expect([tooLarge, heard]).toEqual([1, ["1 hello"]]);
    }
  });

  test.for([
    ["needs_key", "0100"],
    ["bad_bytes", "02"],
    ["bad_bytes", "00ffffffffffff"],
  ] as const)("in plain text that are none end the connection: %s", ([kind, hex]) => {
    const push = () => new PlaintextFrames(() => undefined).push(Buffer.from(hex, "hex"));
    expect(push).toThrow(expect.objectContaining({ kind }));
  });

  test.for([
    ["no_encryption", "00"],
    ["bad_bytes", "48545450"],
  ] as const)("with encryption that are none end the connection: %s", ([kind, hex]) => {
    expect(() => new NoiseFrames().push(Buffer.from(hex, "hex"))).toThrow(expect.objectContaining({ kind }));
  });

  test("of the handshake are the same in any pieces", () => {
    const frames = new NoiseFrames();
    const heard = [...noiseFrame(Buffer.from("abc"))].flatMap((byte) => frames.push(Buffer.from([byte])));
    expect(heard.map(String)).toEqual(["abc"]);
  });
});

test("what a device says of itself before it has seen the key is taken only when it makes sense", () => {
  expect(serverHello(Buffer.from("\u0001kitchen\0aabbcc000001\0"))).toEqual({ name: "kitchen", mac: "aabbcc000001" });
  expect(serverHello(Buffer.from("\u0001kitchen\0"))).toEqual({ name: "kitchen", mac: undefined });
  expect(serverHello(Buffer.from("\u0001\0not an address"))).toEqual({ name: undefined, mac: undefined });
  expect(() => serverHello(Buffer.from([2]))).toThrow(WireProblem);
});

describe("a connection over a real socket", () => {
  const counters = { tooLarge: 0, notUnderstood: 0, tooFast: 0, tooManyEntities: 0 };

  async function connected(options: FakeOptions, key?: string): Promise<EspHomeChannel> {
    await using server = await EspHomeServer.start(new FakeEspHome(PLUG, systemClock, options));
    const { host, port } = server.endpoint;
    const link = await openNetworkLink(systemClock, { address: host, port }, signal);
    const deps = { clock: systemClock, counters, clientName: "test", key: key && Buffer.from(key, "base64") };
    const channel = await EspHomeChannel.over({ ...deps, key: deps.key || undefined }, link, signal);
    channel.close();
    return channel;
  }

  test.for([
    ["in plain text", {}, undefined],
    ["encrypted", { key: KEY }, KEY],
    ["with older firmware", { key: KEY, api: [1, 9] }, KEY],
  ] as const)("is set up %s", async ([, options, key]) => {
    const { info, entities } = await connected(options, key);
    expect([info.mac, entities.length]).toEqual(["AA:BB:CC:00:00:01", PLUG.length]);
    expect(entities[0]).toMatchObject({ type: "switch", objectId: "switch", traits: { deviceClass: "outlet" } });
  });

  test.for([
    ["needs_key", { key: KEY }, undefined],
    ["wrong_key", { key: KEY }, Buffer.alloc(32, 7).toString("base64")],
    ["no_encryption", {}, KEY],
    ["api_version", { api: [3, 0] }, undefined],
  ] as const)("that cannot be set up ends by name: %s", async ([kind, options, key]) => {
    await expect(connected(options, key)).rejects.toMatchObject({ kind });
  });

  test("that the device closes at once ends by name", async () => {
    const device = new FakeEspHome(PLUG, systemClock);
    device.mostConnections = 0;
    await using server = await EspHomeServer.start(device);
    const { host, port } = server.endpoint;
    const link = await openNetworkLink(systemClock, { address: host, port }, signal);
    const setUp = EspHomeChannel.over({ clock: systemClock, counters, clientName: "test" }, link, signal);
    await expect(setUp).rejects.toMatchObject({ kind: "refused_at_once" });
  });

  test("to a device without its key reports who it is", async () => {
    await using server = await EspHomeServer.start(new FakeEspHome(PLUG, systemClock, { key: KEY }));
    const { host, port } = server.endpoint;
    const link = await openNetworkLink(systemClock, { address: host, port }, signal);
    expect(await askIntroduction(link, signal)).toEqual({ name: "kitchen", mac: "aabbcc000001" });
  });
});
