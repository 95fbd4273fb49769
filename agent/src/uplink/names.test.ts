/** What a hub keeps of the names that the cloud sends over a tunnel. */
import { expect, test } from "vitest";
import { LAMP } from "../state/state.fixture.ts";
import { Hub } from "./hub.fixture.ts";

const NAMES = {
  digest: "d1",
  ecosystemId: "eco_1",
  environmentId: "env_1",
  clientId: "cli_1",
  devices: [{ edgeId: LAMP, id: "dev_1", version: 1 }],
};
const NAME = { edgeId: LAMP, id: "dev_1", version: 1, alias: "lamp", meta: "{}", createdAt: 5 };

test("a hub with an API at home says which names it has, takes in others, and says so when it comes back", async () => {
  await using hub = await Hub.make();
  hub.connect({}, hub.state.home);
  await hub.clock.advance(0);
  expect(hub.cloud.tunnel.hello?.namesDigest).toBe("");
  expect(await hub.cloud.ask("names", NAMES)).toEqual({ wanted: [LAMP] });
  await hub.cloud.ask("name", NAME);
  expect(hub.state.home.name(LAMP)).toEqual(NAME);
  hub.cloud.tunnel.cut();
  await hub.clock.advance(5000);
  expect(hub.cloud.tunnel.hello?.namesDigest).toBe("d1");
});

test("a hub without one says nothing of names, and knows no such question", async () => {
  await using hub = await Hub.online();
  expect(hub.cloud.tunnel.hello).not.toHaveProperty("namesDigest");
  await expect(hub.cloud.ask("names", NAMES)).rejects.toThrow("unknown method");
  expect(hub.cloud.tunnel.down).toBeUndefined();
});

test("names that break their schema end the tunnel as malformed", async () => {
  await using hub = await Hub.make();
  hub.connect({}, hub.state.home);
  await hub.clock.advance(0);
  await expect(hub.cloud.ask("names", { ...NAMES, devices: 7 })).rejects.toThrow();
  await hub.clock.advance(0);
  expect(hub.cloud.tunnel.down).toBe("malformed");
});
