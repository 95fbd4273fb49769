/** A hub on a host of its own: the cable is pulled, one direction is lost, its address changes. Real network stacks, without a reset or a notice to either end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { OtherHost } from "../parts/other-host.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";

const HUE = "LightColor.hue";
/** How long the caller of a PUT would wait if the break were not reported to it, s. */
const PATIENCE = 30;

let host: OtherHost;
let home: Home;
beforeAll(async () => {
  host = new OtherHost();
  home = await Home.start({
    env: { PORCHLIGHT_HOST: "0.0.0.0", PORCHLIGHT_HANDSHAKE_MS: "1000" },
    agentWithin: host.within,
    cloudFor: (port) => `http://${host.here}:${port}`,
  });
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  host[Symbol.dispose]();
});

const is = (state: string) => eventually(`the hub is ${state}`, async () => (await home.hub()).state === state);
const applied = async (value: number) =>
  (await home.simulator.writes(LAMP)).filter((one) => one.value === value).length;

/** Every press so far. */
const presses: string[] = [];

/** What happens at the devices meanwhile; none of it may be lost or doubled. */
async function meanwhile(hue: number): Promise<void> {
  const events = ["press", "double", "long"];
  presses.push(...events);
  for (const event of events) await home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
  await home.simulator.tell(`set ${LAMP} ${HUE} ${hue}`);
  await eventually("the hub has all of it", async () => (await home.simulator.tell(`state ${BUTTON}`)).untold === 0);
}

async function allIsThere(hue: number): Promise<void> {
  await eventually("the log has the presses", async () => home.occurrences("Button").length >= presses.length);
  expect(home.occurrences("Button")).toEqual(presses);
  await eventually("the cloud shows the hue", async () => (await home.cached(LAMP, HUE))?.value === hue);
}

describe("a hub on a host of its own", () => {
  it.each<[string, (host: OtherHost) => void, (host: OtherHost) => void]>([
    ["whose cable is pulled", (other) => other.unplug(), (other) => other.plugIn()],
    ["that receives, and whose frames are lost", (other) => other.deafen(), (other) => other.hear()],
  ])(
    "%s is offline by its lease, its caller is answered, and it comes back with everything, once",
    async (_what, end, mend) => {
      const hue = 10 * (presses.length + 1);
      // Until it is slow no more.
      await home.simulator.tell(`fault ${LAMP} slow 3600000`);
      const inFlight = home.put(LAMP, HUE, hue, PATIENCE);
      await eventually(
        "the lamp has the write",
        async () => (await home.simulator.tell(`state ${LAMP}`)).underWay === 1,
      );
      end(host);
      // The lamp answers the hub, and the cloud does not learn of it.
      await home.simulator.tell(`fault ${LAMP} none`);
      expect(await inFlight).toMatchObject({ status: 504, body: { title: "Hub Timeout", outcome: "unknown" } });
      await is("offline");
      expect(await home.put(LAMP, HUE, hue + 1)).toMatchObject({ status: 503, body: { outcome: "not_sent" } });
      await eventually("the lamp is set", async () => (await applied(hue)) > 0);
      await meanwhile(hue + 2);
      mend(host);
      await is("online");
      await allIsThere(hue + 2);
      const id = (await inFlight).headers.get("x-command-id");
      await eventually("the command is settled", async () => {
        const command = await home.api.good("GET", `/api/commands/${id}`);
        return command.state === "confirmed";
      });
      expect([await applied(hue), await applied(hue + 1)]).toEqual([1, 0]);
    },
  );

  it("whose address changes leaves its dead connection and comes back from the new one", async () => {
    host.move();
    await meanwhile(33);
    await allIsThere(33);
    await is("online");
    expect(await home.put(LAMP, HUE, 34)).toMatchObject({ status: 200, body: { value: 34 } });
    expect(await applied(34)).toBe(1);
  });
});
