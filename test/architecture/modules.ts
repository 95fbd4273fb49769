/** Which TypeScript modules there are, found in two ways, so that a rule can prove that it has seen them all. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Source of each module under its path from the root, as the file system has them. */
export function readModules(): Map<string, string> {
  const modules = new Map<string, string>();
  for (const folder of [...workspaces(), "bench", "examples", "packaging", "test"]) {
    const entries = existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      : [];
    for (const entry of entries.sort()) {
      const path = `${folder}/${entry}`;
      if (/\.tsx?$/.test(entry) && !/(^|\/)(node_modules|dist)\//.test(path)) {
        modules.set(path, readFileSync(join(ROOT, path), "utf8"));
      }
    }
  }
  return modules;
}

/** Paths of the same modules as git knows them, committed or not yet: the independent count. */
export function listModules(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.ts", "*.tsx"];
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).split("\0");
  const inside = listed.filter((path) => path.includes("/") && existsSync(join(ROOT, path)));
  return [...new Set(inside)].sort();
}

/** What a package may import by name: its dependencies and, in tests, its development dependencies. */
export interface Manifest {
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Sub-paths that others may import, `*` for any. */
  readonly exports: readonly string[];
}

/** The manifest of each workspace under its folder, and of the root under `""`. */
export function readManifests(): Map<string, Manifest> {
  return new Map(["", ...workspaces()].map((folder) => [folder, readManifest(folder)]));
}

function workspaces(): string[] {
  return strings(readJson("package.json").workspaces);
}

function readManifest(folder: string): Manifest {
  const json = readJson(join(folder, "package.json"));
  return {
    name: String(json.name),
    dependencies: [...keys(json.dependencies), ...keys(json.peerDependencies), ...keys(json.optionalDependencies)],
    devDependencies: keys(json.devDependencies),
    exports: keys(json.exports),
  };
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(JSON.parse(readFileSync(join(ROOT, path), "utf8"))));
}

function keys(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
