/** Judges every import by the tables of `table.ts`; from sources in memory, so that each rule can be shown a forbidden sample. */
import { posix } from "node:path";
import { type Import, importsOf } from "./imports-of.ts";
import { INSIDES, THROUGH_INDEX } from "./insides.ts";
import type { Manifest } from "./modules.ts";
import { OUTSIDE, PACKAGES, RANKS, type RankRow } from "./table.ts";

const SHARED = "@porchlight/shared";

export interface Codebase {
  /** Source of each module under its path from the root. */
  readonly files: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** Test code and benchmarks: may import what they test and measure. */
export function isTest(path: string): boolean {
  return isInTestFolder(path) || /\.(test|suite|fixture|fake)\.tsx?$/.test(path);
}

/** Outside any package: tests that cross packages, and benchmarks. */
function isOfTheWhole(path: string): boolean {
  return /^(test|bench)\//.test(path);
}

/** Tests and benchmarks of the whole, and the tests of a whole package under its own `test`. */
function isInTestFolder(path: string): boolean {
  return isOfTheWhole(path) || path.startsWith(`${folderOf(path)}/test/`);
}

/** The faults, one sentence each: who imports what, and why it may not. */
export function violations(codebase: Codebase): string[] {
  const found: string[] = [];
  for (const [path, text] of codebase.files) {
    if (!isTest(path) && (!rankOf(path) || hasNoInsideRank(path)))
      found.push(`${path} belongs to no module: give it a row in test/architecture/table.ts`);
    for (const each of importsOf(text)) {
      const why = objection(codebase, path, each);
      if (why) found.push(`${path} imports ${each.specifier || "(worked out at run time)"}: ${why}`);
    }
  }
  return [...found, ...cycles(codebase), ...packageCycles(codebase)];
}

/** Why this module may not have this import; undefined when it may. */
function objection(codebase: Codebase, from: string, each: Import): string | undefined {
  const { specifier } = each;
  if (specifier === "") return isTest(from) ? undefined : "no rule can judge what is worked out at run time";
  if (specifier.startsWith(".")) return objectionInside(codebase, from, posix.join(posix.dirname(from), specifier));
  const own = [...codebase.manifests.values()].find(({ name }) => name === packageOf(specifier));
  return own ? objectionToPackage(codebase, from, each, own) : objectionToOutside(codebase, from, packageOf(specifier));
}

function objectionInside(codebase: Codebase, from: string, to: string): string | undefined {
  if (to === `${folderOf(from)}/package.json`) return undefined;
  // A style sheet is no module, and the build reports one that is not there.
  if (to.endsWith(".css")) return undefined;
  if (!codebase.files.has(to)) return "there is no such file";
  if (to.startsWith("bench/") && !from.startsWith("bench/")) return "only benchmarks import benchmarks";
  if (isTest(from)) return undefined;
  if (isTest(to)) return "production code never imports test code";
  if (folderOf(from) !== folderOf(to)) return "another package is imported by its name, so that its exports hold";
  const [here, there] = [rankOf(from), rankOf(to)];
  if (here && there && here.module === there.module) return objectionInsides(from, to);
  return objectionByRank(here, there) ?? objectionToDepth(to);
}

function objectionByRank(here: Rank | undefined, there: Rank | undefined): string | undefined {
  if (!here || !there || here.module === there.module || there.rank < here.rank) return undefined;
  if (there.rank === here.rank) return `modules of one rank do not import each other (${here.why})`;
  return `${here.module} ranks below ${there.module} (${there.why})`;
}

/** A file directly under `src` is a module by itself. */
function objectionToDepth(to: string): string | undefined {
  const isDeep = THROUGH_INDEX.includes(folderOf(to)) && to.split("/").length > 3 && posix.basename(to) !== "index.ts";
  return isDeep ? "a module is imported through its index.ts" : undefined;
}

function objectionToPackage(
  codebase: Codebase,
  from: string,
  { specifier, typeOnly }: Import,
  to: Manifest,
): string | undefined {
  const subPath = `.${specifier.slice(to.name.length)}`;
  if (!to.exports.some((entry) => isExportedAs(entry, subPath))) return "its package does not export this";
  if (isTest(from)) return undefined;
  if (isTest(subPath)) return "production code never imports test code";
  const folder = folderOf(from);
  const row = PACKAGES.find((each) => each.package === folder);
  const module = subPath.slice(2);
  const target = to.name === SHARED ? `shared/${module}` : to.name.replace("@porchlight/", "");
  const isOfTypes = row?.typesOnly?.includes(target) ?? false;
  if (isOfTypes) return typeOnly ? undefined : `only types may come from there (${row?.why})`;
  if (!codebase.manifests.get(folder)?.dependencies.includes(to.name))
    return `${folder}/package.json does not declare it`;
  const isRefused = to.name === SHARED && !row?.shared.includes(module);
  return isRefused ? `${folder} may not (${row?.why ?? "it stands in no row"})` : undefined;
}

/** @param entry a key of `exports`, with at most one `*` */
function isExportedAs(entry: string, subPath: string): boolean {
  const [head = "", tail] = entry.split("*");
  if (tail === undefined) return entry === subPath;
  return subPath.startsWith(head) && subPath.endsWith(tail) && subPath.length > head.length + tail.length;
}

function objectionToOutside(codebase: Codebase, from: string, name: string): string | undefined {
  const isNode = name.startsWith("node:");
  if (isTest(from)) return isNode || isDeclaredForTests(codebase, from, name) ? undefined : "no manifest declares it";
  const module = `${folderOf(from)}/${rankOf(from)?.module}`;
  const row = OUTSIDE.find(({ of }) => of === module);
  if (row && !row.may.includes(name)) return `${row.of} may not (${row.why})`;
  const isDeclared = codebase.manifests.get(folderOf(from))?.dependencies.includes(name);
  return isNode || isDeclared ? undefined : `${folderOf(from)}/package.json does not declare it`;
}

/** Unit tests use what their package and the root declare; tests of the whole also what any package does. */
function isDeclaredForTests({ manifests }: Codebase, from: string, name: string): boolean {
  const near = [manifests.get(folderOf(from)), manifests.get("")];
  if (near.some((each) => each?.dependencies.includes(name) || each?.devDependencies.includes(name))) return true;
  return isInTestFolder(from) && [...manifests.values()].some((each) => each.dependencies.includes(name));
}

/** Folder of the package in which a module lies, `""` for the root's own tests. */
export function folderOf(path: string): string {
  if (isOfTheWhole(path)) return "";
  return /^(?:(?:drivers|examples)\/)?[^/]*/.exec(path)?.[0] ?? "";
}

interface Rank {
  readonly module: string;
  readonly rank: number;
  readonly why: string;
}

/** Module of a production module and its place in the ranks; undefined when the tables know none. */
function rankOf(path: string): Rank | undefined {
  const folder = folderOf(path);
  const [, module, rest] = /^\/src\/([^/.]+)(.*)/.exec(path.slice(folder.length)) ?? [];
  return rankIn(RANKS[folder], module) ?? (rest?.startsWith(".") ? rankIn(RANKS[folder], ".") : undefined);
}

/** The folders with ranks inside them in which a module lies, the outermost first. */
function insidesOf(path: string): string[] {
  return Object.keys(INSIDES)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => a.length - b.length);
}

function hasNoInsideRank(path: string): boolean {
  return insidesOf(path).some((folder) => folderIn(folder, path) !== undefined && !insideRankOf(folder, path));
}

function insideRankOf(folder: string, path: string): Rank | undefined {
  return rankIn(INSIDES[folder], folderIn(folder, path));
}

/** The folder of `folder` in which the file lies; undefined for a file directly in it. */
function folderIn(folder: string, path: string): string | undefined {
  const [name, ...rest] = path.slice(folder.length + 1).split("/");
  return rest.length === 0 ? undefined : name;
}

function objectionInsides(from: string, to: string): string | undefined {
  for (const folder of insidesOf(from).filter((each) => to.startsWith(`${each}/`))) {
    const why = objectionByRank(insideRankOf(folder, from), insideRankOf(folder, to));
    if (why) return why;
  }
  return undefined;
}

function rankIn(ranks: readonly RankRow[] | undefined, module: string | undefined): Rank | undefined {
  if (module === undefined) return undefined;
  const rank = ranks?.findIndex(({ modules }) => modules.includes(module)) ?? -1;
  const row = ranks?.[rank];
  return row && { module, rank, why: row.why };
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Every ring of files that import each other. */
function cycles({ files }: Codebase): string[] {
  const importedBy = (path: string) =>
    importsOf(files.get(path) ?? "").flatMap(({ specifier }) => {
      const to = posix.join(posix.dirname(path), specifier);
      return specifier.startsWith(".") && files.has(to) ? [to] : [];
    });
  return rings([...files.keys()], importedBy).map((ring) => `${ring}: files that import each other are one file`);
}

/** Every ring of packages that depend on each other, whose order their manifests would leave open. */
function packageCycles({ manifests }: Codebase): string[] {
  const byName = new Map([...manifests.values()].map((manifest) => [manifest.name, manifest]));
  const neededBy = (name: string) => byName.get(name)?.dependencies.filter((each) => byName.has(each)) ?? [];
  return rings([...byName.keys()], neededBy).map(
    (ring) => `${ring}: packages that depend on each other are one package`,
  );
}

/** Every ring, once, in the order of its steps. */
function rings(starts: readonly string[], next: (at: string) => readonly string[]): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (at: string, trail: readonly string[]) => {
    const start = trail.indexOf(at);
    if (start >= 0) found.push([...trail.slice(start), at].join(" -> "));
    if (start >= 0 || done.has(at)) return;
    for (const each of next(at)) walk(each, [...trail, at]);
    done.add(at);
  };
  for (const each of starts) walk(each, []);
  return found;
}
