// Part of the bundled agent: loads a library whose code lies in the executable beside the program's own.
import { createRequire } from "node:module";
import { getRawAsset } from "node:sea";
import { compileFunction } from "node:vm";
import { brotliDecompressSync } from "node:zlib";

/** The library's exports. */
export function latePart(name) {
  const text = brotliDecompressSync(getRawAsset(name)).toString("latin1");
  const module = { exports: {} };
  // It needs nothing besides what Node.js has.
  compileFunction(text, ["module", "exports", "require"], { filename: name })(
    module,
    module.exports,
    createRequire(process.execPath),
  );
  return module.exports;
}
