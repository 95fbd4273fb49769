// Part of the bundled agent: loads a native addon that is inside the executable. The system loads code from files only, so the addon
// becomes a file for that moment, in a folder that no other user can write to, and is taken away at once.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { getRawAsset } from "node:sea";
import { brotliDecompressSync } from "node:zlib";

/** The addon's exports. @throws Error when no folder allows programs to run */
export function nativePart(name) {
  const reasons = [];
  // The first is good nearly everywhere; some systems let no program run from there.
  for (const parent of [tmpdir(), "/var/tmp", "/dev/shm", homedir()]) {
    try {
      return loadFrom(parent, name);
    } catch (failure) {
      reasons.push(`  ${parent}: ${failure.message}`);
    }
  }
  throw new Error(
    `${name} cannot be loaded: set TMPDIR to a folder that may be written to and run programs\n${reasons.join("\n")}`,
  );
}

function loadFrom(parent, name) {
  // Of this process alone: a name that can be guessed could be there already, with another user's code in it.
  const folder = mkdtempSync(join(parent, "porchlight-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, brotliDecompressSync(getRawAsset(name)), { mode: 0o500 });
    return createRequire(path)(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
