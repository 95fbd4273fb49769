/** Devices that answer late, wrongly or never, with real processes on a real line. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { HALL_SWITCH, LAMP, THERMOSTAT } from "../parts/simulator.ts";

let home: Home;
beforeAll(async () => {
  home = await Home.start();
});
afterAll(() => home[Symbol.asyncDispose]());
afterEach(() => home.simulator.tell(`fault ${LAMP} none`));

describe("a device that does not carry out commands", () => {
  it("and never answers is 502 with outcome unknown", async () => {
    await home.simulator.tell(`fault ${LAMP} silent`);
    expect(await home.put(LAMP, "LightColor.hue", 10)).toMatchObject({
      status: 502,
      body: { title: "Device Unreachable", outcome: "unknown" },
    });
  });

  it("and refuses the value is 422 with outcome rejected and the device's code", async () => {
    await home.simulator.tell(`fault ${LAMP} refuse`);
    expect(await home.put(LAMP, "LightColor.hue", 11)).toMatchObject({
      status: 422,
      body: { title: "Device Rejected", outcome: "rejected", code: 8 },
    });
  });

  it("and answers with a value of another type is 502", async () => {
    await home.simulator.tell(`fault ${LAMP} wrong`);
    expect(await home.put(LAMP, "LightColor.hue", 12)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
  });

  it("and is busy for ever is 502 with outcome not_applied", async () => {
    await home.simulator.tell(`fault ${LAMP} busy`);
    expect(await home.put(LAMP, "LightColor.hue", 13)).toMatchObject({ status: 502, body: { outcome: "not_applied" } });
  });

  it("and answers after the caller's time is 504 with outcome unknown, and the command is settled when the answer comes", async () => {
    // Else the hub may be reading a value that is unknown since the tests before, and the write waits for that.
    await home.api.good("GET", `${home.path(LAMP, "LightColor.hue")}?refresh=true`);
    await home.simulator.tell(`fault ${LAMP} slow 3600000`);
    const answer = await home.put(LAMP, "LightColor.hue", 14, 1);
    expect(answer).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
    await home.simulator.tell(`fault ${LAMP} none`);
    const path = `/api/commands/${answer.headers.get("x-command-id")}`;
    await eventually("the command is settled", async () => (await home.api.good("GET", path)).state === "confirmed");
  });

  it("delays no other device", async () => {
    await home.simulator.tell(`fault ${LAMP} silent`);
    const stuck = home.put(LAMP, "LightColor.hue", 15);
    const order: string[] = [];
    const others = [home.put(HALL_SWITCH, "Switch:0.on", true), home.put(THERMOSTAT, "Thermostat.target", 19)].map(
      (put) =>
        put.then((answer) => {
          expect(answer.status).toBe(200);
          order.push("other");
        }),
    );
    await Promise.all([...others, stuck.then(() => order.push("stuck"))]);
    expect(order).toEqual(["other", "other", "stuck"]);
  });

  it("and invalid values never reach the hub", async () => {
    expect(await home.put(LAMP, "LightColor.hue", 361)).toMatchObject({
      status: 400,
      body: { title: "Property Value Invalid" },
    });
    expect(await home.put(LAMP, "LightColor.tint", 1)).toMatchObject({
      status: 400,
      body: { title: "Service Property Invalid" },
    });
    expect(await home.put(LAMP, "Fan.on", true)).toMatchObject({ status: 404, body: { title: "Service Not Found" } });
    expect(await home.put(THERMOSTAT, "Temperature.celsius", 20)).toMatchObject({
      status: 400,
      body: { title: "Property Not Writable" },
    });
  });
});
