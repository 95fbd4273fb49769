/** Writes at home past HTTP: at most once, in their turn, in time, and never while another agent has the devices. */
import { describe, expect, test } from "vitest";
import { LAMP, level, pending } from "../state/state.fixture.ts";
import { AtHome } from "./at-home.fixture.ts";

const named = (name: string, more = {}) => expect.objectContaining({ name, ...more });

describe("a write at home", () => {
  test("is in the journal before the device is touched", async () => {
    using home = await AtHome.make();
    home.driver.hold();
    const answer = home.set(40, { "idempotency-key": "k" });
    await home.clock.advance(10);
    expect(home.driver.touches).toHaveLength(1);
    home.crash();
    await expect(home.set(40, { "idempotency-key": "k" })).rejects.toEqual(
      named("Hub Timeout", { outcome: "unknown" }),
    );
    expect(home.driver.touches).toHaveLength(1);
    home.driver.release();
    await answer.catch(() => undefined);
  });

  test("reaches the cloud as a value with the cause local", async () => {
    using home = await AtHome.make();
    await home.clock.until(home.set(40));
    expect(pending(home.state).at(-1)).toMatchObject({ kind: "value", property: "level", value: 40, cause: "local" });
  });

  test("under a key whose first is still under way waits for nothing, and with another body it is another", async () => {
    using home = await AtHome.make();
    home.driver.hold();
    const first = home.set(40, { "idempotency-key": "k" });
    await home.clock.advance(10);
    await expect(home.set(40, { "idempotency-key": "k" })).rejects.toEqual(
      named("Idempotency Key In Use", { retryAfter: 1 }),
    );
    await expect(home.set(41, { "idempotency-key": "k" })).rejects.toEqual(named("Idempotency Key Reused"));
    home.driver.release();
    expect(await home.clock.until(first)).toMatchObject({ status: 200 });
    const again = await home.clock.until(home.set(40, { "idempotency-key": "k" }));
    expect(again.headers).toMatchObject({ "idempotent-replayed": "true" });
    expect(home.driver.touches).toHaveLength(1);
  });

  test("whose key was used before a crash is answered from the journal, with the same command", async () => {
    using home = await AtHome.make();
    const first = await home.clock.until(home.set(40, { "idempotency-key": "k" }));
    home.crash();
    const again = await home.clock.until(home.set(40, { "idempotency-key": "k" }));
    expect(again.body).toEqual(first.body);
    expect(again.headers?.["x-command-id"]).toBe(first.headers?.["x-command-id"]);
    expect(home.driver.touches).toHaveLength(1);
  });

  test("whose device is slow is answered in time, and its result is reported nevertheless", async () => {
    using home = await AtHome.make();
    home.driver.hold();
    const answer = home.set(40, { prefer: "wait=2" });
    answer.catch(() => undefined);
    await home.clock.advance(2000);
    await expect(answer).rejects.toEqual(named("Hub Timeout", { outcome: "unknown" }));
    home.driver.release();
    await home.clock.advance(100);
    expect(pending(home.state).at(-1)).toMatchObject({ value: 40, cause: "local" });
  });

  test("whose caller leaves before its turn never touches the device", async () => {
    using home = await AtHome.make();
    home.driver.hold();
    const first = home.set(1, { prefer: "wait=60" });
    await home.clock.advance(10);
    const second = home.set(2, { prefer: "wait=1" });
    second.catch(() => undefined);
    await home.clock.advance(1000);
    await expect(second).rejects.toEqual(named("Hub Timeout"));
    home.driver.release();
    await home.clock.until(first);
    await home.clock.advance(1000);
    expect(home.driver.touches).toMatchObject([{ value: 1 }]);
  });

  test("is refused while another agent has the hub's identity, and so is a refresh", async () => {
    using home = await AtHome.make();
    home.isSuperseded = true;
    await expect(home.set(40)).rejects.toEqual(named("Service Unavailable", { outcome: "not_sent" }));
    await expect(home.refresh()).rejects.toEqual(named("Service Unavailable"));
    expect(home.driver.touches).toEqual([]);
  });
});

describe("a refresh at home", () => {
  test("is shared by all who ask for the same at the same time", async () => {
    using home = await AtHome.make();
    home.driver.values.set(`${LAMP} level`, 12);
    home.driver.hold();
    const answers = [home.refresh(), home.refresh()];
    await home.clock.advance(10);
    home.driver.release();
    for (const answer of answers)
      expect(await home.clock.until(answer)).toMatchObject({ body: { items: [{ value: 12 }] } });
    expect(home.driver.touches).toHaveLength(1);
  });

  test("goes on for those who are still there, and is given up when the last one leaves", async () => {
    using home = await AtHome.make();
    home.driver.hold();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [home.refresh(one.signal), home.refresh(other.signal)];
    for (const answer of answers) answer.catch(() => undefined);
    await home.clock.advance(10);
    one.abort();
    await home.clock.advance(10);
    expect(home.driver.signals.map((signal) => signal?.aborted)).toEqual([false]);
    other.abort();
    await home.clock.advance(10);
    expect(home.driver.signals.map((signal) => signal?.aborted)).toEqual([true]);
    home.driver.release();
  });

  test("of a device that does not answer ends in time, with what was known", async () => {
    using home = await AtHome.make();
    await home.disk.done(home.state.learn(level(3), "read"));
    home.driver.hold();
    const query = { refresh: "true" };
    const path = "/api/environments/:id/services/:selector";
    const { environmentId: id = "" } = home.state.home.place ?? {};
    const answer = home.call("GET", path, { id, selector: "LightLevel", query, headers: { prefer: "wait=3" } });
    expect(await home.clock.until(answer, 3000)).toMatchObject({
      body: { items: [], failures: [{ name: "Hub Timeout", lastKnown: { value: 3 } }] },
    });
    home.driver.release();
  });
});
