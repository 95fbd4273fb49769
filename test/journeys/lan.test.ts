/** The main job with a device of the network: found by multicast DNS on loopback, spoken to over TLS with its key, set through the cloud. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type DeviceSummary, Home } from "../parts/home.ts";

/** Others may try the same on this machine's loopback at the same time: each has devices of its own. */
const OWN = [process.pid >> 8, process.pid].map((byte) => (byte & 255).toString(16).padStart(2, "0").toUpperCase());
const [LAMP = "", STRANGER = ""] = ["01", "02"].map((last) => `02-50-4C-${OWN.join("-")}-${last}`);
const KEY = "6b6579206f662061207265616469676c";
const NODES = `
nodes:
  - name: reading
    edgeId: ${LAMP}
    tcp: 0
    tls: {psk: ${KEY}}
    devices:
      - {edgeId: ${LAMP}, kind: colour-light, name: Reading lamp}
  - name: stranger
    edgeId: ${STRANGER}
    tcp: 0
    devices:
      - {edgeId: ${STRANGER}, kind: colour-light}
`;

describe("a lamp on the network", () => {
  const stack = new AsyncDisposableStack();
  let home: Home;
  beforeAll(async () => {
    const network = { nodes: NODES, admit: [LAMP], keys: [`${LAMP}=${KEY}`] };
    home = stack.use(await Home.start({ network }));
  });
  afterAll(() => stack.disposeAsync());

  const isOnline = (edgeId: string) => async () => (await home.connection(edgeId)) === "online";
  const set = (hue: number) =>
    eventually("the lamp is set", async () => {
      const { status, body } = await home.put(LAMP, "LightColor.hue", hue);
      return status === 200 && body.value === hue;
    });

  it("is set by a PUT over TLS with its key, beside those on serial lines", async () => {
    const answer = await home.put(LAMP, "LightColor.hue", 211);
    expect(answer).toMatchObject({ status: 200, body: { value: 211 } });
    expect(await home.simulator.value(LAMP, "LightColor.hue")).toBe(211);
    await home.simulator.tell(`set ${LAMP} LightLevel.level 42`);
    await eventually("it is reported", async () => (await home.cached(LAMP, "LightLevel.level"))?.value === 42);
  });

  it("is the only one of the network: the hub was not configured to admit the other", async () => {
    const { items } = await home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
    expect(items.map(({ edgeId }) => edgeId)).not.toContain(STRANGER);
    expect(items).toHaveLength(home.simulator.devices.length + 1);
  });

  it("is followed to another port, and found again when it was unplugged", async () => {
    await home.simulator.tell(`move ${LAMP}`);
    await set(33);
    await home.simulator.tell(`unplug ${LAMP}`);
    await eventually("it is offline", async () => (await home.connection(LAMP)) === "offline");
    expect(await home.put(LAMP, "LightColor.hue", 44)).toMatchObject({
      status: 502,
      body: { title: "Device Unreachable", outcome: "not_applied" },
    });
    await home.simulator.tell(`plug ${LAMP}`);
    await eventually("it is online", isOnline(LAMP));
    await set(55);
  });

  it("stays the first hub's when a second one sees it, and is the second's, under its ID, once the first has released it", async () => {
    const before = await home.device(LAMP);
    const second = await home.startNeighbour();
    await eventually("the owner is notified", async () => home.events().some(({ type }) => type === "device.claimed"));
    await set(66);
    expect((await home.device(LAMP)).clientId).toBe(home.clientId);
    await home.agent.stop();
    home.startAgent("no network");
    await eventually("the second has it", async () => (await home.device(LAMP)).clientId === second);
    await eventually("it is online", isOnline(LAMP));
    await set(77);
    expect((await home.device(LAMP)).id).toBe(before.id);
  });
});
