/** The devices that the hub has had on its links: what they are, and when they came. */
import {
  type DeviceAbout,
  type DeviceDescription,
  findProperty,
  storableJson,
  storableText,
} from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import { SEALED } from "../database/schema.ts";
import { deviceDigest } from "./digest.ts";
import type { PropertyTarget } from "./property-target.ts";

/** A device as a driver announces it. */
export interface ArrivingDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  readonly about: DeviceAbout;
  /** How it is reached, for people. */
  readonly transport: string;
}

export interface StoredDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  /** What the cloud shows as system metadata: what the device says of itself, and `transport`. */
  readonly about: Readonly<Record<string, string>>;
  readonly digest: string;
  /** Grows when it leaves its link and comes back. */
  readonly arrival: number;
  /** What the history last said. */
  readonly online: boolean;
  /** Since when it has said so, ms since 1970. */
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

/** Most devices of a hub (T2). */
const MOST_DEVICES = 1000;
/** Longest text of what a device says of itself (frames.ts, describe). */
const LONGEST_ABOUT = 256;

export class Devices {
  readonly #selectAll: Statement<[], Row>;
  readonly #upsert: Statement<[Row & { readonly crc: number }]>;
  readonly #devices = new Map<string, StoredDevice>();
  /** Those that are live on a link in this life of the agent. */
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

  /** Another number whenever something may have changed. */
  get version(): number {
    return this.#version;
  }

  get(edgeId: string): StoredDevice | undefined {
    return this.#devices.get(edgeId);
  }

  all(): StoredDevice[] {
    return [...this.#devices.values()];
  }

  /** Whether it is live on a link, and not only was when the agent last ran. */
  isHere(edgeId: string): boolean {
    return this.#here.has(edgeId);
  }

  /** It is live on a link from now on, or no more. */
  nowHere(edgeId: string, here: boolean): void {
    if (here) this.#here.add(edgeId);
    else this.#here.delete(edgeId);
  }

  /** Whether there is room for it. */
  hasRoomFor(edgeId: string): boolean {
    return this.#devices.has(edgeId) || this.#devices.size < MOST_DEVICES;
  }

  /** Whether the property can only notify: then every telling of it is an event. */
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

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
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

/** The device as it is stored, but for when it came. */
export function described(device: ArrivingDevice): Pick<StoredDevice, "edgeId" | "description" | "about" | "digest"> {
  const { edgeId, transport } = device;
  const description: DeviceDescription = JSON.parse(storableJson(JSON.stringify(device.description)));
  const about: Record<string, string> = {};
  for (const [word, text] of Object.entries({ ...device.about, transport })) {
    if (text !== undefined && text !== "") about[word] = storableText(text.slice(0, LONGEST_ABOUT));
  }
  return { edgeId, description, about, digest: deviceDigest(description, about) };
}
