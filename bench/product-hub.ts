/** The product's hub for benchmarks: a real agent with its real store and tunnel, and devices in memory that answer at once. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Agent } from "@porchlight/agent";
import { webSocketDial } from "@porchlight/agent/uplink/websocket.ts";
import type { Driver, DriverHost } from "@porchlight/driver-kit";
import { silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { addressKey, CATALOGUE, type DeviceDescription, type Value } from "@porchlight/shared/model";
import { edgeIdOf } from "../test/parts/simulated-hub.ts";

const LIGHT: DeviceDescription = [
  { service: "LightColor", index: "0", properties: [...(CATALOGUE.get("LightColor") ?? [])] },
];

const IN_FLIGHT = 2048;
/** What every property is at first: a value that no benchmark sets or reports, so that each of theirs is a change. */
const FIRST = 100;

const [cloudUrl = "", tokenFile = "", dataDir = "", hub = "1", devices = "32"] = process.argv.slice(2);
let driver: MemoryDriver | undefined;

const agent = await Agent.start({
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
  dataDir,
  cloudUrl,
  tokens: { read: () => readFileSync(tokenFile, "utf8").trim(), write: () => undefined, remove: () => undefined },
  edgeId: edgeIdOf(0xffff, Number(hub)),
  dial: webSocketDial({ clock: systemClock, env: {} }),
  drivers: (host) => {
    driver = memoryDriver(host, Number(hub), Number(devices));
    return [driver];
  },
});

process.stdout.write("ready\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, count = "0"] = line.split(" ");
  if (command !== "report") return;
  void driver?.report(Number(count)).then(() => process.stdout.write("reported\n"));
});
process.on("SIGTERM", () => void agent[Symbol.asyncDispose]().then(() => process.exit(0)));

interface MemoryDriver extends Driver {
  /** Reports `count` changes, many under way at a time, since a hub waits up to 50 ms to commit them together; settles when the last is committed on the hub. */
  report(count: number): Promise<void>;
}

function memoryDriver(host: DriverHost, hub: number, devices: number): MemoryDriver {
  const edgeIds = Array.from({ length: devices }, (_, device) => edgeIdOf(hub, device));
  const values = new Map<string, Value>();
  const known = new Set(edgeIds);
  let seq = 0;
  for (const edgeId of edgeIds) {
    host.arrived({ edgeId, description: LIGHT, about: { model: "In memory" }, transport: "memory" });
    for (const property of ["hue", "saturation"])
      void host.learned({ device: edgeId, service: "LightColor", index: "0", property, value: FIRST });
  }
  return {
    name: "memory",
    has: (edgeId) => known.has(edgeId),
    async read(device, address) {
      return { kind: "value", value: values.get(`${device} ${addressKey(address)}`) ?? FIRST };
    },
    async write(device, address, value, attempt) {
      attempt.touch(() => values.set(`${device} ${addressKey(address)}`, value));
      return { kind: "value", value };
    },
    async report(count) {
      let next = 0;
      const work = async () => {
        while (next < count) {
          const n = next++;
          const device = edgeIds[n % devices] ?? "";
          const value = (n % 990) / 10;
          await host.reported(
            { device, service: "LightColor", index: "0", property: "hue", value },
            { node: device, boot: 1, seq: seq++ % 65_536 },
          );
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
