/** The user's settings file: profiles, each with a service's address and the token for it. */
import * as fs from "node:fs";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { z } from "zod";

/** Fields of a newer console stay in the file. */
const profile = z.looseObject({
  apiUrl: z.string(),
  token: z.string().optional(),
  tokenId: z.string().optional(),
  accountId: z.string().optional(),
  email: z.string().optional(),
  /** The environment in which a bare alias such as `lamp` is looked up. */
  environment: z.string().optional(),
  ecosystem: z.string().optional(),
});
export type Profile = z.output<typeof profile>;

const settings = z.looseObject({
  /** Format of answers without `--json`. */
  output: z.enum(["table", "json"]).optional(),
  current: z.string().default("default"),
  profiles: z.record(z.string(), profile).default({}),
});
export type Settings = z.output<typeof settings>;

/** The file exists but is unusable. It stays unchanged. */
export class SettingsUnusable extends Error {
  readonly path: string;

  constructor(path: string, why: string, cause?: unknown) {
    super(why, { cause });
    this.path = path;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** Path of the settings. @param home the user's home folder */
export function settingsPath(env: Env, home: string): string {
  if (env.PORCHLIGHT_SETTINGS) return env.PORCHLIGHT_SETTINGS;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "porchlight", "settings.json");
  return join(home, ".porchlight", "settings.json");
}

export class SettingsFile {
  readonly path: string;
  readonly #random: Random;
  readonly #disk: Disk | undefined;

  /** @param disk replaces the machine's file system in tests */
  constructor(path: string, random: Random, disk?: Disk) {
    this.path = path;
    this.#random = random;
    this.#disk = disk;
  }

  /** Reads the settings; no profiles when there is no file. @throws SettingsUnusable */
  read(): Settings {
    const text = this.#text();
    if (text === undefined) return settings.parse({});
    const found = settings.safeParse(parsed(this.path, text));
    if (found.success) return found.data;
    const [issue] = found.error.issues;
    throw new SettingsUnusable(this.path, `\`${issue?.path.join(".") ?? ""}\` in it is not what it must be.`);
  }

  /** Reads, changes and writes the settings. @throws SettingsUnusable, and then nothing is written; SystemError */
  change(change: (settings: Settings) => Settings): void {
    const changed = change(this.read());
    writeAtomically(this.path, `${JSON.stringify(changed, null, 2)}\n`, this.#random, this.#disk);
    removeLeftovers(this.path, this.#disk);
  }

  /** Whether users other than its owner may read it; undefined without a file, and where files have no such modes. */
  get isOpenToOthers(): boolean | undefined {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found && process.platform !== "win32" ? (found.mode & 0o077) !== 0 : undefined;
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.path, "utf8");
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
      if (code === "ENOENT") return undefined;
      throw new SettingsUnusable(this.path, `It cannot be read (${String(code)}).`, cause);
    }
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the text, which may contain a token.
    throw new SettingsUnusable(path, "It is not JSON.");
  }
}

/** File operations for an atomic replacement, each of which a test makes fail. */
export type Disk = Pick<
  typeof fs,
  "openSync" | "writeSync" | "fsyncSync" | "closeSync" | "renameSync" | "rmSync" | "mkdirSync" | "readdirSync"
>;

/** Readable only by the owner, because it contains a token. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Replaces a private file atomically: after a crash it has the old text or the new one, never a part.
 * @param path of the file; its folder is created when it is missing
 * @throws SystemError, and then the file is unchanged
 */
export function writeAtomically(path: string, text: string, random: Random, disk: Disk = fs): void {
  const folder = dirname(path);
  disk.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const beside = join(folder, `.${basename(path)}.${Buffer.from(random.bytes(6)).toString("hex")}.new`);
  try {
    // `wx`: never write to an existing file, because another user's file would keep its mode.
    const file = disk.openSync(beside, "wx", FILE_MODE);
    try {
      disk.writeSync(file, text);
      disk.fsyncSync(file);
    } finally {
      disk.closeSync(file);
    }
    disk.renameSync(beside, path);
  } catch (failure) {
    disk.rmSync(beside, { force: true });
    throw failure;
  }
  syncFolder(folder, disk);
}

/** Removes the temporary files of processes that died between two steps, because they contain a token too. @returns their number */
function removeLeftovers(path: string, disk: Disk = fs): number {
  const folder = dirname(path);
  const isLeftover = (name: string) => name.startsWith(`.${basename(path)}.`) && name.endsWith(".new");
  const left = disk.readdirSync(folder).filter(isLeftover);
  for (const name of left) disk.rmSync(join(folder, name), { force: true });
  return left.length;
}

/** Syncs the folder, so that the new name is on the disk. */
function syncFolder(folder: string, disk: Disk): void {
  const handle = disk.openSync(folder, "r");
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}
