/**
 * Which test files a change can reach: by imports, and by the paths that a module names in its strings, for a test starts the programs
 * and reads the files whose paths it names.
 */
import { dirname, join } from "node:path/posix";
import { codeOf } from "../architecture/code-of.ts";
import { importsOf } from "../architecture/imports-of.ts";

export interface Reached {
  /** Test files, in the order of their paths. */
  readonly tests: readonly string[];
  /** Changed files that no module names: which tests are about them is unknown. */
  readonly unnamed: readonly string[];
}

/** What all tests depend on, with any imports. */
const EVERYTHING =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|vitest\.config\.ts|test\/parts\/[\w-]+-setup\.\w+|\.npmrc)$/;

/** What no string names whole: the portal is built for each test with a browser, and packages are made of folders. */
const ALSO: readonly (readonly [from: string, to: RegExp])[] = [
  ["test/parts/chromium.ts", /^portal\/(?!.*\.test\.)/],
  ["scripts/agent/debian.mjs", /^packaging\/agent\//],
  ["packaging/test/cloud.test.ts", /^packaging\/cloud\//],
];

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isModule = (path: string) => /\.(?:[cm]?[jt]s|tsx)$/.test(path);
/** Modules that only other modules use, and by their path. */
const isImported = (path: string) => /\.tsx?$/.test(path);

/** @param files text of every file of the repository that is text, by its path @param changed paths, of which some may be gone */
export function reached(files: ReadonlyMap<string, string>, changed: readonly string[]): Reached {
  const tests = [...files.keys()].filter(isTest).sort();
  if (changed.some((path) => EVERYTHING.test(path))) return { tests, unnamed: [] };
  const users = usersOf(files, changed);
  const found = new Set<string>(changed);
  for (const path of found) for (const user of users.get(path) ?? []) found.add(user);
  return {
    tests: tests.filter((path) => found.has(path)),
    unnamed: changed.filter((path) => !isTest(path) && !users.has(path)).sort(),
  };
}

/** The modules that use each file, also a file that is gone. */
function usersOf(files: ReadonlyMap<string, string>, changed: readonly string[]): ReadonlyMap<string, Set<string>> {
  const paths = [...new Set([...files.keys(), ...changed])];
  const known = new Set(paths);
  const users = new Map<string, Set<string>>();
  const add = (used: string, user: string) => {
    if (used !== user) users.set(used, (users.get(used) ?? new Set()).add(user));
  };
  const bySuffix = suffixes(paths.filter((path) => !isImported(path)));
  for (const [path, text] of files) {
    if (!isModule(path)) continue;
    for (const { specifier } of importsOf(text)) for (const used of targets(path, specifier, known)) add(used, path);
    for (const literal of codeOf(text).strings) {
      const name = literal.replace(/^(?:\.{0,2}\/)+/, "");
      if (known.has(name)) add(name, path);
      for (const used of bySuffix.get(name) ?? []) add(used, path);
    }
    for (const [from, to] of ALSO) if (from === path) for (const used of paths) if (to.test(used)) add(used, path);
  }
  return users;
}

/** Files by each end of their path that looks like one, and by each folder that they are in: a test joins paths of their parts. */
function suffixes(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    const parts = path.split("/");
    const ends = parts.map((_, at) => parts.slice(at).join("/")).filter((end) => /[./]/.test(end));
    const folders = parts.slice(2).map((_, at) => parts.slice(0, at + 2).join("/"));
    for (const name of new Set([...ends, ...folders])) found.set(name, [...(found.get(name) ?? []), path]);
  }
  return found;
}

/** What an import may mean: itself, or the front of one of our packages. */
function targets(from: string, specifier: string, known: ReadonlySet<string>): string[] {
  if (specifier.startsWith(".")) return [join(dirname(from), specifier)].filter((path) => known.has(path));
  const [, name, rest = ""] = /^@porchlight\/([\w-]+)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (name === undefined) return [];
  const folders = [name, name.replace(/^driver-/, "drivers/")];
  const ends = folders.map((folder) => join(folder, "src", rest));
  return ends.flatMap((at) => [at, `${at}/index.ts`, `${at}.ts`]).filter((path) => known.has(path));
}
