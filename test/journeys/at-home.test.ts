/**
 * The internet is down: a program in the home sets a lamp through the hub and follows what happens there, and the cloud learns of it
 * when it is back. Real processes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Home, type Item } from "../parts/home.ts";
import { Program } from "../parts/program.ts";
import { type RawMessage, rawStream } from "../parts/raw-stream.ts";
import { LAMP } from "../parts/simulator.ts";

describe("a home without its cloud", () => {
  const stack = new AsyncDisposableStack();
  let home: Home;
  let hub: Api;
  let token: string;
  const end = new AbortController();
  /** Changes, as the hub reports them. */
  let stream: AsyncGenerator<RawMessage, void, undefined>;
  /** ID of the last event that was seen. */
  let seen = 0;
  beforeAll(async () => {
    home = stack.use(await Home.start({ agentEnv: { PORCHLIGHT_API_PORT: "0" } }));
  });
  afterAll(() => {
    end.abort();
    return stack.disposeAsync();
  });

  /** Values of the next changes of the lamp's hue, each with its cause. */
  async function hues(count: number): Promise<unknown[]> {
    const hueChanges = [];
    while (hueChanges.length < count) {
      const { value } = await stream.next();
      if (!value) throw new Error("the stream has ended");
      if (value.id === undefined) continue;
      expect(Number(value.id)).toBe(seen + 1);
      seen = Number(value.id);
      const { item, cause } = value.data.data;
      if (item?.property === "hue") hueChanges.push([item.value, cause.kind]);
    }
    return hueChanges;
  }
  const hubUrl = async (): Promise<string> => JSON.parse(await agentPrints("status", "--json")).localApi.url;

  /** The first line that a command of the agent prints. */
  async function agentPrints(...command: string[]): Promise<string> {
    const args = [...command, "--data", home.agentData];
    await using program = new Program("command", "agent/src/main.ts", args);
    return await program.line((line) => line);
  }

  it("gives out a token on the hub, which opens its API and nothing in the cloud", async () => {
    token = await agentPrints("token", "create", "--name", "wall panel");
    expect(token).toMatch(/^plt_loc_[0-9A-Za-z]{38}$/);
    expect(await agentPrints("token", "list")).toMatch(/^tok_\S+ {2}\S+ \S+Z {2}wall panel$/);
    hub = new Api(await hubUrl(), token);
    await eventually("the hub knows its devices", async () => {
      const { items } = await hub.good<{ items: unknown[] }>("GET", "/api/devices");
      return items.length >= home.simulator.devices.length;
    });
    expect((await home.api.as(token).call("GET", "/api/token")).status).toBe(401);
  });

  it("sets and reads a lamp by the ID that the cloud gave it, while the cloud is dead", async () => {
    stream = rawStream(`${hub.base}/api/events?snapshot=true`, token, undefined, end.signal);
    const first = await stream.next();
    seen = first.value?.data.sequence;
    await home.cloud.kill();
    const path = home.path(LAMP, "LightColor.hue");
    const set = await hub.call<Item>("PUT", path, { value: 142 });
    expect([set.status, set.body.value]).toEqual([200, 142]);
    expect(await home.simulator.value(LAMP, "LightColor.hue")).toBe(142);
    expect((await hub.good<{ items: Item[] }>("GET", `${path}?refresh=true`)).items).toMatchObject([{ value: 142 }]);
    expect(await hues(1)).toEqual([[142, "local"]]);
  });

  it("resumes at the last event sent after the hub was killed, without a gap or a repeat", async () => {
    const path = home.path(LAMP, "LightColor.hue");
    await hub.good("PUT", path, { value: 150 });
    await home.agent.kill();
    home.startAgent();
    await eventually("the agent runs", async () => (await hubUrl()) !== undefined);
    hub = new Api(await hubUrl(), token);
    await eventually("the lamp is there", async () => (await hub.call("PUT", path, { value: 151 })).status === 200);
    stream = rawStream(`${hub.base}/api/events`, token, seen, end.signal);
    expect(await hues(2)).toEqual([
      [150, "local"],
      [151, "local"],
    ]);
  });

  it("reports to the cloud, when it is back, that the change was made at home", async () => {
    await home.startCloud();
    await eventually("the cloud knows", async () => (await home.cached(LAMP, "LightColor.hue"))?.value === 151);
    const changes = home.events().filter(({ type, data }) => type === "property.changed" && data.item.value === 142);
    expect(changes.map(({ data }) => data.cause)).toEqual([{ kind: "local" }]);
  });

  it("takes the token no more once it is revoked", async () => {
    const { id } = await hub.good<{ id: string }>("GET", "/api/token");
    expect(await agentPrints("token", "revoke", id)).toBe(`${id} is revoked`);
    expect((await hub.call("GET", "/api/token")).status).toBe(401);
  });
});
