/** The packages in the data folder: adds them atomically, lists and removes them. None of their code is run here. */
import { createHash, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { z } from "zod";
import { type DriverManifest, PackageUnusable, readManifest } from "./manifest.ts";
import { readTarball } from "./tarball.ts";

/** The manifest of an installed package, and its folder. */
export interface InstalledPackage extends DriverManifest {
  readonly folder: string;
  /** SHA-512 of its archive, in npm's form: `sha512-…`. */
  readonly integrity: string;
}

/** A package that has been read and not added. */
export interface OfferedPackage {
  readonly manifest: DriverManifest;
  readonly integrity: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** No package can have a name that begins with a dot. */
const NEW = ".new";
const OLD = ".old";
const INTEGRITY = ".integrity";
/** Files that are kept in addition to the manifest and the code: licences require them. */
const NOTICE = /^(?:licen[cs]e|notice|third[-_]party[-_]notices|copying)(?:\.\w+)?$/i;

/**
 * Reads an archive without adding it.
 * @param expected SHA-512 in npm's form
 * @throws PackageUnusable
 */
export function openPackage(archive: Uint8Array, expected?: string): OfferedPackage {
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  if (expected !== undefined && !equal(expected, integrity))
    throw new PackageUnusable(`it is not the file that was expected: its integrity is ${integrity}`);
  const files = readTarball(archive);
  const text = files.get("package.json");
  if (!text) throw new PackageUnusable("it has no package.json");
  const manifest = readManifest(text.toString("utf8"));
  if (!files.has(manifest.entry))
    throw new PackageUnusable(`it has no ${manifest.entry}, which its package.json names`);
  if (manifest.settings) checkedSchema(manifest.settings);
  return { manifest, integrity, files };
}

/** Adds the package, or replaces another version. @throws PackageUnusable when another package has its name, SystemError */
export function addPackage(data: string, { manifest, integrity, files }: OfferedPackage): void {
  const { shortName, name, entry } = manifest;
  const present = installedPackages(data).find((each) => each.shortName === shortName);
  if (present && present.name !== name)
    throw new PackageUnusable(`${present.name} is installed and has the same name: remove it first`);
  const folder = join(data, "drivers");
  const fresh = join(folder, `${NEW}-${shortName}`);
  rmSync(fresh, { recursive: true, force: true });
  const wanted = [...files].filter(([path]) => path === "package.json" || path === entry || NOTICE.test(path));
  for (const [path, content] of [...wanted, [INTEGRITY, Buffer.from(integrity)] as const])
    writeWhole(join(fresh, path), content);
  const place = join(folder, shortName);
  const old = join(folder, `${OLD}-${shortName}`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

/** All packages by name; of two with one name, that of the data folder. {@link unusablePackages} lists the others with their reasons. */
export function installedPackages(data: string): InstalledPackage[] {
  return readAll(data).flatMap((each) => ("why" in each ? [] : [each]));
}

/** Packages that are present and cannot be used, such as one for a newer agent. */
export function unusablePackages(data: string): UnusablePackage[] {
  return readAll(data).flatMap((each) => ("why" in each ? [each] : []));
}

/** False when the data folder has no package of that name. @throws SystemError */
export function removePackage(data: string, shortName: string): boolean {
  if (!foldersOf(data).includes(shortName)) return false;
  const gone = join(data, "drivers", `${OLD}-${shortName}`);
  rmSync(gone, { recursive: true, force: true });
  renameSync(join(data, "drivers", shortName), gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}

/** A package that is present and cannot be used, such as one for a newer agent. */
export interface UnusablePackage {
  readonly shortName: string;
  readonly why: string;
}

/** The package of that name; undefined when there is none. */
export function readInstalled(data: string, shortName: string): InstalledPackage | UnusablePackage | undefined {
  const folder = foldersOf(data).includes(shortName)
    ? join(data, "drivers", shortName)
    : packagesBeside().get(shortName);
  if (folder === undefined) return undefined;
  try {
    const manifest = readManifest(readFileSync(join(folder, "package.json"), "utf8"));
    if (manifest.shortName !== shortName) throw new PackageUnusable("its folder has a different name");
    return { ...manifest, folder, integrity: readFileSync(join(folder, INTEGRITY), "utf8").slice(0, 128) };
  } catch (failure) {
    return { shortName, why: failure instanceof Error ? failure.message : String(failure) };
  }
}

function readAll(data: string): (InstalledPackage | UnusablePackage)[] {
  const names = new Set([...foldersOf(data), ...packagesBeside().keys()]);
  return [...names].sort().flatMap((shortName) => readInstalled(data, shortName) ?? []);
}

/** Names of the packages' folders. A replacement that was interrupted between its two steps is reverted. */
function foldersOf(data: string): string[] {
  const folder = join(data, "drivers");
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder).sort();
  const cutOff = all.filter((each) => each.startsWith(`${OLD}-`)).map((each) => each.slice(OLD.length + 1));
  const lost = cutOff.filter((each) => !all.includes(each) && all.includes(`${NEW}-${each}`));
  for (const each of lost) renameSync(join(folder, `${OLD}-${each}`), join(folder, each));
  return [...all.filter((each) => !each.startsWith(".")), ...lost].sort();
}

function writeWhole(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < content.byteLength; ) at += writeSync(file, content, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** @throws PackageUnusable when the schema cannot be used */
function checkedSchema(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new PackageUnusable(`\`porchlight.settings\` of its package.json is not a valid JSON Schema: ${why}`);
  }
}

/** Checks settings against the manifest's JSON Schema; returns the problem without any value, or undefined. @throws PackageUnusable */
export function settingsProblem(
  schema: Readonly<Record<string, unknown>> | undefined,
  settings: unknown,
): string | undefined {
  if (!schema) return undefined;
  const { error } = checkedSchema(schema).safeParse(settings);
  const [issue] = error?.issues ?? [];
  return issue && `\`${issue.path.join(".") || "the whole"}\`: ${issue.message}`;
}

/**
 * Folders of the packages that the system has installed beside the agent's executable, by name: the agent itself never changes them.
 * An agent that runs from its sources has none.
 * @param program the executable; undefined when there is none
 */
export function packagesBeside(program = isSea() ? process.execPath : undefined): ReadonlyMap<string, string> {
  if (program === undefined) return new Map();
  const folder = join(dirname(program), "drivers");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  return new Map(names.map((name) => [name, join(folder, name)]));
}
