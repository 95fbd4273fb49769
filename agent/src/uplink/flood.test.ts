/** A cloud that asks for more than a hub takes: what is open is bounded by count and by bytes, and what is too much is refused by name. */
import { describe, expect, test } from "vitest";
import { level, on } from "../state/state.fixture.ts";
import { Hub } from "./hub.fixture.ts";
import { OPEN_LIMITS } from "./open-requests.ts";

const OVERLOADED = { outcome: "not_applied", failure: { name: "Device Unreachable" } };
const TOO_MANY = "Too many requests wait for the hub's devices: the device was not asked.";

/** What the hub has answered by now, in the order of the answers. */
function flood(hub: Hub, method: string, all: readonly Record<string, unknown>[], waitMs?: number) {
  const answers: unknown[] = [];
  for (const params of all) {
    hub.cloud.ask(method, params, waitMs).then(
      (answer) => answers.push(answer),
      (failure: unknown) => answers.push(failure),
    );
  }
  return answers;
}

const commands = (count: number, from = 0, value: unknown = true) =>
  Array.from({ length: count }, (_, at) => ({ id: `cmd_${from + at}`, ...on(true), value }));

describe("a cloud that floods a hub", () => {
  test("with commands has so many open, and each further one is refused by name and stays refused", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const answers = flood(hub, "command", commands(OPEN_LIMITS.count + 300));
    await hub.clock.advance(1000);
    expect(answers).toHaveLength(300);
    expect(answers[0]).toMatchObject({ command: `cmd_${OPEN_LIMITS.count}`, ...OVERLOADED });
    expect(new Set(answers.map((answer) => JSON.stringify((answer as typeof OVERLOADED).failure)))).toEqual(
      new Set([JSON.stringify({ name: "Device Unreachable", detail: TOO_MANY })]),
    );
    expect(hub.uplink?.status().counts).toMatchObject({ overloaded: 300 });
    hub.driver.release();
    await hub.clock.untilSo(() => answers.length > 302);
    const later = [
      { id: `cmd_${OPEN_LIMITS.count}`, ...level(40) },
      { id: "cmd_later", ...level(50) },
    ].map((each) => hub.cloud.ask("command", each));
    expect(await hub.clock.until(Promise.all(later))).toMatchObject([OVERLOADED, { outcome: "confirmed", value: 50 }]);
    expect(hub.driver.touches.filter(({ property }) => property === "level")).toHaveLength(1);
  });

  test("with large values has so many bytes open, and small requests are refused as well until there is room", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const size = 16_000;
    const most = Math.floor(OPEN_LIMITS.bytes / size);
    const large = commands(most + 50, 0, "x".repeat(size));
    flood(hub, "command", large.slice(0, most / 2));
    await hub.clock.advance(1000);
    const answers = flood(hub, "command", large.slice(most / 2));
    await hub.clock.advance(1000);
    expect(answers.length).toBeGreaterThanOrEqual(50);
    expect(answers.length).toBeLessThan(60);
    expect(answers[0]).toMatchObject(OVERLOADED);
    hub.driver.release();
    await hub.clock.advance(1000);
    expect(await hub.cloud.ask("command", { id: "cmd_later", ...on(true) })).toMatchObject({ outcome: "confirmed" });
  });

  test("with calls of scenes and with reads is refused by name for each command and item", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    void flood(hub, "command", commands(OPEN_LIMITS.count - 1));
    const scene = {
      scene: "scn_1",
      commands: [1, 2].map((at) => ({ id: `cmd_s${at}`, ...(at === 1 ? on(true) : level(4)) })),
    };
    const item = { ...on(true), value: undefined };
    const answers = await hub.clock.until(
      Promise.all([hub.cloud.ask("scene.call", scene), hub.cloud.ask("read", { items: [item, item] })]),
    );
    expect(answers).toMatchObject([
      { results: [OVERLOADED, OVERLOADED] },
      { items: [{ failure: { detail: TOO_MANY } }, { failure: { detail: TOO_MANY } }] },
    ]);
  });

  test("with questions about drivers is refused with an error, and the tunnel stays", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    void flood(hub, "command", commands(OPEN_LIMITS.count));
    const asked = hub.cloud.ask("drivers", { question: { ask: "drivers" } });
    await expect(hub.clock.until(asked)).rejects.toThrow("overloaded");
    expect(hub.cloud.tunnel.down).toBeUndefined();
  });

  test("over one connection after the other has no more open than over one", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    void flood(hub, "command", commands(OPEN_LIMITS.count));
    await hub.clock.advance(1000);
    hub.cloud.tunnel.cut();
    await hub.clock.advance(5000);
    const answers = flood(hub, "command", commands(10, OPEN_LIMITS.count));
    await hub.clock.advance(1000);
    expect(answers).toMatchObject(Array.from({ length: 10 }, () => OVERLOADED));
    hub.driver.release();
    await hub.clock.advance(1000);
    expect(await hub.cloud.ask("command", { id: "cmd_later", ...on(true) })).toMatchObject({ outcome: "confirmed" });
  });

  test("before it welcomes the hub is left as overloaded", async () => {
    await using hub = await Hub.make();
    hub.cloud.answers = { hello: () => new Promise(() => undefined) };
    hub.connect();
    await hub.clock.advance(0);
    void flood(hub, "command", commands(OPEN_LIMITS.count + 1));
    await hub.clock.advance(100);
    expect(hub.cloud.tunnel.down).toBe("overloaded");
  });
});
