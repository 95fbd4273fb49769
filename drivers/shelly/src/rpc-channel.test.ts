/** A channel to a fake device behind a real server: questions, digest, notices, and what is left aside. */
import { NotTouched } from "@porchlight/driver-kit";
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";
import { seededRandom, settle, systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { Secret } from "@porchlight/shared/settings";
import { describe, expect, test } from "vitest";
import { RELAYS } from "./captured.fixture.ts";
import { FakeShelly } from "./fake-shelly.fixture.ts";
import {
  authOf,
  challengeOf,
  frameOf,
  LARGEST_FRAME,
  type Notice,
  RpcChannel,
  type RpcChannelDeps,
  Unanswered,
  WrongPassword,
} from "./rpc-channel.ts";
import { ShellyServer } from "./shelly-server.fixture.ts";
import { realNetwork } from "./web-socket.ts";

/** Only ends a hung test, ms. */
const LIMIT_MS = 240_000;
const SOON = { signal: undefined, deadline: Number.POSITIVE_INFINITY };

interface Opened extends AsyncDisposable {
  readonly shelly: FakeShelly;
  readonly server: ShellyServer;
  readonly channel: RpcChannel;
  readonly counters: RpcChannelDeps["counters"];
  readonly notices: Notice[];
  readonly gone: Promise<Error>;
}

/** @param given what the hub has for a password; the right one when left out */
async function opened(password?: string, given = password ?? ""): Promise<Opened> {
  const shelly = new FakeShelly(RELAYS, systemClock, password === undefined ? {} : { password });
  const server = await ShellyServer.start(shelly);
  const counters = { tooLarge: 0, notJson: 0, notUnderstood: 0, unasked: 0 };
  const notices: Notice[] = [];
  const gone = Promise.withResolvers<Error>();
  const deps: RpcChannelDeps = {
    ...{ clock: systemClock, random: seededRandom(1), src: "hub", dst: () => shelly.id, counters },
    ...{ password: given === "" ? undefined : new Secret(given), closed: gone.resolve },
    heard: (notice) => notices.push(notice),
  };
  const { signal } = new AbortController();
  const channel = await RpcChannel.over(deps, (events) => realNetwork.open(server.endpoint, events, signal));
  const end = async () => {
    channel.close();
    await server[Symbol.asyncDispose]();
  };
  return { shelly, server, channel, counters, notices, gone: gone.promise, [Symbol.asyncDispose]: end };
}

const patience = () => ({ deadline: systemClock.monotonic() + LIMIT_MS });

describe("a channel", () => {
  test("asks by its own name and the device's, and is answered", async () => {
    await using one = await opened();
    expect(await one.channel.call("Switch.Set", { id: 0, on: true }, patience())).toEqual({});
    expect(one.shelly.asked).toEqual([
      { id: 1, src: "hub", dst: one.shelly.id, method: "Switch.Set", params: { id: 0, on: true } },
    ]);
    expect(one.shelly.status["switch:0"]).toMatchObject({ output: true });
  });

  test("gets the device's own reports once it has asked something", async () => {
    await using one = await opened();
    one.shelly.change("switch:0", { output: true });
    await one.channel.call("Shelly.GetStatus", {}, patience());
    one.shelly.change("switch:0", { output: false });
    one.shelly.event("input:0", "single_push");
    await one.channel.call("Shelly.GetStatus", {}, patience());
    expect(one.notices.map(({ method }) => method)).toEqual(["NotifyStatus", "NotifyEvent"]);
  });

  test("answers a challenge with the password, once for all questions that follow, and again when the nonce is old", async () => {
    await using one = await opened("open sesame");
    const ask = () => one.channel.call("Shelly.GetConfig", {}, patience());
    for (let time = 0; time < 3; time++) expect(await ask()).toHaveProperty("switch:0");
    expect(one.shelly.asked).toHaveLength(4);
    one.shelly.expireNonce();
    expect(await ask()).toHaveProperty("switch:0");
    expect(one.shelly.asked).toHaveLength(6);
    expect(JSON.stringify(one.shelly.asked)).not.toContain("sesame");
  });

  test.for([
    ["a wrong password", "other", true],
    ["no password", "", false],
  ] as const)("ends with %s, and is not tried again", async ([, given, wasGiven]) => {
    await using one = await opened("open sesame", given);
    const asked = one.channel.call("Shelly.GetConfig", {}, patience());
    await expect(asked).rejects.toMatchObject({ constructor: WrongPassword, wasGiven });
    expect(await one.gone).toBeInstanceOf(WrongPassword);
    expect(one.shelly.asked.length).toBeLessThanOrEqual(2);
    expect(one.channel.isClosed).toBe(true);
  });

  test("reports a refusal with the device's own code", async () => {
    await using one = await opened();
    one.shelly.refuses = true;
    const asked = one.channel.call("Switch.Set", { id: 0, on: true }, patience());
    await expect(asked).rejects.toMatchObject({ code: -103, message: "The device refused: Invalid argument" });
  });

  test("ends open questions when the device loses power, and reports that once", async () => {
    await using one = await opened();
    one.shelly.isSilent = true;
    const asked = one.channel.call("Switch.Set", { id: 0, on: true }, patience());
    const failed = expect(asked).rejects.toBeInstanceOf(Unanswered);
    await one.server[Symbol.asyncDispose]();
    await failed;
    expect((await one.gone).message).toContain("closed the connection");
    await expect(one.channel.call("Shelly.GetStatus", {}, patience())).rejects.toBeInstanceOf(Unanswered);
    await using again = await ShellyServer.start(one.shelly);
    expect(again.endpoint.port).toBeGreaterThan(0);
  });

  test("is refused by a device that has All connections that the device allows, in words", async () => {
    await using one = await opened();
    one.server.mostChannels = 1;
    const events: TextSocketEvents = { text: () => undefined, pong: () => undefined, closed: () => undefined };
    const { signal } = new AbortController();
    await expect(realNetwork.open(one.server.endpoint, events, signal)).rejects.toThrow(
      "All connections that the device allows",
    );
  });

  test("reads a device's introduction, and knows what is none", async () => {
    await using one = await opened("open sesame");
    const { signal } = new AbortController();
    const introduce = () => realNetwork.introduce(one.server.endpoint, signal);
    expect(await introduce()).toMatchObject({ id: one.shelly.id, auth_en: true });
    one.server.introduction = "<html>";
    await expect(introduce()).rejects.toThrow("not a Shelly");
    one.server.introduction = "x".repeat(20_000);
    await expect(introduce()).rejects.toThrow("not a Shelly");
    const nowhere = realNetwork.introduce({ host: "127.0.0.1", port: 1 }, signal);
    await expect(nowhere).rejects.toThrow("ECONNREFUSED");
  });
});

/** A socket of which the test has the other end. */
async function inMemory() {
  const clock = new VirtualClock();
  const counters = { tooLarge: 0, notJson: 0, notUnderstood: 0, unasked: 0 };
  const gone: Error[] = [];
  const sent: string[] = [];
  let [pings, closes] = [0, 0];
  const ends: TextSocketEvents[] = [];
  const socket: TextSocket = {
    send: (text) => void sent.push(text),
    ping: () => {
      pings += 1;
    },
    close: () => {
      closes += 1;
    },
  };
  const deps: RpcChannelDeps = {
    ...{ clock, random: seededRandom(1), src: "hub", dst: () => "shelly", counters, heard: () => undefined },
    closed: (why) => gone.push(why),
  };
  const channel = await RpcChannel.over(deps, async (events) => {
    ends.push(events);
    return socket;
  });
  const [events] = ends;
  if (!events) throw new Error("no socket was opened");
  return { clock, channel, counters, gone, sent, events, pings: () => pings, closes: () => closes };
}

describe("a channel over a socket in memory", () => {
  test("counts by name what makes no sense, and stays", async () => {
    const one = await inMemory();
    const texts = ["{", "[1]", '{"method":"NotifyStatus"}', '{"id":77,"result":{}}', "x".repeat(LARGEST_FRAME + 1)];
    for (const text of texts) one.events.text(text);
    expect(one.counters).toEqual({ tooLarge: 1, notJson: 1, notUnderstood: 2, unasked: 1 });
    expect(one.channel.isClosed).toBe(false);
    one.channel.close();
    expect(one.clock.pending()).toEqual([]);
  });

  test("is gone within 30 s when the device shows no life, and asks for it before", async () => {
    const one = await inMemory();
    await one.clock.advance(15_000);
    one.events.pong();
    await one.clock.advance(29_000);
    expect([one.pings(), one.gone]).toEqual([2, []]);
    await one.clock.advance(1000);
    expect([one.gone.map(({ message }) => message), one.closes()]).toEqual([
      ["the device does not answer any more"],
      1,
    ]);
    expect(one.clock.pending()).toEqual([]);
  });

  test("does not ask without permission, and leaves nothing of it", async () => {
    const one = await inMemory();
    const touch = () => {
      throw new NotTouched();
    };
    await expect(one.channel.call("Switch.Set", {}, SOON, { touch })).rejects.toBeInstanceOf(NotTouched);
    expect(one.sent).toEqual([]);
    one.channel.close();
  });

  test("has a bounded number of open questions", async () => {
    const one = await inMemory();
    const asked = Array.from({ length: 33 }, () => one.channel.call("Switch.Set", {}, { deadline: 1000 }));
    const results = Promise.allSettled(asked);
    await settle();
    expect(one.sent).toHaveLength(32);
    await one.clock.advance(1000);
    const messages = (await results).map((each) => (each.status === "rejected" ? String(each.reason.message) : ""));
    expect(messages[32]).toContain("Too many requests");
    expect(messages[0]).toContain("not answered in time");
    one.channel.close();
  });
});

test("the answer to a challenge repeats its realm and nonce, and hides the password", () => {
  const challenge = challengeOf(
    '{"auth_type":"digest","nonce":1625038762,"nc":1,"realm":"shellypro4pm-f008d1d8b8b8","algorithm":"SHA-256"}',
  );
  expect(challenge && authOf(challenge, "mysecretpassword", 313_273_957)).toMatchObject({
    ...{ username: "admin", nonce: 1_625_038_762, cnonce: 313_273_957, algorithm: "SHA-256" },
    response: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(challengeOf("Unauthorized")).toBeUndefined();
  expect(challengeOf('{"nonce":1,"realm":"x","algorithm":"MD5"}')).toBeUndefined();
});

test.for([
  ['{"id":1,"result":null}', "answer"],
  ['{"src":"s","method":"NotifyFullStatus","params":{}}', "notice"],
  ['{"src":"s","method":"NotifyEvent","params":{"events":[{"component":"input:0"}]}}', "notUnderstood"],
  ["null", "notUnderstood"],
  ["", "notJson"],
] as const)("the text %s is: %s", ([text, kind]) => {
  expect(frameOf(text).kind).toBe(kind);
});
