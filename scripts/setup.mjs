// What the project needs on a machine: its npm packages and, for the tests, the system's own parts. Tells on stderr what it
// does, and does nothing when all is there. Runs on the machine's Node.js; everything after it runs on the one installed here.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

const binaries = join(root, "node_modules", ".bin");

/** The Node.js that the project runs on. */
export const nodeBinary = join(binaries, "node");

/** The environment in which the project's own tools come first. */
export function toolEnvironment(more = {}) {
  return { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}`, ...more };
}

/** Parts of the system that tests run with. */
const PARTS = [
  { name: "PostgreSQL 15 or later", package: "postgresql-15", isThere: hasPostgres },
  { name: "nats-server", package: "nats-server", isThere: () => existsSync("/usr/sbin/nats-server") },
  { name: "Chromium", package: "chromium", isThere: () => existsSync("/usr/bin/chromium") },
  // What the hub's package is made with, judged by, and installed on.
  { name: "strip", package: "binutils", isThere: () => existsSync("/usr/bin/strip") },
  { name: "lintian", package: "lintian", isThere: () => existsSync("/usr/bin/lintian") },
  { name: "systemd", package: "systemd", isThere: () => existsSync("/usr/bin/systemd-analyze") },
  { name: "adduser", package: "adduser", isThere: () => existsSync("/usr/sbin/adduser") },
  { name: "libfaketime", package: "faketime", isThere: () => existsSync("/usr/bin/faketime") },
  { name: "ip, for hosts in network namespaces", package: "iproute2", isThere: () => existsSync("/sbin/ip") },
  { name: "systemd-notify", package: "systemd", isThere: () => existsSync("/bin/systemd-notify") },
  // A terminal that tests can type on and look at, and the shells that complete the console's commands.
  { name: "tmux", package: "tmux", isThere: () => existsSync("/usr/bin/tmux") },
  { name: "zsh", package: "zsh", isThere: () => existsSync("/usr/bin/zsh") },
  { name: "fish", package: "fish", isThere: () => existsSync("/usr/bin/fish") },
  { name: "Avahi", package: "avahi-daemon", isThere: () => existsSync("/usr/sbin/avahi-daemon") },
  { name: "Avahi's tools", package: "avahi-utils", isThere: () => existsSync("/usr/bin/avahi-publish") },
];

/**
 * Installs the npm packages when they are missing or are not those of the lock file. Throws when that fails.
 * Not by `npm ci`: it refuses a lock file without the packages of platforms that the registry it was made with does not carry.
 * What was installed is compared with the lock file instead.
 */
export function installPackages() {
  if (arePackagesCurrent()) return;
  tell("Installing the npm packages of the lock file.");
  const options = ["--no-save", "--include=dev", "--no-fund", "--no-audit", "--loglevel=error"];
  run("npm", ["install", ...options], "The npm packages could not be installed");
  if (!arePackagesCurrent())
    throw new Error(
      "The npm packages installed are not those of package-lock.json: is it up to date with package.json?",
    );
}

/** Installs missing parts of the system. Gives those that cannot be had, each with the reason, for the caller to report as failed. */
export function installParts() {
  const missing = PARTS.filter((part) => !part.isThere());
  if (missing.length === 0) return [];
  const names = missing.map((part) => part.name).join(", ");
  if (process.getuid?.() !== 0)
    return missing.map(({ name, package: wanted }) => ({
      name,
      why: `only root can install it: apt-get install ${wanted}`,
    }));
  tell(`Installing ${names} (apt-get).`);
  let why = "";
  const letServicesStart = keepServicesFromStarting();
  try {
    keepClusterFromStarting();
    const options = ["-y", "-q", "--no-install-recommends"];
    run("apt-get", ["update", "-q"], "apt-get update failed");
    run("apt-get", ["install", ...options, ...missing.map((part) => part.package)], "apt-get install failed");
  } catch (error) {
    why = error.message;
  } finally {
    letServicesStart();
  }
  return missing
    .filter((part) => !part.isThere())
    .map(({ name }) => ({ name, why: why || "it was installed and is still not found" }));
}

/** Debian's package would make and start a server of its own on the well-known port; tests start theirs where it disturbs nobody. */
function keepClusterFromStarting() {
  const folder = "/etc/postgresql-common";
  if (existsSync(join(folder, "createcluster.conf"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "createcluster.conf"), "create_main_cluster = false\n");
}

/** A package's daemon would begin to serve this machine's network; tests start theirs in networks of their own. Gives what undoes it. */
function keepServicesFromStarting() {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return () => {};
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return () => rmSync(policy);
}

function hasPostgres() {
  const folder = "/usr/lib/postgresql";
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some(
    (version) => Number(version) >= 15 && existsSync(join(folder, version, "bin", "initdb")),
  );
}

/** Whether what is installed is what the lock file says; packages for other platforms are rightly absent. */
function arePackagesCurrent() {
  const installed = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  const locked = readJson(join(root, "package-lock.json"))?.packages;
  if (!installed || !locked || !existsSync(nodeBinary)) return false;
  const isSame = (path) =>
    installed[path]?.version === locked[path].version && installed[path]?.integrity === locked[path].integrity;
  const isNeeded = (path) => path.startsWith("node_modules/") && !locked[path].optional && !locked[path].devOptional;
  return (
    Object.keys(locked).every((path) => (installed[path] || isNeeded(path) ? isSame(path) : true)) &&
    Object.keys(installed).every((path) => locked[path] || installed[path].optional)
  );
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Runs a command in the repository; its stdout goes to stderr, for stdout belongs to the caller. */
function run(command, args, failure) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${failure} (${error?.message ?? `status ${status}`}).`);
}

function tell(sentence) {
  process.stderr.write(`${sentence}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    installPackages();
    const missing = installParts();
    for (const { name, why } of missing) tell(`${name} cannot be had: ${why}`);
    process.exitCode = missing.length > 0 ? 1 : 0;
  } catch (error) {
    tell(error.message);
    process.exitCode = 1;
  }
}
