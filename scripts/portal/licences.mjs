// A plugin of the portal's build: writes which packages are really in the bundle, with their versions and licences, for the page "About".
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILE = "licences.json";
const LICENCE_FILE = /^(?:licen[cs]e|copying|ofl)(?:[.-].*)?$/i;

/** @returns a plugin of Vite */
export function licences() {
  return {
    name: "porchlight-licences",
    apply: "build",
    generateBundle(_options, bundle) {
      const inChunks = Object.values(bundle).flatMap(({ type, moduleIds }) => (type === "chunk" ? moduleIds : []));
      // Style sheets leave the chunks before this, and bring the fonts.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id));
      const packages = packagesOf([...inChunks, ...styles]);
      this.emitFile({ type: "asset", fileName: FILE, source: JSON.stringify({ packages }) });
    },
  };
}

/** Of those that come from npm: name, version, licence and its text, each once, by name. */
function packagesOf(moduleIds) {
  const folders = new Set(moduleIds.map(folderOf).filter((folder) => folder !== undefined));
  return [...folders].map(described).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The folder of the package that a module is a part of; undefined of the portal's own. */
function folderOf(id) {
  const path = id.replace(/^\0/, "").split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || !path.includes("/node_modules/")) return undefined;
  for (let folder = dirname(path); !folder.endsWith("/node_modules"); folder = dirname(folder)) {
    // Folders inside a package may have a manifest that only states of what kind its modules are.
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version !== undefined) return folder;
  }
  throw new Error(`The build cannot tell of which package ${path} is a part.`);
}

function described(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`The package ${name} does not say its licence.`);
  const file = readdirSync(folder).find((each) => LICENCE_FILE.test(each));
  return { name, version, licence: license, ...(file && { text: readFileSync(join(folder, file), "utf8").trim() }) };
}
