/** A hundred simulated devices in one process, each a node of its own that lives sixty times as fast and tells a hub all of it: memory and processor time, beside Node.js that only waits. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeBody, encodeFrame, encodeMessage, FrameReader, type Message } from "@porchlight/shared/wire";
import { Program } from "../parts/program.ts";
import { processorSeconds } from "./parts.ts";
import { print } from "./report.ts";

const DEVICES = 100;
const KINDS = ["colour-light", "thermostat", "plug", "climate-sensor", "motion-sensor", "button", "cover", "lock"];
const WATCH_MS = 30_000;
const MB = 1e6;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
const file = join(folder, "hundred.yaml");
const nodes = Array.from({ length: DEVICES }, (_, at) => {
  const edgeId = `02-50-4C-60-00-${at.toString(16).toUpperCase().padStart(2, "0")}`;
  const device = `{edgeId: ${edgeId}, kind: ${KINDS[at % KINDS.length]}, lively: true}`;
  return `  - {name: n${at}, edgeId: ${edgeId}, tcp: 0, announce: false, devices: [${device}]}\n`;
});
writeFileSync(file, `nodes:\n${nodes.join("")}`);

await using simulator = new Program("simulator", "firmware-sim/src/main.ts", ["run", file, "--json", "--speed", "60"]);
const ports: number[] = [];
await simulator.line((line) => {
  const { path } = JSON.parse(line) as { path: string };
  return ports.push(Number(path.split(":").at(-1))) === DEVICES ? true : undefined;
});
let reports = 0;
const hubs = ports.map(hub);
const pid = simulator.pid;
await new Promise((resolve) => setTimeout(resolve, 5_000));
const [began, used, before] = [performance.now(), processorSeconds(pid), reports];
await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
const seconds = (performance.now() - began) / 1000;
const processor = (processorSeconds(pid) - used) / seconds;
const waiting = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
await new Promise((resolve) => setTimeout(resolve, 1_000));
const [measured, limit] = [residentBytes(pid), residentBytes(waiting.pid ?? 0)];
waiting.kill();
print(`${DEVICES} simulated devices in one process: memory, MB (limit: Node.js that waits)`, {
  measured: measured / MB,
  limit: limit / MB,
  ratio: measured / limit,
  goal: "< 150 MB",
  "reports a second": (reports - before) / seconds,
  "% of a core": 100 * processor,
});
for (const socket of hubs) socket.destroy();
rmSync(folder, { recursive: true, force: true });

/** A hub that greets and acknowledges. */
function hub(port: number) {
  const socket = connect(port, "127.0.0.1");
  const reader = new FrameReader(4095);
  const say = (message: Message) => socket.write(encodeFrame(encodeMessage(message)));
  socket.on("data", (bytes: Buffer) => {
    for (const event of reader.push(bytes)) {
      const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
      if (body?.kind !== "message") continue;
      const { type, seq } = body.message;
      if (type === "HELLO") say({ type: "HELLO_ACK", seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
      if (type === "PING") say({ type: "PONG", seq });
      if (type === "REPORT") {
        reports++;
        say({ type: "ACK", seq });
      }
    }
  });
  return socket;
}

function residentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
