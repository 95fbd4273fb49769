// The first code of each executable: loads the program's parts, which lie in it too, each when it is first asked for.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { getRawAsset } from "node:sea";
import { compileFunction } from "node:vm";

/** What each part finds around it, as any CommonJS module does. */
const AROUND = ["module", "exports", "require", "__filename", "__dirname"];

const ofNode = createRequire(process.execPath);
const loaded = new Map();

/** A part by its name, or what Node.js has under that name. */
function load(name) {
  if (!name.startsWith("./")) return ofNode(name);
  let module = loaded.get(name);
  if (module === undefined) {
    module = { exports: {} };
    // Parts may need each other in a circle.
    loaded.set(name, module);
    const filename = name.slice(2);
    const text = Buffer.from(getRawAsset(filename)).toString("latin1");
    const run = compileFunction(text, AROUND, { filename });
    run(module, module.exports, load, process.execPath, dirname(process.execPath));
  }
  return module.exports;
}

load("./FIRST_PART");
