// A program as one executable: Node.js with the bundled program and its native parts inside (docs/adr/0017).
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { nodeBinary, root } from "../tools.mjs";
import { nodeFor, tool } from "./architectures.mjs";
import { bundleProgram } from "./bundle.mjs";
import { AGENT } from "./programs.mjs";

/** Where Node.js looks whether something is inside it (Node.js, "Single executable applications"). */
const SENTINEL = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const RESOURCE = "NODE_SEA_BLOB";
const PACKED = { [constants.BROTLI_PARAM_LGWIN]: 16, [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Builds the executable at `path`. Gives it with the folders of the npm `packages` that are in it, and the paths of its native `addons`. */
export async function buildExecutable(architecture, path, program = AGENT) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-program-"));
  try {
    const { code, parts, packages } = await bundleProgram(architecture, folder, program);
    const blob = join(folder, `${program.package}.blob`);
    const settings = {
      // Without its folder: the name stands in the executable, which must be the same on each machine that builds it.
      main: basename(code),
      output: blob,
      assets: packedParts(parts, folder),
      disableExperimentalSEAWarning: true,
      execArgv: program.v8,
      // Neither: what they make fits one processor and one machine's Node.js only, and is not the same bytes twice.
      useCodeCache: false,
      useSnapshot: false,
    };
    writeFileSync(join(folder, "sea.json"), JSON.stringify(settings));
    tool(nodeBinary, ["--experimental-sea-config", "sea.json"], { cwd: folder });
    writeFileSync(path, nodeFor(architecture));
    tool(nodeBinary, [join(root, "scripts", "agent", "inject.mjs"), path, RESOURCE, blob, SENTINEL]);
    chmodSync(path, 0o755);
    return { path, packages, addons: Object.values(parts).filter((part) => part.endsWith(".node")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The parts as they lie in the executable. Code lies there as it is read: to unpack it takes buffers whose place the process keeps, 0.8 MB.
 * Addons are three times as large, and what is read of the executable stays in memory, so that they are packed. With a small window,
 * for the unpacking machine needs as much memory; and quickly, for to search as long as Brotli can takes 4 s and saves 80 kB of 1.1 MB.
 */
function packedParts(parts, folder) {
  const paths = Object.entries(parts).map(([name, path]) => {
    if (!name.endsWith(".node")) return [name, path];
    const to = join(folder, `${name}.br`);
    writeFileSync(to, brotliCompressSync(readFileSync(path), { params: PACKED }));
    return [name, to];
  });
  return Object.fromEntries(paths);
}
