/** The settings file of one person: profiles, each a service's address and the token for it. */
import * as fs from "node:fs";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { z } from "zod";

/** What a newer console has written besides stays in the file. */
const profile = z.looseObject({
  apiUrl: z.string(),
  token: z.string().optional(),
  tokenId: z.string().optional(),
  accountId: z.string().optional(),
  email: z.string().optional(),
  /** Where `lamp` alone is looked for. */
  environment: z.string().optional(),
  ecosystem: z.string().optional(),
});
export type Profile = z.output<typeof profile>;

const settings = z.looseObject({
  /** How answers are shown without `--json`. */
  output: z.enum(["table", "json"]).optional(),
  current: z.string().default("default"),
  profiles: z.record(z.string(), profile).default({}),
});
export type Settings = z.output<typeof settings>;

/** The file is there and cannot be used. It is left as it is. */
export class SettingsUnusable extends Error {
  readonly path: string;

  constructor(path: string, why: string, cause?: unknown) {
    super(why, { cause });
    this.path = path;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** Where the settings are. @param home folder of the person */
export function settingsPath(env: Env, home: string): string {
  if (env.PORCHLIGHT_SETTINGS) return env.PORCHLIGHT_SETTINGS;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "porchlight", "settings.json");
  return join(home, ".porchlight", "settings.json");
}

export class SettingsFile {
  readonly path: string;
  readonly #random: Random;
  readonly #disk: Disk | undefined;

  /** @param disk in place of the machine's own, for tests */
  constructor(path: string, random: Random, disk?: Disk) {
    this.path = path;
    this.#random = random;
    this.#disk = disk;
  }

  /** Without a file: no profiles. @throws SettingsUnusable */
  read(): Settings {
    const text = this.#text();
    if (text === undefined) return settings.parse({});
    const found = settings.safeParse(parsed(this.path, text));
    if (found.success) return found.data;
    const [issue] = found.error.issues;
    throw new SettingsUnusable(this.path, `\`${issue?.path.join(".") ?? ""}\` in it is not what it must be.`);
  }

  /** Reads, changes and writes it. @throws SettingsUnusable, and then nothing is written; SystemError */
  change(change: (settings: Settings) => Settings): void {
    const changed = change(this.read());
    writeAtomically(this.path, `${JSON.stringify(changed, null, 2)}\n`, this.#random, this.#disk);
    removeLeftovers(this.path, this.#disk);
  }

  /** Whether others than its owner may read it; undefined without a file, and where files have no such modes. */
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
    // The parser's own words would quote the text, and it may hold a token.
    throw new SettingsUnusable(path, "It is not JSON.");
  }
}

// Replaces a private file whole or not at all: after a crash in the middle the old text or the new one is there, never a piece.

/** The steps on the disk; a test makes each of them fail. */
export type Disk = Pick<
  typeof fs,
  "openSync" | "writeSync" | "fsyncSync" | "closeSync" | "renameSync" | "rmSync" | "mkdirSync" | "readdirSync"
>;

/** Only its owner may read it: it holds a token. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * @param path of the file; its folder is made when it is missing
 * @throws SystemError, and then the file is as it was
 */
export function writeAtomically(path: string, text: string, random: Random, disk: Disk = fs): void {
  const folder = dirname(path);
  disk.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const beside = join(folder, `.${basename(path)}.${Buffer.from(random.bytes(6)).toString("hex")}.new`);
  try {
    // Not over what is there: somebody else's file would keep its mode.
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

/** What a process left behind that died between two steps holds a token too. @returns how many there were */
function removeLeftovers(path: string, disk: Disk = fs): number {
  const folder = dirname(path);
  const isLeftover = (name: string) => name.startsWith(`.${basename(path)}.`) && name.endsWith(".new");
  const left = disk.readdirSync(folder).filter(isLeftover);
  for (const name of left) disk.rmSync(join(folder, name), { force: true });
  return left.length;
}

/** The new name is on the disk when this returns. */
function syncFolder(folder: string, disk: Disk): void {
  const handle = disk.openSync(folder, "r");
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}
