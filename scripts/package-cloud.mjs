// `npm run package:cloud [-- --arch arm64] [--out FOLDER]`: the cloud as servers of Debian get it, into cloud/dist: a package with one executable that
// needs no Node.js, the portal, and the service. The same sources give the same bytes.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ARCHITECTURES, nativeArchitecture } from "./agent/architectures.mjs";
import { buildCloudPackage } from "./agent/cloud-package.mjs";
import { buildExecutable } from "./agent/executable.mjs";
import { CLOUD } from "./agent/programs.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({ options: { arch: { type: "string" }, out: { type: "string" } } });
const out = resolve(values.out ?? join(root, "cloud", "dist"));
const architecture = values.arch ? ARCHITECTURES[values.arch] : nativeArchitecture();
if (!architecture)
  throw new Error(`${values.arch} is no architecture of the cloud: ${Object.keys(ARCHITECTURES).join(" or ")}`);

mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "porchlight-cloud-"));
try {
  const executable = await buildExecutable(architecture, join(folder, CLOUD.name), CLOUD);
  process.stdout.write(`${buildCloudPackage(architecture, executable, out)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
