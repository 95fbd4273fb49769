/** A whole hub that must tell its devices on a broker. */
import { createServer } from "node:net";
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Agent } from "../agent.ts";
import { driverSettings } from "../config/settings.ts";
import { Disk } from "../state/state.fixture.ts";
import { CLOUD, FakeCloud, TOKEN } from "../uplink/cloud.fixture.ts";

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

test("a broker that is away keeps no hub from its start, and status says why; the cloud is asked for the devices' names", async () => {
  using disk = new Disk();
  const { clock, folder: dataDir } = disk;
  const cloud = new FakeCloud(clock);
  const broker = `mqtt://127.0.0.1:${await closedPort()}`;
  const agent = await Agent.start({
    ...{ clock, random: seededRandom(1), log: silentLog, dataDir, cloudUrl: CLOUD, dial: cloud.dial },
    tokens: { read: () => TOKEN, write: () => undefined, remove: () => undefined },
    drivers: () => [],
    publish: driverSettings.parse({ mqtt: { broker, publish: true } }).mqtt,
  });
  await expect
    .poll(() => agent.status().links)
    .toEqual([
      {
        name: `publish ${broker.replace("://", " ")}`,
        detail: expect.objectContaining({
          publishes: "connecting",
          publishFailure: expect.stringContaining("ECONNREFUSED"),
          devices: 0,
        }),
      },
    ]);
  await clock.advance(2000);
  expect(cloud.tunnel.hello?.namesDigest).toBe("");
  await clock.until(agent[Symbol.asyncDispose]());
});
