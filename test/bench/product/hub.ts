/** The product's hub for the benchmarks: a real agent with its real store and tunnel, and devices in memory. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Agent } from "@porchlight/agent";
import { webSocketDial } from "@porchlight/agent/uplink/socket/websocket.ts";
import { silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { edgeIdOf, type MemoryDriver, memoryDriver } from "./memory-driver.ts";

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
