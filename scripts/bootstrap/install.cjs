// Installs the npm packages of the lock file, the project's Node.js among them. npm takes a package that is there in part for a whole
// one, so packages are installed into an empty folder only. A file that is written last marks that they are whole; npm's own
// record is no proof, since npm also writes it when it has installed nothing (`--package-lock-only`). What fails is tried once more:
// a download breaks off, and npm 10 gives up on a slow registry ("Exit handler never called!").
"use strict";

const { createHash } = require("node:crypto");
const { existsSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { allowScripts } = require("../../package.json");
const { runNpm } = require("./npm.cjs");

const root = join(__dirname, "..", "..");
const packages = join(root, "node_modules");
const lockFile = join(root, "package-lock.json");
/** The lock file of the packages, once they are whole. */
const stamp = join(packages, ".installed-of");
const projectNode = join(packages, ".bin", "node");

/**
 * Not `npm ci`: it refuses a lock file without the packages of platforms that the registry it was made with does not carry.
 * What was installed is compared with the lock file instead.
 */
const INSTALL = [
  "install",
  "--ignore-scripts",
  "--no-save",
  "--include=dev",
  "--no-fund",
  "--no-audit",
  "--loglevel=warn",
];

/** npm 10 knows nothing of `allowScripts` and would run the scripts of all, which compile parts that are there prebuilt. */
const allowed = Object.entries(allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));

/** npm warns of a file that it could not write, for example on a full disk, and goes on as if it had. */
const UNWRITTEN = /TAR_ENTRY_ERROR|ENOSPC/;

/** Makes `node_modules` match the lock file; at once when it does. Gives the exit status, and reports on stderr what it does. */
async function install() {
  const wanted = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  if (existsSync(projectNode) && readText(stamp) === wanted) return 0;
  report("Installing the npm packages of the lock file, once: this takes about half a minute.");
  let problem = await installAnew();
  if (problem) {
    report(`The npm packages could not be installed: ${problem}. Trying once more.`);
    problem = await installAnew();
  }
  if (!problem) {
    writeFileSync(stamp, wanted);
    return 0;
  }
  // npm puts what is there first on the path, also a Node.js that was written in part, on which this would run the next time.
  empty();
  report(`The npm packages could not be installed: ${problem}. Fix that, then run the same command again.`);
  return 1;
}

/** Gives what went wrong. What npm has downloaded stays in its cache, so a second attempt is shorter. */
async function installAnew() {
  return empty() ?? (await npmInstall());
}

/** Deletes the installed packages. Gives why it cannot. */
function empty() {
  try {
    rmSync(stamp, { force: true });
    rmSync(packages, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    return `node_modules cannot be emptied (${error.message})`;
  }
}

/** Gives what went wrong. */
async function npmInstall() {
  const rebuilds = allowed.map((name) => ["rebuild", name, "--ignore-scripts=false", "--loglevel=warn"]);
  for (const args of [INSTALL, ...rebuilds]) {
    const { ended, output } = await runNpm(args, root);
    const problem = ended ?? (UNWRITTEN.test(output) ? "npm could not write all files" : undefined);
    if (!problem) continue;
    report(output.trimEnd());
    return problem;
  }
  if (!existsSync(projectNode)) return "the project's Node.js is not among them";
  if (!areLocked()) return "they are not those of package-lock.json (is it up to date with package.json?)";
  return undefined;
}

/** Whether the installed packages match the lock file; packages for other platforms are rightly absent. */
function areLocked() {
  const installed = packagesIn(join(packages, ".package-lock.json"));
  const locked = packagesIn(lockFile);
  if (!installed || !locked) return false;
  const isSame = (path) =>
    installed[path]?.version === locked[path].version && installed[path]?.integrity === locked[path].integrity;
  const isNeeded = (path) => path.startsWith("node_modules/") && !locked[path].optional && !locked[path].devOptional;
  return (
    Object.keys(locked).every((path) => (installed[path] || isNeeded(path) ? isSame(path) : true)) &&
    Object.keys(installed).every((path) => locked[path] || installed[path].optional)
  );
}

/** The packages of a lock file; undefined when it is missing or is not whole. */
function packagesIn(file) {
  try {
    return JSON.parse(readText(file) ?? "").packages;
  } catch {
    return undefined;
  }
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function report(text) {
  process.stderr.write(`${text}\n`);
}

module.exports = { install };
