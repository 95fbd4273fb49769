/** The devices that the hub has had on its links: their descriptions, their arrivals, and whether they are online. */

import { createHash } from "node:crypto";
import {
  addressKey,
  type DeviceAbout,
  type DeviceDescription,
  findProperty,
  type PropertyAddress,
  storableJson,
  storableText,
  type Value,
} from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import { SEALED } from "../schema.ts";

/** A device as a driver announces it. */
export interface ArrivingDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  readonly about: DeviceAbout;
  /** The kind of its link, for people. */
  readonly transport: string;
}

export interface StoredDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  /** The system metadata that the cloud shows: the device's own details, and `transport`. */
  readonly about: Readonly<Record<string, string>>;
  readonly digest: string;
  /** Grows when the device leaves its link and comes back. */
  readonly arrival: number;
  /** The state that the history last recorded. */
  readonly online: boolean;
  /** When that state began, ms since 1970. */
  readonly since: number;
}

interface Row {
  readonly edge_id: string;
  readonly description: string;
  readonly about: string;
  readonly digest: string;
  readonly arrival: number;
  readonly online: number;
  readonly since: number;
}

/** Maximum devices of a hub (T2). */
const MOST_DEVICES = 1000;
/** Maximum length of a text of the device's own details (frames.ts, describe). */
const LONGEST_ABOUT = 256;

export class Devices {
  readonly #selectAll: Statement<[], Row>;
  readonly #upsert: Statement<[Row & { readonly crc: number }]>;
  readonly #devices = new Map<string, StoredDevice>();
  /** Devices that are live on a link in this life of the agent. */
  readonly #here = new Set<string>();
  #version = 0;

  constructor(db: Db) {
    this.#selectAll = db.prepare("SELECT * FROM devices ORDER BY edge_id");
    this.#upsert = db.prepare(
      `INSERT INTO devices VALUES (@edge_id, @description, @about, @digest, @arrival, @online, @crc, @since)
       ON CONFLICT (edge_id) DO UPDATE
       SET description = @description, about = @about, digest = @digest, arrival = @arrival, online = @online,
         since = @since, crc = @crc`,
    );
  }

  /** Changes whenever a device may have changed. */
  get version(): number {
    return this.#version;
  }

  get(edgeId: string): StoredDevice | undefined {
    return this.#devices.get(edgeId);
  }

  all(): StoredDevice[] {
    return [...this.#devices.values()];
  }

  /** Whether the device is live on a link now, and not only was when the agent last ran. */
  isHere(edgeId: string): boolean {
    return this.#here.has(edgeId);
  }

  /** Marks the device as live on a link, or not. */
  nowHere(edgeId: string, here: boolean): void {
    if (here) this.#here.add(edgeId);
    else this.#here.delete(edgeId);
  }

  /** Whether the hub has room for the device. */
  hasRoomFor(edgeId: string): boolean {
    return this.#devices.has(edgeId) || this.#devices.size < MOST_DEVICES;
  }

  /** Whether the property can only notify: then every report of it is an event. */
  isEvent(target: PropertyTarget): boolean {
    const device = this.#devices.get(target.device);
    const access = device && findProperty(device.description, target)?.access;
    return access !== undefined && !access.includes("read");
  }

  store(device: StoredDevice): void {
    const row: Row = {
      edge_id: device.edgeId,
      description: JSON.stringify(device.description),
      about: JSON.stringify(device.about),
      digest: device.digest,
      arrival: device.arrival,
      online: device.online ? 1 : 0,
      since: device.since,
    };
    this.#upsert.run({ ...row, crc: seal(SEALED.devices.map((column) => row[column])) });
    this.#devices.set(device.edgeId, device);
    this.#version += 1;
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#devices.clear();
    this.#version += 1;
    for (const row of this.#selectAll.iterate()) {
      this.#devices.set(row.edge_id, {
        edgeId: row.edge_id,
        description: JSON.parse(row.description),
        about: JSON.parse(row.about),
        digest: row.digest,
        arrival: row.arrival,
        online: row.online === 1,
        since: row.since,
      });
    }
  }
}

/** The device in its stored form, without its arrival. */
export function described(device: ArrivingDevice): Pick<StoredDevice, "edgeId" | "description" | "about" | "digest"> {
  const { edgeId, transport } = device;
  const description: DeviceDescription = JSON.parse(storableJson(JSON.stringify(device.description)));
  const about: Record<string, string> = {};
  for (const [word, text] of Object.entries({ ...device.about, transport })) {
    if (text !== undefined && text !== "") about[word] = storableText(text.slice(0, LONGEST_ABOUT));
  }
  return { edgeId, description, about, digest: deviceDigest(description, about) };
}

/** A device's part of the inventory digest, by which hub and cloud compare their devices in 32 bytes: pure, and equal on every start. */
interface InventoryEntry {
  readonly edgeId: string;
  /** {@link deviceDigest} */
  readonly digest: string;
  readonly arrival: number;
}

/** SHA-256, hex, of a device's description and details; the order of keys does not count, that of services does. */
function deviceDigest(description: DeviceDescription, about: Readonly<Record<string, string>>): string {
  return sha256(canonical([description, about]));
}

/** SHA-256, hex, over the devices sorted by edgeId (frames.ts, hello). */
export function inventoryDigest(devices: readonly InventoryEntry[]): string {
  const lines = devices.map(({ edgeId, digest, arrival }) => `${edgeId} ${digest} ${arrival}\n`);
  return sha256(lines.sort().join(""));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** One property of one device: the key of every table and every queue of the hub. */
export interface PropertyTarget extends PropertyAddress {
  /** edgeId. */
  readonly device: string;
}

/** The target as a string key: `00-1B-44-11-3A-B7 LightColor:0.hue`. */
export function targetKey(target: PropertyTarget): string {
  return `${target.device} ${addressKey(target)}`;
}

/** A value that a device reported for one of its properties. */
export interface Observed extends PropertyTarget {
  readonly value: Value;
}

/** A value's place in the history. */
export interface Learned {
  readonly n: number;
  readonly observedAt: number;
}
