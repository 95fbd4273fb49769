/** The settings file of one person: profiles, each a service's address and the token for it. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Disk, removeLeftovers, writeAtomically } from "./write-atomically.ts";

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
