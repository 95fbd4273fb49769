// Installs the third-party programs that tests run as neighbours of the hub (zigbee2mqtt, zwave-js-server), by `test/peers/package-lock.json`: they are
// no part of the project, and only the tests need them. A file that is written last marks that they are whole. Matterbridge has a
// lock file of its own, because only the long tests need it, and a bridge looks for itself in the folder that it is installed in.
// `node scripts/test/peers.mjs [--long]` does it by hand.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { root } from "../tools.mjs";

const { runNpm } = createRequire(import.meta.url)("../bootstrap/npm.cjs");

const PEERS = { folder: join(root, "test", "peers"), name: "zigbee2mqtt and zwave-js-server" };
const LONG = { folder: join(root, "test", "peers", "matterbridge"), name: "matterbridge" };

/** What is compiled at installation is optional or comes prebuilt, and nothing of it is used. */
const INSTALL = [
  "ci",
  "--ignore-scripts",
  "--omit=optional",
  "--prefer-offline",
  "--no-fund",
  "--no-audit",
  "--loglevel=warn",
];
/** npm warns of a file that it could not write, for example on a full disk, and goes on as if it had. */
const UNWRITTEN = /TAR_ENTRY_ERROR|ENOSPC/;

/** Makes the packages match the lock files; at once when they do. Gives what cannot be had, each with the reason. */
export async function installPeers({ long = false } = {}) {
  const missing = [];
  for (const peers of long ? [PEERS, LONG] : [PEERS]) missing.push(...(await install(peers)));
  return missing;
}

async function install({ folder, name }) {
  const packages = join(folder, "node_modules");
  // Of which lock file the packages are, once they are whole.
  const stamp = join(packages, ".installed-of");
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return [];
  process.stderr.write(`Installing the tests' neighbours of ${relative(root, folder)} (npm).\n`);
  // What is there in part would be taken for whole.
  rmSync(packages, { recursive: true, force: true });
  const { ended, output } = await runNpm(INSTALL, folder);
  const problem = ended ?? (UNWRITTEN.test(output) ? "npm could not write all files" : undefined);
  if (!problem) {
    writeFileSync(stamp, wanted);
    return [];
  }
  rmSync(packages, { recursive: true, force: true });
  const [, reason] = /^npm error (?!code |errno |syscall )(?:network )?(.+)$/m.exec(output) ?? [];
  return [{ name, why: reason ? `${problem}: ${reason}` : problem }];
}

if (import.meta.main) {
  const missing = await installPeers({ long: process.argv.includes("--long") });
  for (const { name, why } of missing) process.stderr.write(`${name} cannot be had: ${why}\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
