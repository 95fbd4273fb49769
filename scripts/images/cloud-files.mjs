// The files that the cloud's code reads beside itself, for an image: each at its path in the repository, where `url-beside.mjs` looks for it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildPortal } from "../portal/build.mjs";
import { root } from "../tools.mjs";

const FILES = [
  "CHANGELOG.md",
  "cloud/src/accounts/common-passwords.txt",
  "cloud/src/docs/assets",
  "docs/api.md",
  "docs/contract/api.md",
  "docs/contract/device-protocol.md",
  "docs/contract/tunnel.md",
  "docs/first-hour.md",
  "docs/glossary.md",
  "docs/webhooks.md",
  "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  "portal/dist",
];

/** Path and content of each. The portal is built for it. */
export function cloudFiles() {
  buildPortal();
  return FILES.flatMap(filesIn)
    .sort()
    .map((path) => ({ path, content: readFileSync(join(root, path)) }));
}

/** Folders of the npm packages that the portal is made of, for their licences. */
export function packagesOfPages() {
  const found = new Set();
  for (const own of ["portal", "sdk", "shared"]) addDependencies(join(root, own), found);
  return [...found].sort();
}

/** With those of each, as npm has put them: beside the package that asks, or in a folder above. */
function addDependencies(folder, found) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith("@porchlight/")) continue;
    const nested = join(folder, "node_modules", name);
    const each = existsSync(nested) ? nested : join(root, "node_modules", name);
    if (found.has(each)) continue;
    found.add(each);
    addDependencies(each, found);
  }
}

function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((each) => statSync(join(root, each)).isFile());
}
