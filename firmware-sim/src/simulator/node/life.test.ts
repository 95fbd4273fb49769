import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { LIGHT, live, plugged } from "./test-node.fixture.ts";

describe("a live node that hears nothing", () => {
  test("pings after five seconds, three times a second apart, each with a seq of its own, and goes back to HELLO", async () => {
    const { clock, hub, node } = await live();
    const { boot } = node;
    await clock.advance(8000);
    expect(hub.times("PING")).toEqual([5000, 6000, 7000]);
    expect(new Set(hub.all("PING").map(({ seq }) => seq)).size).toBe(3);
    expect(hub.times("HELLO")).toEqual([8000]);
    expect(hub.last("HELLO").info.boot).toBe(boot);
  });

  test("is content with any good frame", async () => {
    const { clock, hub } = await live();
    await clock.advance(6500);
    await hub.say({ type: "PONG", seq: hub.last("PING").seq });
    hub.forget();
    await clock.advance(4999);
    expect(hub.heard).toEqual([]);
    await clock.advance(1);
    expect(hub.times("PING")).toEqual([11_500]);
  });

  test("does not take a bad frame for a sign of life", async () => {
    const { clock, hub } = await live();
    await clock.advance(4000);
    await hub.raw(Uint8Array.of(0xc0, 0x82, 0x0c, 0x07, 0, 0, 0xc0));
    await clock.advance(1000);
    expect(hub.times("PING")).toEqual([5000]);
  });

  test("does not take its own echo for the hub", async () => {
    const { clock, hub, node } = await live();
    await clock.advance(5000);
    await hub.say(hub.last("PING"));
    expect(hub.all("PONG")).toEqual([]);
    await clock.advance(3000);
    expect(node.state).toBe("greeting");
  });

  test("pings a hub only that has acknowledged it", async () => {
    const { clock, hub } = await plugged();
    await clock.advance(30_000);
    expect(hub.all("PING")).toEqual([]);
  });
});

describe("the line", () => {
  test("that closes takes the node back to HELLO at the next one, with the same boot and a new seq", async () => {
    const { hub, node, connect } = await live();
    const { boot } = node;
    hub.close();
    await settle();
    expect(node.state).toBe("unplugged");
    const next = connect();
    await settle();
    expect(next.last("HELLO").info.boot).toBe(boot);
  });

  test("that comes newer is silent until its first good frame, then takes over and closes the older", async () => {
    const { hub, node, connect } = await live();
    const newer = connect();
    await newer.raw(Uint8Array.of(0xc0, 1, 2, 3, 0xc0));
    expect([newer.heard, hub.closed, node.state]).toEqual([[], undefined, "live"]);
    await newer.say({ type: "WHO", seq: 0 });
    expect(newer.all("HELLO").length).toBeGreaterThan(0);
    expect(hub.closed).toBe("closed by the other side");
  });

  test("that was waiting is served when the older one closes", async () => {
    const { hub, connect } = await live();
    const newer = connect();
    hub.close();
    await settle();
    expect(newer.all("HELLO")).toHaveLength(1);
  });

  test("that is pulled loses nothing that waits to be reported", async () => {
    const { node, connect } = await live();
    node.detach();
    node.device(LIGHT).turn("Switch.on", true);
    const hub = connect();
    await settle();
    await hub.acknowledge();
    expect(hub.last("REPORT")).toMatchObject({ device: 0, service: "Switch", property: "on", value: true });
  });
});
