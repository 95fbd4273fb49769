// Installs the npm packages of the lock file, the project's Node.js among them. npm takes a package that is there in part for a whole
// one, so packages are installed into an empty folder only. What says that they are whole is npm's own record of them: npm writes it
// last, and here it is deleted first.
"use strict";

const { existsSync, readFileSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const { allowScripts } = require("../../package.json");
const { runNpm } = require("./npm.cjs");

const root = join(__dirname, "..", "..");
const packages = join(root, "node_modules");
const record = join(packages, ".package-lock.json");
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

/** npm 10 knows nothing of `allowScripts` and would run the scripts of all, which compile what is there prebuilt. */
const allowed = Object.entries(allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));

/** npm warns of a file that it could not write, on a full disk say, and goes on as if it had. */
const UNWRITTEN = /TAR_ENTRY_ERROR|ENOSPC/;

/** Makes `node_modules` what the lock file says; at once when it is. Gives the exit status, and says on stderr what it does. */
async function install() {
  if (isCurrent()) return 0;
  tell("Installing the npm packages of the lock file, once: this takes about half a minute.");
  const problem = empty() ?? (await npmInstall());
  if (!problem) return 0;
  // npm puts what is there first on the path, also a Node.js that was written in part, on which this would run the next time.
  empty();
  tell(`The npm packages could not be installed: ${problem}. When that is mended, run the same command again.`);
  return 1;
}

/** Deletes what is installed. Gives why it cannot. */
function empty() {
  try {
    rmSync(record, { force: true });
    rmSync(packages, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    return `node_modules cannot be emptied (${error.message})`;
  }
}

/** Gives what went wrong. npm's record is put aside until the scripts have run, too. */
async function npmInstall() {
  const aside = `${record}-aside`;
  for (const args of [
    INSTALL,
    ...allowed.map((name) => ["rebuild", name, "--ignore-scripts=false", "--loglevel=warn"]),
  ]) {
    const { ended, said } = await runNpm(args, root);
    const problem = ended ?? (UNWRITTEN.test(said) ? "npm could not write all files" : undefined);
    if (problem) {
      tell(said.trimEnd());
      return problem;
    }
    if (existsSync(record)) renameSync(record, aside);
  }
  renameSync(aside, record);
  return problemOf();
}

/** Why the packages are not good although npm says so; undefined when they are. */
function problemOf() {
  if (!existsSync(projectNode)) return "the project's Node.js is not among them";
  if (!isCurrent()) return "they are not those of package-lock.json (is it up to date with package.json?)";
  return undefined;
}

/** Whether what is installed is what the lock file says; packages for other platforms are rightly absent. */
function isCurrent() {
  const installed = packagesIn(record);
  const locked = packagesIn(join(root, "package-lock.json"));
  if (!installed || !locked || !existsSync(projectNode)) return false;
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
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function tell(text) {
  process.stderr.write(`${text}\n`);
}

module.exports = { install };
