/** The main job with real processes, on each store: HTTP, tunnel, pseudo-terminal and back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { freshDatabase } from "../parts/postgres.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../parts/simulator.ts";

describe.each(["SQLite", "PostgreSQL"])("a lamp on a serial line, with %s in the cloud", (store) => {
  const stack = new AsyncDisposableStack();
  let home: Home;
  beforeAll(async () => {
    const database = store === "PostgreSQL" ? stack.use(await freshDatabase()).url : undefined;
    home = stack.use(await Home.start(database === undefined ? {} : { database }));
  });
  afterAll(() => stack.disposeAsync());

  it("is set by a PUT, and the answer carries the value that the lamp reports", async () => {
    const answer = await home.put(LAMP, "LightColor.hue", 211);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      service: "LightColor",
      index: "0",
      property: "hue",
      value: 211,
      id: home.environmentId,
    });
    expect(answer.headers.get("x-command-id")).toMatch(/^cmd_/);
    expect(await home.simulator.value(LAMP, "LightColor.hue")).toBe(211);
    expect((await home.cached(LAMP, "LightColor.hue"))?.value).toBe(211);
  });

  it("shows a change made by hand in the cloud's cache", async () => {
    await home.simulator.tell(`set ${LAMP} LightLevel.level 42`);
    await eventually("the cache shows it", async () => (await home.cached(LAMP, "LightLevel.level"))?.value === 42);
  });

  it("is read from the hardware by refresh=true, and not without", async () => {
    await home.simulator.tell(`fault ${LAMP} silent`);
    expect((await home.cached(LAMP, "LightColor.hue"))?.value).toBe(211);
    const refreshed = await home.api.call("GET", `${home.path(LAMP, "LightColor.hue")}?refresh=true`);
    expect(refreshed).toMatchObject({ status: 502, body: { title: "Device Unreachable" } });
    await home.simulator.tell(`fault ${LAMP} none`);
    const read = await home.api.good<{ items: { value: unknown }[] }>(
      "GET",
      `${home.path(LAMP, "LightColor.hue")}?refresh=true`,
    );
    expect(read.items).toMatchObject([{ value: 211 }]);
  });

  it("answers an environment-wide refresh with the values that were read, and the failures", async () => {
    await home.simulator.tell(`fault ${LAMP} silent`);
    const path = `/api/environments/${home.environmentId}/services/Switch.on?refresh=true`;
    const answer = await home.api.good<{ items: { deviceId: string }[]; failures: { name: string }[] }>("GET", path);
    expect(answer.failures).toMatchObject([{ name: "Device Unreachable", service: "Switch", property: "on" }]);
    expect(answer.items.length).toBe(3);
    await home.simulator.tell(`fault ${LAMP} none`);
  });

  it("keeps two gangs of one switch apart", async () => {
    expect((await home.put(HALL_SWITCH, "Switch:1.on", true)).status).toBe(200);
    expect((await home.put(HALL_SWITCH, "Switch:0.on", false)).status).toBe(200);
    expect(await home.simulator.value(HALL_SWITCH, "Switch:1.on")).toBe(true);
    expect(await home.put(HALL_SWITCH, "Switch.on", true)).toMatchObject({
      status: 400,
      body: { title: "Service Property Invalid" },
    });
  });

  it("reports a pressed button", async () => {
    await home.simulator.tell(`press ${BUTTON} Button.event double`);
    await eventually(
      "the cache shows the press",
      async () => (await home.cached(BUTTON, "Button.event"))?.value === "double",
    );
  });
});
