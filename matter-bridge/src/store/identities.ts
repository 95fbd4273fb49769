/**
 * Which endpoint number and unique ID each device has for controllers: the same over restarts, and never given to another device, for a
 * controller keeps rooms, names and automations under them. A file of its own beside the library's store, which forgets them with the last
 * controller.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { z } from "zod";

/** What a device is to controllers. */
export interface Identity {
  readonly number: number;
  readonly uniqueId: string;
  /** Numbers of its further endpoints, by the keys of the parts. */
  readonly parts: ReadonlyMap<string, number>;
}

/** The file cannot be used; the message says what a person can do. */
export class IdentitiesUnusable extends Error {}

const number = z.int().min(1).max(65_534);
const stored = z.object({
  version: z.literal(1),
  /** The ecosystem whose devices these are. */
  home: z.string().optional(),
  next: number,
  devices: z.record(z.string(), z.object({ number, uniqueId: z.string(), parts: z.record(z.string(), number) })),
});
type Stored = z.output<typeof stored>;

/** 0 is the root of the node, 1 the aggregator. */
const FIRST = 2;

export class Identities {
  readonly #path: string;
  readonly #random: Pick<Random, "bytes">;
  #stored: Stored;

  private constructor(path: string, random: Pick<Random, "bytes">, read: Stored) {
    this.#path = path;
    this.#random = random;
    this.#stored = read;
  }

  /** @param folder made when it is not there @throws IdentitiesUnusable when what is stored is damaged */
  static open(folder: string, random: Pick<Random, "bytes">): Identities {
    const path = join(folder, "identities.json");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Identities(path, random, read(path) ?? { version: 1, next: FIRST, devices: {} });
  }

  /** The ecosystem whose devices are shown; undefined before the first. */
  get home(): string | undefined {
    return this.#stored.home;
  }

  /** From now on devices of another ecosystem are shown: what was given to those of before is forgotten. */
  moveTo(home: string): void {
    this.#store({ version: 1, home, next: this.#stored.next, devices: {} });
  }

  /** Of a device, given when it has none yet; on the disk before anybody is told. */
  of(deviceId: string, parts: readonly string[]): Identity {
    const known = this.#stored.devices[deviceId];
    const missing = parts.filter((key) => known?.parts[key] === undefined);
    if (known && missing.length === 0) return identityOf(known);
    let { next } = this.#stored;
    const give = () => next++;
    const mine = {
      number: known?.number ?? give(),
      uniqueId: known?.uniqueId ?? Buffer.from(this.#random.bytes(16)).toString("hex"),
      parts: { ...known?.parts, ...Object.fromEntries(missing.map((key) => [key, give()])) },
    };
    this.#store({ ...this.#stored, devices: { ...this.#stored.devices, [deviceId]: mine }, next });
    return identityOf(mine);
  }

  #store(now: Stored): void {
    const beside = `${this.#path}.new`;
    const file = openSync(beside, "w", 0o600);
    try {
      writeSync(file, JSON.stringify(now));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
    const folder = openSync(dirname(this.#path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    this.#stored = now;
  }
}

function identityOf({ number: own, uniqueId, parts }: Stored["devices"][string]): Identity {
  return { number: own, uniqueId, parts: new Map(Object.entries(parts)) };
}

function read(path: string): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
  const { data } = stored.safeParse(parsed(text));
  if (data) return data;
  throw new IdentitiesUnusable(
    `${path} is damaged: restore it from a backup, or remove the folder and pair the bridge again with each controller`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
