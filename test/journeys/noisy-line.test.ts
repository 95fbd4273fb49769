/** Garbage, half frames and a pulled plug on a real pseudo-terminal: the agent stays up and recovers at the next good frame. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { LAMP, THERMOSTAT } from "../parts/simulator.ts";

let home: Home;
beforeAll(async () => {
  home = await Home.start();
});
afterAll(() => home[Symbol.asyncDispose]());

describe("a serial line", () => {
  it("that is unplugged makes its devices offline, and comes back by itself when it is plugged in", async () => {
    const pid = home.agent.pid;
    await home.simulator.tell(`unplug ${LAMP}`);
    await eventually("the lamp shows offline", async () => (await home.connection(LAMP)) === "offline");
    expect(await home.put(LAMP, "LightColor.hue", 50)).toMatchObject({
      status: 502,
      body: { title: "Device Unreachable", outcome: "not_applied" },
    });
    await home.simulator.tell(`plug ${LAMP}`);
    await home.online();
    expect(await home.put(LAMP, "LightColor.hue", 51)).toMatchObject({ status: 200 });
    expect(home.agent.pid).toBe(pid);
  });

  it("that brings random bytes and half frames goes on with the next good frame", async () => {
    const gone = () => home.events().filter(({ type }) => type === "device.offline").length;
    const before = gone();
    for (let burst = 0; burst < 20; burst++) {
      await home.simulator.tell(`noise bridge ${200 + burst}`);
      await home.simulator.tell(`set ${THERMOSTAT} Thermostat.target ${10 + burst}`);
    }
    await eventually(
      "the last change is in the cache",
      async () => (await home.cached(THERMOSTAT, "Thermostat.target"))?.value === 29,
    );
    expect((await home.hub()).state).toBe("online");
    expect(gone(), "a line that was taken for dead").toBe(before);
  });

  it("on which a device reboots describes it afresh and goes on", async () => {
    await home.simulator.tell(`reboot ${LAMP}`);
    await eventually(
      "the lamp can be set again",
      async () => (await home.put(LAMP, "LightColor.hue", 52)).status === 200,
    );
  });
});
