import { settle } from "@porchlight/shared/kernel";
import { encodeCbor, encodeFrame } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import { DEFINITION, LIGHT, live, plugged, SCRIPTED_HUB_ID, TEST_BUTTON } from "./test-node.fixture.ts";

describe("a node that boots", () => {
  test("announces who it is, what it fronts and what it takes", async () => {
    const { hub, node } = await plugged({ max: 300, win: 3 });
    expect(hub.last("HELLO").info).toEqual({
      v: 1,
      id: DEFINITION.edgeId,
      devices: [LIGHT, TEST_BUTTON],
      boot: node.boot,
      max: 300,
      win: 3,
      mf: "Porchlight",
    });
  });

  test("sends HELLO every second with the same seq, after a minute every ten seconds", async () => {
    const { clock, hub } = await plugged();
    await clock.advance(90_000);
    const times = hub.times("HELLO");
    expect(times.slice(0, 61)).toEqual(Array.from({ length: 61 }, (_, second) => second * 1000));
    expect(times.slice(61)).toEqual([70_000, 80_000, 90_000]);
    expect(new Set(hub.all("HELLO").map(({ seq }) => seq)).size).toBe(1);
  });

  test("sends HELLO no more once it is acknowledged", async () => {
    const { clock, hub, node } = await plugged();
    await hub.acknowledge();
    await clock.advance(4000);
    expect([hub.all("HELLO").length, node.state]).toEqual([1, "live"]);
  });

  test("takes a HELLO_ACK to any HELLO of this boot, and none to a seq that it never used", async () => {
    const { clock, hub, node } = await plugged();
    const first = hub.last("HELLO").seq;
    await hub.say({ type: "HELLO_ACK", seq: (first + 1) & 0xffff, info: { v: 1, hub: SCRIPTED_HUB_ID } });
    expect(node.state).toBe("greeting");
    await hub.acknowledge();
    await hub.say({ type: "WHO", seq: 1 });
    await clock.advance(1000);
    expect(hub.last("HELLO").seq).not.toBe(first);
    await hub.say({ type: "HELLO_ACK", seq: first, info: { v: 1, hub: SCRIPTED_HUB_ID } });
    expect(node.state).toBe("live");
  });

  test("sends nothing but HELLO, PONG and answers until it is acknowledged", async () => {
    const { clock, hub, node } = await plugged();
    node.device(LIGHT).turn("Switch.on", true);
    await hub.say({ type: "PING", seq: 9 });
    await hub.say({ type: "READ", seq: 10, device: 0, service: "Switch", index: 0, property: "on" });
    await clock.advance(20_000);
    expect(new Set(hub.heard.map(({ message }) => message.type))).toEqual(new Set(["HELLO", "PONG", "VALUE"]));
    await hub.acknowledge();
    expect(hub.last("REPORT").value).toBe(true);
  });

  test("counts the seq up by one from message to message", async () => {
    const { clock, hub, node } = await plugged();
    await hub.acknowledge();
    for (const level of [1, 2, 3]) {
      node.device(LIGHT).turn("LightLevel.level", level);
      await clock.advance(250);
      await hub.say({ type: "ACK", seq: hub.last("REPORT").seq });
    }
    const seqs = [...hub.all("HELLO"), ...hub.all("REPORT")].map(({ seq }) => seq);
    expect(seqs.map((seq) => (seq - (seqs[0] ?? 0)) & 0xffff)).toEqual([0, 1, 2, 3]);
  });
});

describe("a node that is asked WHO", () => {
  test("answers with HELLO at once, also while it is live", async () => {
    const { hub, node } = await live();
    await hub.say({ type: "WHO", seq: 0 });
    expect([hub.all("HELLO").length, node.state]).toEqual([1, "greeting"]);
  });

  test("stays in the same boot", async () => {
    const { hub, node } = await live();
    const { boot } = node;
    await hub.say({ type: "WHO", seq: 0 });
    expect(hub.last("HELLO").info.boot).toBe(boot);
  });

  test.each([11, 12])(
    "and was turned away by ERROR %i sends HELLO again only then, or after a minute",
    async (code) => {
      const { clock, hub } = await plugged();
      await hub.say({ type: "ERROR", seq: hub.last("HELLO").seq, code, text: "" });
      await clock.advance(59_999);
      expect(hub.all("HELLO")).toHaveLength(1);
      await clock.advance(1);
      expect(hub.all("HELLO")).toHaveLength(2);
      await hub.say({ type: "ERROR", seq: hub.last("HELLO").seq, code, text: "" });
      await hub.say({ type: "WHO", seq: 0 });
      expect(hub.all("HELLO")).toHaveLength(3);
    },
  );
});

describe("a node that reboots", () => {
  test("sends HELLO with another boot and has forgotten what waited", async () => {
    const { clock, hub, node } = await live();
    const before = node.boot;
    node.device(LIGHT).turn("Switch.on", true);
    node.reboot();
    await settle();
    expect(hub.last("HELLO").info.boot).not.toBe(before);
    await hub.acknowledge();
    hub.forget();
    await clock.advance(2000);
    expect(hub.all("REPORT")).toEqual([]);
  });

  test("sends 0 at every boot when it has neither a counter nor noise", async () => {
    const { hub, node } = await live({ boot: "none" });
    node.reboot();
    await settle();
    expect(hub.last("HELLO").info.boot).toBe(0);
  });
});

describe("a good frame with an invalid message", () => {
  test.each([
    ["of an unknown type is answered with ERROR 1", [77, 5], 1],
    ["with a missing field is answered with ERROR 2", [5, 5, 0, "Switch", 0], 2],
    ["with a wrong field is answered with ERROR 2", [15, 5, 0, "half a minute"], 2],
  ])("%s", async (_, body, code) => {
    const { hub } = await live();
    await hub.raw(encodeFrame(encodeCbor(body)));
    expect(hub.last("ERROR")).toMatchObject({ seq: 5, code });
  });

  test.each([
    ["that is no message", { a: 1 }],
    ["that is the node's to send", [9, 5, 0, "Switch", 0, "on", true]],
    ["that is the node's to send and malformed", [9, 5]],
    ["that is a malformed answer", [13, 5]],
    ["that answers nothing", [10, 5]],
  ])("%s is not answered", async (_, body) => {
    const { hub, node } = await live();
    await hub.raw(encodeFrame(encodeCbor(body)));
    expect([hub.heard, node.state]).toEqual([[], "live"]);
  });

  test("damage is counted, not answered, and the next frame is understood", async () => {
    const { hub, node } = await live();
    await hub.raw(Uint8Array.of(0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbc));
    await hub.say({ type: "PING", seq: 3 });
    expect(hub.heard.map(({ message }) => message)).toEqual([{ type: "PONG", seq: 3 }]);
    expect(node.damage.get("bad_crc")).toBe(1);
  });
});
