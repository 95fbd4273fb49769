// `npm run package:matter-bridge [-- --out FOLDER]`: the Matter bridge as hubs get it, into matter-bridge/dist: one bundled file that runs on
// the agent's own Node.js, and a Debian package with it, the same for every processor. The same sources give the same bytes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildBridgePackage } from "./agent/bridge-package.mjs";
import { bundleOneFile } from "./agent/one-file.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = resolve(values.out ?? join(root, "matter-bridge", "dist"));
mkdirSync(out, { recursive: true });
const { code, packages } = await bundleOneFile("matter-bridge/src/main.ts");
// The agent's executable loads it: no user runs it as a script.
const bundle = { code: code.replace(/^#!.*\n/, ""), packages };
const program = join(out, "porchlight-matter-bridge.cjs");
writeFileSync(program, bundle.code);
for (const path of [program, buildBridgePackage(bundle, out)]) process.stdout.write(`${path}\n`);
