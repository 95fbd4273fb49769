// Builds the portal when its sources have changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root, toolEnvironment } from "../tools.mjs";

const PORTAL = join(root, "portal");
const DIST = join(PORTAL, "dist");
/** Records of what the portal there was built. */
const BUILT_OF = "built-of.txt";
/** What goes into it: with the packages of the lock file. */
const SOURCES = ["portal/src", "portal/public", "sdk/src", "shared/src"];
const FILES = [
  "portal/index.html",
  "portal/vite.config.mjs",
  "portal/package.json",
  "package.json",
  "package-lock.json",
  "scripts/portal/build.mjs",
  "scripts/portal/licences.mjs",
];

/** Makes `portal/dist` what the sources are. Throws with the builder's own words when it cannot. */
export function buildPortal() {
  const fingerprint = fingerprintOf();
  if (isBuiltOf(fingerprint)) return;
  process.stderr.write("Building the portal.\n");
  removeAbandoned();
  // Beside it, and put in its place when it is whole: another process may be building it too.
  const fresh = join(PORTAL, `.dist-${process.pid}`);
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, "build", "--outDir", fresh, "--logLevel", "warn"],
    {
      cwd: PORTAL,
      encoding: "utf8",
      // Each build, a test's too, makes what is served: without it React would bring its warnings.
      env: toolEnvironment({ NODE_ENV: "production" }),
    },
  );
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The portal could not be built:\n${stdout}${stderr}`);
  }
  mkdirSync(fresh, { recursive: true });
  compress(join(fresh, "assets"));
  writeFileSync(join(fresh, BUILT_OF), `${fingerprint}\n`);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
}

/** Beside each script and style sheet as small as it can be made: that takes too long for the service to do it. */
function compress(folder) {
  for (const name of readdirSync(folder).filter((each) => /\.(?:css|js)$/.test(each))) {
    const body = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }));
  }
}

/** What builds that were interrupted have left. */
function removeAbandoned() {
  for (const name of readdirSync(PORTAL)) {
    const [, pid] = /^\.dist-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(PORTAL, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function isBuiltOf(fingerprint) {
  try {
    return readFileSync(join(DIST, BUILT_OF), "utf8").trim() === fingerprint;
  } catch {
    return false;
  }
}

function fingerprintOf() {
  const hash = createHash("sha256");
  const folders = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const paths = [...folders, ...FILES.map((file) => join(root, file))].sort();
  for (const path of paths) hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}
