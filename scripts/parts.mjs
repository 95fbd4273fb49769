// What the tests need of the system besides the npm packages: Debian's packages, installed when they are missing and the caller is root.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

/** Parts of the system that tests run with. */
const PARTS = [
  { name: "PostgreSQL 15 or later", package: "postgresql-15", isThere: hasPostgres },
  { name: "nats-server", package: "nats-server", isThere: () => existsSync("/usr/sbin/nats-server") },
  { name: "Mosquitto", package: "mosquitto", isThere: () => existsSync("/usr/sbin/mosquitto") },
  {
    name: "Chromium",
    package: "chromium-headless-shell",
    isThere: () => existsSync("/usr/bin/chromium-headless-shell"),
  },
  // What sinks write to.
  { name: "InfluxDB 1", package: "influxdb", isThere: () => existsSync("/usr/bin/influxd") },
  { name: "VictoriaMetrics", package: "victoria-metrics", isThere: () => existsSync("/usr/bin/victoria-metrics") },
  // What checks and tests the alert rules of the cloud.
  { name: "promtool", package: "prometheus", isThere: () => existsSync("/usr/bin/promtool") },
  // What the examples of proxies in packaging/cloud are run by.
  { name: "HAProxy", package: "haproxy", isThere: () => existsSync("/usr/sbin/haproxy") },
  { name: "nginx", package: "nginx", isThere: () => existsSync("/usr/sbin/nginx") },
  { name: "Caddy", package: "caddy", isThere: () => existsSync("/usr/bin/caddy") },
  // What the examples in C are linked with, and what reads the captures of boards.
  { name: "Mbed TLS", package: "libmbedtls-dev", isThere: () => existsSync("/usr/include/mbedtls/ssl.h") },
  { name: "tshark", package: "tshark", isThere: () => existsSync("/usr/bin/tshark") },
  // What the hub's package is made with, judged by, and installed on.
  { name: "strip", package: "binutils", isThere: () => existsSync("/usr/bin/strip") },
  { name: "lintian", package: "lintian", isThere: () => existsSync("/usr/bin/lintian") },
  { name: "systemd", package: "systemd", isThere: () => existsSync("/usr/bin/systemd-analyze") },
  { name: "adduser", package: "adduser", isThere: () => existsSync("/usr/sbin/adduser") },
  { name: "libfaketime", package: "faketime", isThere: () => existsSync("/usr/bin/faketime") },
  { name: "ip, for hosts in network namespaces", package: "iproute2", isThere: () => existsSync("/sbin/ip") },
  { name: "systemd-notify", package: "systemd", isThere: () => existsSync("/bin/systemd-notify") },
  // What the lines that `npm start` prints are pasted for.
  { name: "curl", package: "curl", isThere: () => existsSync("/usr/bin/curl") },
  // A terminal that tests can type on and look at, and the shells that complete the console's commands.
  { name: "tmux", package: "tmux", isThere: () => existsSync("/usr/bin/tmux") },
  { name: "zsh", package: "zsh", isThere: () => existsSync("/usr/bin/zsh") },
  { name: "fish", package: "fish", isThere: () => existsSync("/usr/bin/fish") },
  // The client for Python: what runs it, installs it, and judges its types and its form.
  { name: "Python 3", package: "python3", isThere: () => existsSync("/usr/bin/python3") },
  { name: "pip", package: "python3-pip", isThere: () => existsSync("/usr/lib/python3/dist-packages/pip") },
  {
    name: "setuptools",
    package: "python3-setuptools",
    isThere: () => existsSync("/usr/lib/python3/dist-packages/setuptools"),
  },
  { name: "wheel", package: "python3-wheel", isThere: () => existsSync("/usr/lib/python3/dist-packages/wheel") },
  { name: "mypy", package: "mypy", isThere: () => existsSync("/usr/bin/mypy") },
  { name: "Black", package: "black", isThere: () => existsSync("/usr/bin/black") },
  // What runs the functions of docs/webhooks.md.
  { name: "Go", package: "golang-go", isThere: () => existsSync("/usr/bin/go") },
  { name: "Ruby", package: "ruby", isThere: () => existsSync("/usr/bin/ruby") },
  { name: "PHP", package: "php-cli", isThere: () => existsSync("/usr/bin/php") },
  // What images are unpacked, run and judged with, and what goes into them besides the C library.
  { name: "umoci", package: "umoci", isThere: () => existsSync("/usr/bin/umoci") },
  { name: "runc", package: "runc", isThere: () => existsSync("/usr/sbin/runc") },
  { name: "docker-compose", package: "docker-compose", isThere: () => existsSync("/usr/bin/docker-compose") },
  { name: "time zones", package: "tzdata", isThere: () => existsSync("/usr/share/zoneinfo/Europe/Berlin") },
  {
    name: "certificates",
    package: "ca-certificates",
    isThere: () => existsSync("/etc/ssl/certs/ca-certificates.crt"),
  },
  { name: "Avahi", package: "avahi-daemon", isThere: () => existsSync("/usr/sbin/avahi-daemon") },
  { name: "Avahi's tools", package: "avahi-utils", isThere: () => existsSync("/usr/bin/avahi-publish") },
];

/** What benchmarks compare with, besides parts that tests run with: by the benchmark's name. */
export const PARTS_OF_BENCHMARKS = {
  peers: [
    ...PARTS.filter(({ package: wanted }) => ["nats-server", "mosquitto"].includes(wanted)),
    { name: "Redis", package: "redis-server", isThere: () => existsSync("/usr/bin/redis-server") },
  ],
};

/** Installs missing parts of the system. Gives those that cannot be had, each with the reason, for the caller to report as failed. */
export function installParts(parts = PARTS) {
  const missing = parts.filter((part) => !part.isThere());
  if (missing.length === 0) return [];
  const names = missing.map((part) => part.name).join(", ");
  if (process.getuid?.() !== 0)
    return missing.map(({ name, package: wanted }) => ({
      name,
      why: `only root can install it: apt-get install ${wanted}`,
    }));
  report(`Installing ${names} (apt-get).`);
  let why = "";
  const letServicesStart = keepServicesFromStarting();
  try {
    keepClusterFromStarting();
    installPackages(missing.map((part) => part.package));
  } catch (error) {
    why = error.message;
  } finally {
    letServicesStart();
  }
  return missing
    .filter((part) => !part.isThere())
    .map(({ name }) => ({ name, why: why || "it was installed and is still not found" }));
}

/**
 * Installs packages of the system. An installation that was interrupted is completed first: until then, apt-get installs nothing.
 * @throws Error with the command that failed, and how to mend it
 */
export function installPackages(packages) {
  const mend = "an installation was interrupted and cannot be completed: look at the output of `dpkg --configure -a`";
  run("dpkg", ["--configure", "-a"], `dpkg --configure -a failed: ${mend}`);
  run("apt-get", ["update", "-q"], "apt-get update failed");
  run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages], "apt-get install failed");
}

/** Debian's package would make and start a server of its own on the well-known port; tests start theirs where it disturbs nothing. */
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

/** Runs a command in the repository; its stdout goes to stderr, for stdout belongs to the caller. */
function run(command, args, failure) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${failure} (${error?.message ?? `status ${status}`}).`);
}

function report(sentence) {
  process.stderr.write(`${sentence}\n`);
}
