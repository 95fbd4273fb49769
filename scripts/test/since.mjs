// What `npm test -- --since REF` runs: the test files that what has changed since a commit can reach.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reached } from "../../test/parts/reach.ts";
import { root } from "../tools.mjs";

/**
 * Gives the `files` to run, and the `notes` to print of those that are left out. What is not committed counts as changed.
 * Throws when git does not know the commit.
 */
export function reachedSince(ref) {
  const changed = [
    ...git("diff", "--name-only", "-z", "--no-renames", ref, "--"),
    ...git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  const paths = git("ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const present = paths.filter((path) => existsSync(join(root, path)));
  const files = new Map(present.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const { tests, unnamed } = reached(files, changed);
  const all = present.filter((path) => /\.test\.tsx?$/.test(path));
  const left = Map.groupBy(
    all.filter((path) => !tests.includes(path)),
    (path) => path.split("/").slice(0, 2).join("/"),
  );
  const notes = [
    `${changed.length} files changed since ${ref}; they reach ${tests.length} of ${all.length} test files.`,
  ];
  if (left.size > 0)
    notes.push(`Left out: ${[...left].map(([folder, { length }]) => `${folder} ${length}`).join(", ")}.`);
  if (unnamed.length > 0) notes.push(`No module names these, so no test of them is known: ${unnamed.join(", ")}.`);
  return { files: tests, notes };
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.split("\0").filter(Boolean);
}
