/**
 * Endpoint numbers and unique IDs of devices: stable over restarts and never reassigned, because controllers attach rooms, names and
 * automations to them. Apart from the library's storage, which is cleared with the last controller.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { z } from "zod";

/** Identity of a device towards controllers. */
export interface Identity {
  readonly number: number;
  readonly uniqueId: string;
  /** Numbers of the parts' endpoints, by the keys of the parts. */
  readonly parts: ReadonlyMap<string, number>;
}

/** The file cannot be used; the message states what a person can do. */
export class IdentitiesUnusable extends Error {}

const number = z.int().min(1).max(65_534);
const stored = z.object({
  version: z.literal(1),
  /** ID of the ecosystem that owns the devices. */
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

  /** @param folder created if it does not exist @throws IdentitiesUnusable when the stored file is damaged */
  static open(folder: string, random: Pick<Random, "bytes">): Identities {
    const path = join(folder, "identities.json");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Identities(path, random, read(path) ?? { version: 1, next: FIRST, devices: {} });
  }

  /** ID of the ecosystem whose devices are presented; undefined before the first. */
  get home(): string | undefined {
    return this.#stored.home;
  }

  /** Switches to another ecosystem and deletes the identities of the previous one's devices. */
  moveTo(home: string): void {
    this.#store({ version: 1, home, next: this.#stored.next, devices: {} });
  }

  /** Identity of a device, assigned on first use and written to disk before it is returned. */
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
