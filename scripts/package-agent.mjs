// `npm run package:agent [-- --arch arm64] [--out FOLDER]`: the agent as hubs get it, into agent/dist: one executable that needs no
// Node.js on the hub, and a Debian package with it. The same sources give the same bytes.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ARCHITECTURES, nativeArchitecture } from "./agent/architectures.mjs";
import { buildDebianPackage } from "./agent/debian.mjs";
import { buildExecutable } from "./agent/executable.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({
  options: { arch: { type: "string" }, out: { type: "string" } },
});
const out = resolve(values.out ?? join(root, "agent", "dist"));
const architecture = values.arch ? ARCHITECTURES[values.arch] : nativeArchitecture();
if (!architecture)
  throw new Error(`${values.arch} is no architecture of the agent: ${Object.keys(ARCHITECTURES).join(" or ")}`);

mkdirSync(out, { recursive: true });
const executable = await buildExecutable(architecture, join(out, `porchlight-agent-linux-${architecture.debian}`));
const debianPackage = buildDebianPackage(architecture, executable, out);
for (const path of [executable.path, debianPackage]) process.stdout.write(`${path}\n`);
