// `npm run package:driver [-- --out FOLDER]`: the Matter driver as hubs get it, into drivers/matter/dist: an archive for
// `porchlight-agent drivers add`, and a Debian package with the same files. The same sources give the same bytes.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildDriverPackages } from "./agent/driver-package.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = resolve(values.out ?? join(root, "drivers/matter", "dist"));
mkdirSync(out, { recursive: true });
for (const path of await buildDriverPackages("matter", out)) process.stdout.write(`${path}\n`);
