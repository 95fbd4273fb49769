/** The line between hub and cloud as it breaks in houses: cut, silently dead, held up in one direction, late. Real processes and sockets. */
import { pick, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import type { Direction } from "../parts/fault-proxy.ts";
import { Home } from "../parts/home.ts";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";

const HUE = "LightColor.hue";
/** The pause between two looks at all leases, ms. */
const SWEEP_MS = 250;
/** A hub that dials into silence gives up within a second. */
const env = { PORCHLIGHT_SWEEP_MS: String(SWEEP_MS), PORCHLIGHT_HANDSHAKE_MS: "1000" };
/** How long the caller of a PUT would wait if the break were not reported to it, s. */
const PATIENCE = 60;
/** Within this, ms, the hub or the cloud reports the break to a caller, before the caller's own timeout. How soon is proved in `test/world`. */
const ANSWER_MS = 30_000;

let home: Home;
afterEach(() => home[Symbol.asyncDispose]());

/** How often the lamp has carried out that value. */
const applied = async (value: number) =>
  (await home.simulator.writes(LAMP)).filter((one) => one.value === value).length;
const press = (event: string) => home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
const turn = (hue: number) => home.simulator.tell(`set ${LAMP} ${HUE} ${hue}`);
const taken = (device: string) =>
  eventually("the hub has all of it", async () => (await home.simulator.tell(`state ${device}`)).untold === 0);
const inLog = (presses: number) =>
  eventually(`the log has ${presses} presses`, async () => home.occurrences("Button").length >= presses);
const settled = (commandId: string | null, state: string) =>
  eventually(`the command is ${state}`, async () => {
    const command = await home.api.good("GET", `/api/commands/${commandId}`);
    return command.state === state;
  });
/** The lamp's node has a request that it has not answered yet. */
const atTheLamp = () =>
  eventually("the lamp has the write", async () => (await home.simulator.tell(`state ${LAMP}`)).underWay === 1);

describe("a line that is cut", () => {
  it("answers the PUT in flight at once by name; its command is settled when the hub is back, carried out once", async () => {
    home = await Home.start({ internet: 1, env });
    await home.simulator.tell(`fault ${LAMP} slow 60000`);
    const inFlight = home.put(LAMP, HUE, 10, PATIENCE);
    await atTheLamp();
    const cut = performance.now();
    home.internet.cut();
    const answer = await inFlight;
    expect(performance.now() - cut).toBeLessThan(ANSWER_MS);
    expect(answer).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
    expect(await applied(10)).toBe(0);
    await home.simulator.tell(`fault ${LAMP} none`);
    await home.online();
    await settled(answer.headers.get("x-command-id"), "confirmed");
    expect(await applied(10)).toBe(1);
    expect((await home.cached(LAMP, HUE))?.value).toBe(10);
  });
});

describe("a line that dies silently", () => {
  it("shows the hub offline when its lease is over and not before, answers the PUT in flight then, and comes back by itself", async () => {
    // Long enough to look at the hub while it lasts, on a machine that has other things to do.
    const leaseMs = 5000;
    home = await Home.start({ internet: 2, env: { ...env, PORCHLIGHT_LEASE_MS: String(leaseMs) } });
    await home.simulator.tell(`fault ${LAMP} slow 3600000`);
    const inFlight = home.put(LAMP, HUE, 20, PATIENCE);
    await atTheLamp();
    home.internet.silence();
    const silent = performance.now();
    // The lamp answers the hub, and the cloud does not learn of it.
    await home.simulator.tell(`fault ${LAMP} none`);
    expect((await home.hub()).state).toBe("online");
    await eventually("the hub shows offline", async () => (await home.hub()).state === "offline");
    // The last heartbeat was received at most 400 ms before the silence began, and more where the machine was busy.
    expect(performance.now() - silent).toBeGreaterThan(leaseMs / 2);
    expect(await inFlight).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
    expect(performance.now() - silent).toBeLessThan(ANSWER_MS);
    expect(await home.put(LAMP, HUE, 21)).toMatchObject({ status: 503, body: { outcome: "not_sent" } });

    const presses = ["press", "release", "double"];
    for (const event of presses) await press(event);
    await turn(22);
    home.internet.restore();
    await home.online();
    await settled((await inFlight).headers.get("x-command-id"), "confirmed");
    await eventually("the change is there", async () => (await home.cached(LAMP, HUE))?.value === 22);
    await inLog(presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    expect([await applied(20), await applied(21)]).toEqual([1, 0]);
    expect(await home.put(LAMP, HUE, 23)).toMatchObject({ status: 200, body: { value: 23 } });
  });
});

describe("a line that delays what the cloud sends", () => {
  it("lets a value set by PUT stand when an earlier change at the device is reported after it, over a new connection", async () => {
    // A lease that outlives the hold: the tunnel is to end by the cut alone.
    home = await Home.start({ internet: 3, env: { ...env, PORCHLIGHT_LEASE_MS: "20000" } });
    await home.simulator.tell(`fault ${LAMP} slow 60000`);
    const inFlight = home.put(LAMP, HUE, 200, PATIENCE);
    await atTheLamp();
    // With no acknowledgement the hub sends four batches and then no more. Each press is one: it is committed long after the
    // one before it has left. The hub waits for the lamp's answer as long as the lamp sends progress.
    home.internet.hold("down");
    const presses = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? "press" : "release"));
    for (const [at, event] of presses.entries()) {
      await press(event);
      await home.simulator.tell(`set ${LAMP} LightColor.saturation ${at}`);
      await taken(BUTTON);
    }
    // The change by hand stays on the hub; the answer of the write, which is newer, overtakes it.
    await turn(5);
    await taken(LAMP);
    await home.simulator.tell(`fault ${LAMP} none`);
    expect(await inFlight).toMatchObject({ status: 200, body: { value: 200 } });
    const { position, newest } = home.standing("LightColor", "hue");
    expect(newest).toBeGreaterThan(position + 1);
    const changes = () => home.events().filter(({ data }) => data.item?.property === "hue");
    const before = changes().length;

    home.internet.cut();
    home.internet.release("down");
    await eventually("the old change is reported", async () => home.standing("LightColor", "hue").position >= newest);
    expect((await home.cached(LAMP, HUE))?.value).toBe(200);
    expect(await home.simulator.value(LAMP, HUE)).toBe(200);
    expect(home.standing("LightColor", "hue").newest).toBe(newest);
    // A late, smaller number moves nothing and is no event.
    expect(changes().length).toBe(before);
    expect(changes().at(-1)?.data.item.value).toBe(200);
    await inLog(presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
  });
});

describe("a line that is late and breaks again and again", () => {
  const times = rounds(8, 60);

  it(`loses no press, carries out no write twice and confirms what it carried out, over ${times} breaks`, async () => {
    home = await Home.start({ internet: 4, env });
    const random = seededRandom(4);
    home.internet.delay(1, 40);
    const confirmed = new Map<string, number>();
    const never: number[] = [];
    const presses: string[] = [];
    let value = 0;
    let running = true;
    const write = async () => {
      while (running) {
        value += 1;
        // A value of its own for each write, so that one carried out twice shows.
        const asked = value / 1000;
        const answer = await home.put(LAMP, HUE, asked, PATIENCE);
        const { outcome } = answer.body;
        const id = answer.headers.get("x-command-id");
        if (answer.status === 200 && id) confirmed.set(id, asked);
        else if (outcome === "not_sent" || outcome === "not_applied") never.push(asked);
        else expect(answer).toMatchObject({ status: 504, body: { outcome: "unknown" } });
        if (answer.status === 503) await home.online();
      }
    };
    const pressing = async () => {
      while (running) {
        const event = pick(random, ["press", "release", "double", "long"]);
        presses.push(event);
        await press(event);
        await taken(BUTTON);
      }
    };
    const work = Promise.all([write(), pressing()]);
    const holdUp = async (direction: Direction, end: () => void) => {
      home.internet.hold(direction);
      await home.internet.kept(direction, 3);
      end();
      home.internet.release(direction);
    };
    const breaks = {
      cut: async () => home.internet.cut(),
      silence: async () => {
        home.internet.silence();
        await eventually("the hub is not online", async () => (await home.hub()).state !== "online");
        home.internet.restore();
      },
      "hold up, let go": () => holdUp("up", () => home.internet.release("up")),
      "hold up, lose": () => holdUp("up", () => home.internet.cut()),
      "hold down, let go": () => holdUp("down", () => home.internet.release("down")),
      "hold down, lose": () => holdUp("down", () => home.internet.cut()),
    };
    const names = Object.keys(breaks) as [keyof typeof breaks, ...(keyof typeof breaks)[]];
    const happened: string[] = [];
    for (let time = 0; time < times; time++) {
      const before = confirmed.size;
      await eventually("writes are confirmed", async () => confirmed.size > before + randomInteger(random, 4));
      // Each once, and then by chance.
      const name = names[time] ?? pick(random, names);
      happened.push(name);
      await breaks[name]();
    }
    running = false;
    await work;
    await home.online();

    const done = (await home.simulator.writes(LAMP)).map((one) => one.value);
    expect(new Set(done).size, happened.join()).toBe(done.length);
    expect(done.filter((one) => never.includes(Number(one)))).toEqual([]);
    for (const [id, asked] of confirmed) {
      expect(done).toContain(asked);
      expect(await home.api.good("GET", `/api/commands/${id}`)).toMatchObject({ state: "confirmed", value: asked });
    }
    await inLog(presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    const has = await home.simulator.value(LAMP, HUE);
    await eventually("the cloud shows what the lamp has", async () => (await home.cached(LAMP, HUE))?.value === has);
    console.info(
      `${happened.join(", ")}: ${confirmed.size} confirmed, ${done.length} applied, ${presses.length} presses`,
    );
  });
});
