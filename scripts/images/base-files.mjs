// What stands under a program in its image: the C and C++ libraries that it is linked with, certificates, time zones, a user, from the packages
// of the Debian that this machine runs. No shell and no package manager: what is not there needs no update, and helps no intruder.
import { lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { tool } from "../agent/architectures.mjs";

/** Who the programs run as: the number that images without a shell commonly have for it. */
export const USER = 65_532;
/** Where a program keeps what it must not forget. */
export const DATA = "data";
/** Debian's group of serial lines: a container is given it with `group_add`. */
const DIALOUT = 20;

const ZONES = "/usr/share/zoneinfo/";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** @param binaries programs and addons whose libraries are needed */
export function baseFiles(binaries) {
  const libraries = [...new Set(binaries.flatMap(librariesOf))].sort();
  const packages = new Set(["ca-certificates", "tzdata", ...libraries.map(packageOfLibrary)]);
  return [
    ...libraries.map(libraryFile),
    // As Debian has it: one place for libraries under both of its names.
    { path: "lib", link: "usr/lib" },
    { path: "lib64", link: "usr/lib64" },
    ...zones(),
    { path: CERTIFICATES.slice(1), content: readFileSync(CERTIFICATES) },
    ...[...packages].sort().flatMap(describedPackage),
    ...machineFiles(),
    { path: "tmp", mode: 0o1777 },
    { path: DATA, mode: 0o700, owner: USER },
  ];
}

/** Their paths, as the loader of this machine finds them. */
function librariesOf(binary) {
  const found = [...tool("ldd", [binary]).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
  if (found.length === 0) throw new Error(`${binary} names no libraries`);
  return found;
}

/** Under the name by which it is asked for, of any file that leads to here. */
function libraryFile(path) {
  const inUsr = path.startsWith("/usr/") ? path : `/usr${path}`;
  return { path: inUsr.slice(1), content: readFileSync(path), mode: 0o755 };
}

function packageOfLibrary(path) {
  const real = realpathSync(path);
  // Files are listed as they were before /lib became a link to /usr/lib, or after.
  for (const known of [path, real, real.replace(/^\/usr/, "")])
    try {
      return /^([^:,\s]+)/.exec(tool("dpkg-query", ["--search", known]))[1];
    } catch {
      // Under another of its names, then.
    }
  throw new Error(`${path} is of no Debian package: images are made on Debian`);
}

function zones() {
  const listed = tool("dpkg-query", ["--listfiles", "tzdata"])
    .split("\n")
    .filter((path) => path.startsWith(ZONES));
  return listed.flatMap((path) => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return [{ path: path.slice(1), link: readlinkSync(path) }];
    return stat.isFile() ? [{ path: path.slice(1), content: readFileSync(path) }] : [];
  });
}

/** Its licence, and what scanners for known faults look for: which version it is. */
function describedPackage(name) {
  const path = `usr/share/doc/${name}/copyright`;
  const status = tool("dpkg-query", ["--status", name]).replace(/^Conffiles:\n(?: .*\n)*/m, "");
  return [
    { path, content: readFileSync(realpathSync(`/${path}`)) },
    { path: `var/lib/dpkg/status.d/${name}`, content: status },
  ];
}

function machineFiles() {
  const text = (path, lines) => ({ path: join("etc", path), content: `${lines.join("\n")}\n` });
  const release = readFileSync("/etc/os-release", "utf8").trim().split("\n");
  return [
    text("passwd", ["root:x:0:0:root:/root:/sbin/nologin", `porchlight:x:${USER}:${USER}::/${DATA}:/sbin/nologin`]),
    text("group", ["root:x:0:", `dialout:x:${DIALOUT}:`, `porchlight:x:${USER}:`]),
    text("nsswitch.conf", ["passwd: files", "group: files", "hosts: files dns"]),
    text("os-release", release),
  ];
}
