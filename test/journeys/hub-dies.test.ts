/** A hub that is killed, comes back, sleeps, and is cloned: the cloud never lies about it. Real processes and signals. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.start();
});
afterEach(() => home[Symbol.asyncDispose]());

describe("an agent that is killed", () => {
  it("answers the PUT in flight at once, and the next with Hub Offline, not_sent", async () => {
    await home.simulator.tell(`fault ${LAMP} slow 60000`);
    const inFlight = home.put(LAMP, "LightColor.hue", 100, 60);
    await eventually("the lamp has the write", async () => (await home.simulator.tell(`state ${LAMP}`)).underWay === 1);
    const killed = performance.now();
    await home.agent.kill();
    expect(await inFlight).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
    // By the break, and not by the end of its own patience; how soon is proved in `test/world`.
    expect(performance.now() - killed).toBeLessThan(30_000);

    const next = await home.put(LAMP, "LightColor.hue", 101);
    expect(next).toMatchObject({ status: 503, body: { title: "Hub Offline", outcome: "not_sent" } });
    expect(next.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await home.hub()).state).toBe("offline");
  });

  it("comes back without help, with what happened at the devices meanwhile: none lost, none twice", async () => {
    await home.agent.kill();
    await home.simulator.tell(`set ${LAMP} LightColor.hue 33`);
    const presses = ["press", "release", "long"];
    for (const event of presses) await home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
    home.startAgent();
    await home.online();
    await eventually("the hue is there", async () => (await home.cached(LAMP, "LightColor.hue"))?.value === 33);
    await eventually(
      "the last press is there",
      async () => (await home.cached(BUTTON, "Button.event"))?.value === "long",
    );
    expect(home.occurrences("Button")).toEqual(presses);
    expect(await home.put(LAMP, "LightColor.hue", 34)).toMatchObject({ status: 200, body: { value: 34 } });
    expect((await home.simulator.writes(LAMP)).filter((write) => write.value === 34).length).toBe(1);
  });
});

describe("an agent that is stopped", () => {
  it("shows offline when its lease is over, and moves nothing when it wakes after the 504", async () => {
    // Long enough to ask while it lasts, on a machine that has other things to do.
    const leaseMs = 5000;
    await home[Symbol.asyncDispose]();
    home = await Home.start({ env: { PORCHLIGHT_LEASE_MS: String(leaseMs) } });
    home.agent.signal("SIGSTOP");
    const stopped = performance.now();
    const answer = await home.put(LAMP, "LightColor.hue", 200, 1);
    expect(answer).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
    expect((await home.hub()).state).toBe("online");
    await eventually("the hub shows offline", async () => (await home.hub()).state === "offline");
    // The last heartbeat was received before it was stopped, on a busy machine well before.
    expect(performance.now() - stopped).toBeGreaterThan(leaseMs / 2);

    home.agent.signal("SIGCONT");
    await home.online();
    expect(await home.put(LAMP, "LightColor.hue", 201)).toMatchObject({ status: 200 });
    expect((await home.simulator.writes(LAMP)).map((write) => write.value)).not.toContain(200);
  });
});

describe("a second agent with a copy of the first one's data", () => {
  it("takes over at once; the first is closed as superseded and waits", async () => {
    await home.agent.stop();
    const startClone = home.cloneAgent();
    const first = home.startAgent();
    await home.online();
    startClone();
    await eventually("the first reports that another is online", async () =>
      first.stderr.includes("another agent with this hub's identity"),
    );
    expect((await home.hub()).state).toBe("online");
  });
});
