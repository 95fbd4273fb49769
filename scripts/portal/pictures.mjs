// `npm run portal:pictures [-- --port N]`: the pictures of the portal that stand in the documents, taken of a demonstration that is started
// and furnished for them, and ended afterwards. Into docs/images.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { systemClock } from "@porchlight/shared/kernel";
import { askAgent } from "../../agent/src/ops/control-socket.ts";
import { installParts } from "../parts.mjs";
import { Api } from "../start/api.mjs";
import { root } from "../tools.mjs";
import { furnish } from "./furnish.mjs";
import { takePictures } from "./take-pictures.mjs";

/** A larger picture makes each clone of the repository slower. */
const MOST_BYTES = 200_000;

const { values: options } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const missing = installParts().find(({ name }) => name === "Chromium");
if (missing) throw new Error(`There is no Chromium: ${missing.why}`);

const data = mkdtempSync(join(tmpdir(), "porchlight-pictures-"));
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const home = spawn(process.execPath, ["scripts/start.mjs", "--json", "--port", options.port, "--data", data], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [line] = await Promise.race([once(createInterface({ input: home.stdout }), "line"), endOf(home)]);
  const facts = JSON.parse(line);
  const made = await furnish(new Api(facts.apiUrl), facts, `http://127.0.0.1:${receiver.address().port}/porchlight`);
  await showMatterCode(facts.devices.length);
  for (const file of await takePictures(facts, made, join(root, "docs", "images"))) {
    const { size } = statSync(file);
    process.stdout.write(`${file} ${size} bytes\n`);
    if (size > MOST_BYTES) throw new Error(`${file} has more than ${MOST_BYTES} bytes.`);
  }
} finally {
  if (home.exitCode === null) {
    home.kill("SIGTERM");
    await once(home, "exit");
  }
  receiver.close();
  rmSync(data, { recursive: true, force: true });
}

/** As a Matter bridge beside the agent reports it. The code is the one of examples: it pairs no device. */
async function showMatterCode(devices) {
  const code = { qrCode: "MT:Y.K9042C00KA0648G00", manualCode: "34970112332" };
  const is = { state: "waiting", ...code, devices, controllers: [] };
  const { kind } = await askAgent(
    join(data, "agent"),
    { ask: "drivers", about: { ask: "matter bridge", is } },
    systemClock,
  );
  if (kind !== "answered") throw new Error(`The agent did not take the code of the bridge (${kind}).`);
}

async function endOf(program) {
  const [status] = await once(program, "exit");
  throw new Error(`The demonstration ended before it was ready (status ${status}).`);
}
