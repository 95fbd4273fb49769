// Does what somebody does who has just cloned the project, before anything is installed and on the machine's own Node.js: starts it,
// sets a lamp on a serial line and one on the network, and ends it by Ctrl-C. Fails when that leaves a process behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Only ends what hangs. */
const LIMIT_MS = 15 * 60_000;
/** All processes that are started inherit it, also those that lead a process group. */
const MARK = ["PORCHLIGHT_FIRST_START", String(process.pid)];

if (existsSync("node_modules")) throw new Error("This is no first start: node_modules is there.");
const begun = Date.now();
const data = mkdtempSync(join(tmpdir(), "porchlight-first-start-"));
const npm = spawn("npm", ["start", "--", "--json", "--port", "0", "--data", data], {
  env: { ...process.env, [MARK[0]]: MARK[1] },
  stdio: ["ignore", "pipe", "inherit"],
  // A group of its own, to which a terminal would send Ctrl-C.
  detached: true,
});
const hung = setTimeout(() => process.kill(-npm.pid, "SIGKILL"), LIMIT_MS);
// Not its exit: npm may end before what it has started.
const closed = once(npm, "close");
try {
  const facts = await ready();
  tell(`ready after ${seconds(begun)} s on Node.js ${process.versions.node}`);
  for (const alias of ["lamp", "reading-lamp"]) await setLamp(facts, alias);
} finally {
  const asked = Date.now();
  process.kill(-npm.pid, "SIGINT");
  await closed;
  tell(`ended after ${seconds(asked)} s`);
  clearTimeout(hung);
  rmSync(data, { recursive: true, force: true });
}
const left = processesLeft();
if (left.length > 0) throw new Error(`Ctrl-C left processes behind:\n${left.join("\n")}`);

/** The one line that `npm start` prints for programs. */
async function ready() {
  for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith("{")) return JSON.parse(line);
  throw new Error("npm start ended before it was ready.");
}

async function setLamp({ apiUrl, userToken, devices }, alias) {
  const { id, link } = devices.find((device) => device.alias === alias);
  const asked = Date.now();
  const response = await fetch(`${apiUrl}/api/devices/${id}/services/LightColor.hue`, {
    method: "PUT",
    headers: { authorization: `Bearer ${userToken}`, "content-type": "application/json" },
    body: '{"value": 120}',
  });
  const answer = await response.text();
  if (response.status !== 200 || JSON.parse(answer).value !== 120)
    throw new Error(`${alias} (${link}) was not set: ${response.status} ${answer}`);
  tell(`${alias} (${link}) set in ${seconds(asked)} s`);
}

/** Command lines of the processes with the mark in their environment. */
function processesLeft() {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (!environment.includes(MARK.join("="))) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
    } catch {
      // No process, or one that has ended meanwhile.
      return [];
    }
  });
}

function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1);
}

function tell(what) {
  process.stdout.write(`first start: ${what}\n`);
}
