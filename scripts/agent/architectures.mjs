// The processors that the agent is built for, by Debian's names for them, and the Node.js that goes into each executable.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { nodeBinary, root } from "../tools.mjs";

/** `node`: Node.js's name of the processor. `strip`: the program that takes debug information out. */
export const ARCHITECTURES = {
  amd64: { debian: "amd64", node: "x64", strip: "x86_64-linux-gnu-strip", stripPackage: "binutils" },
  arm64: {
    debian: "arm64",
    node: "arm64",
    strip: "aarch64-linux-gnu-strip",
    stripPackage: "binutils-aarch64-linux-gnu",
  },
};

/** The architecture of this machine. */
export function nativeArchitecture() {
  const found = Object.values(ARCHITECTURES).find(({ node }) => node === arch());
  if (!found) throw new Error(`the agent is not built for processors of the kind ${arch()}`);
  return found;
}

/** Runs a tool and gives its stdout; its failure is an Error with its whole output. */
export function tool(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status === 0) return stdout;
  const output = `${stdout ?? ""}${stderr ?? ""}`.trim();
  throw new Error(`${command} ${args[0] ?? ""} failed: ${error?.message ?? `status ${status}`}\n${output}`);
}

/**
 * The Node.js of the version that the project runs on, for an architecture, stripped, as bytes.
 * For another than this machine's it comes from npm, which checks what it gets.
 */
export function nodeFor(architecture) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-node-"));
  try {
    const stripped = join(folder, "node");
    strip(architecture, architecture === nativeArchitecture() ? nodeBinary : download(architecture, folder), stripped);
    return readFileSync(stripped);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function download(architecture, folder) {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", "node", "package.json"), "utf8"));
  const name = `node-linux-${architecture.node}`;
  tool("npm", ["pack", `${name}@${version}`, "--pack-destination", folder, "--loglevel=error"]);
  const archive = join(folder, `${name}-${version}.tgz`);
  tool("tar", ["xzf", archive, "-C", folder, "package/bin/node"]);
  return join(folder, "package", "bin", "node");
}

function strip(architecture, from, to) {
  const native = architecture === nativeArchitecture() && !existsSync(join("/usr/bin", architecture.strip));
  try {
    tool(native ? "strip" : architecture.strip, ["-o", to, from]);
  } catch (error) {
    throw new Error(`${error.message}\n(apt-get install ${architecture.stripPackage})`);
  }
}
