// `npm run package:console [-- --arch arm64] [--out FOLDER]`: the console as one executable that needs no Node.js, into console/dist, made
// as the agent's is, and beside it the licences of what is inside. The same sources give the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ARCHITECTURES, nativeArchitecture } from "./agent/architectures.mjs";
import { buildExecutable } from "./agent/executable.mjs";
import { notices } from "./agent/notices.mjs";
import { CONSOLE } from "./agent/programs.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({
  options: { arch: { type: "string" }, out: { type: "string" } },
});
const out = resolve(values.out ?? join(root, "console", "dist"));
const architecture = values.arch ? ARCHITECTURES[values.arch] : nativeArchitecture();
if (!architecture)
  throw new Error(`${values.arch} is no architecture of the console: ${Object.keys(ARCHITECTURES).join(" or ")}`);

mkdirSync(out, { recursive: true });
const name = `${CONSOLE.name}-linux-${architecture.debian}`;
const { path, packages } = await buildExecutable(architecture, join(out, name), CONSOLE);
const licences = join(out, `${name}.third-party-notices.txt`);
writeFileSync(
  licences,
  notices(packages, readFileSync(join(root, "packaging", "agent", "nodejs-licence.txt"), "utf8")),
);
for (const made of [path, licences]) process.stdout.write(`${made}\n`);
