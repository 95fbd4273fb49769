// The agent as one executable: Node.js with the bundled agent and its native parts inside (docs/adr/0017).
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { nodeBinary, root } from "../setup.mjs";
import { nodeFor, tool } from "./architectures.mjs";
import { bundleAgent } from "./bundle.mjs";

/** Where Node.js looks whether something is inside it (Node.js, "Single executable applications"). */
const SENTINEL = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const RESOURCE = "NODE_SEA_BLOB";

/** Builds the executable at `path`. Gives `{path, packages}`: the folders of the npm packages that are in it. */
export async function buildExecutable(architecture, path) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-agent-"));
  try {
    const { code, nativeParts, packages } = await bundleAgent(architecture, folder);
    const blob = join(folder, "agent.blob");
    const settings = {
      // Without its folder: the name stands in the executable, which is to be the same wherever it is built.
      main: basename(code),
      output: blob,
      assets: nativeParts,
      disableExperimentalSEAWarning: true,
      // A hub has little memory and much time: 18 MB less with 100 devices (docs/benchmarks.md).
      execArgv: ["--max-semi-space-size=1", "--optimize-for-size"],
      // Neither: what they make fits one processor and one machine's Node.js only, and is not the same bytes twice.
      useCodeCache: false,
      useSnapshot: false,
    };
    writeFileSync(join(folder, "sea.json"), JSON.stringify(settings));
    tool(nodeBinary, ["--experimental-sea-config", "sea.json"], { cwd: folder });
    writeFileSync(path, nodeFor(architecture));
    tool(nodeBinary, [join(root, "scripts", "agent", "inject.mjs"), path, RESOURCE, blob, SENTINEL]);
    chmodSync(path, 0o755);
    return { path, packages };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
