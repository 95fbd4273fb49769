// The tree of files that becomes a package: its metadata, and a guard that nothing of the machine that made it can be seen in it.
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools.mjs";

/** The time that everything in a package has, in seconds: as Debian's own tools have it, that of the newest entry of the changelog. */
export function sourceEpoch() {
  const changelog = readFileSync(join(root, "packaging", "agent", "changelog"), "utf8");
  return Number(process.env.SOURCE_DATE_EPOCH ?? Date.parse(/^ -- .*> {2}(.*)$/m.exec(changelog)[1]) / 1000);
}

/** The list of checksums that dpkg checks files against, and the size on the disk. */
export function sums(tree) {
  const files = entries(tree).filter((path) => lstatSync(join(tree, path)).isFile());
  const lines = files.map(
    (path) =>
      `${createHash("md5")
        .update(readFileSync(join(tree, path)))
        .digest("hex")}  ${path}\n`,
  );
  // As dpkg counts: whole kibibytes a file, and one for everything else.
  const sizes = entries(tree).map((path) => {
    const { size } = lstatSync(join(tree, path));
    return files.includes(path) ? Math.ceil(size / 1024) : 1;
  });
  return { md5sums: lines.join(""), kibibytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Gives every file the same time, and every folder the same mode, independent of the machine. @param epoch in seconds */
export function lookAlike(tree, epoch) {
  for (const path of ["", ...entries(tree)]) {
    const full = join(tree, path);
    if (lstatSync(full).isDirectory()) chmodSync(full, 0o755);
    utimesSync(full, epoch, epoch);
  }
}

function entries(tree) {
  return readdirSync(tree, { recursive: true, encoding: "utf8" }).sort();
}
