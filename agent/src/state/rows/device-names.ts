/**
 * The cloud's names of the hub's devices, and their place, as last sent: the API at home refers to devices by them.
 *
 * Invariants: a digest is stored only with all the names that it covers; a device that the latest list does not name has no
 * name any more.
 */
import type { DeviceName, Names } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";

/** The hub's place, as the cloud defines it. */
export type HomePlace = Omit<Names, "digest" | "devices">;

interface PlaceRow {
  readonly digest: string;
  readonly place: string;
}

interface NameRow {
  readonly edge_id: string;
  readonly name: string;
}

export class DeviceNames {
  readonly #selectPlace: Statement<[], PlaceRow>;
  readonly #selectNames: Statement<[], NameRow>;
  readonly #storePlace: Statement<[PlaceRow & { readonly crc: number }]>;
  readonly #storeName: Statement<[NameRow & { readonly crc: number }]>;
  readonly #deleteName: Statement<[string]>;
  #digest = "";
  #place: HomePlace | undefined;
  readonly #names = new Map<string, DeviceName>();
  /** The list whose names are still arriving. */
  #telling: { readonly digest: string; readonly wanted: Set<string> } | undefined;

  constructor(db: Db) {
    this.#selectPlace = db.prepare("SELECT digest, place FROM home_place");
    this.#selectNames = db.prepare("SELECT edge_id, name FROM device_names");
    this.#storePlace = db.prepare(
      `INSERT INTO home_place VALUES (1, @digest, @place, @crc)
       ON CONFLICT (one) DO UPDATE SET digest = @digest, place = @place, crc = @crc`,
    );
    this.#storeName = db.prepare(
      `INSERT INTO device_names VALUES (@edge_id, @name, @crc)
       ON CONFLICT (edge_id) DO UPDATE SET name = @name, crc = @crc`,
    );
    this.#deleteName = db.prepare("DELETE FROM device_names WHERE edge_id = ?");
  }

  /** Digest of the last list that is complete on the hub; "" when there is none. */
  get digest(): string {
    return this.#digest;
  }

  get place(): HomePlace | undefined {
    return this.#place;
  }

  get(edgeId: string): DeviceName | undefined {
    return this.#names.get(edgeId);
  }

  /** All names, ordered by ID. */
  all(): DeviceName[] {
    return [...this.#names.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * Stores a list, inside a transaction; returns the edgeIds whose names are missing or outdated.
   * @param forgetting called with each name that the list no longer has, before it is deleted
   */
  list({ digest, devices, ...place }: Names, forgetting: (name: DeviceName) => void): string[] {
    const listed = new Map(devices.map((device) => [device.edgeId, device]));
    for (const name of [...this.#names.values()]) {
      if (listed.get(name.edgeId)?.id === name.id) continue;
      forgetting(name);
      this.#forget(name.edgeId);
    }
    const wanted = devices.filter(({ edgeId, version }) => this.#names.get(edgeId)?.version !== version);
    this.#telling = { digest, wanted: new Set(wanted.map(({ edgeId }) => edgeId)) };
    this.#keep(wanted.length === 0 ? digest : "", place);
    return [...this.#telling.wanted];
  }

  /** Stores a name, inside a transaction. False, without a change, for a name that was not requested. */
  name(name: DeviceName): boolean {
    const { edgeId } = name;
    if (!this.#telling?.wanted.delete(edgeId)) return false;
    const text = JSON.stringify(name);
    this.#storeName.run({ edge_id: edgeId, name: text, crc: seal([edgeId, text]) });
    this.#names.set(edgeId, name);
    if (this.#telling.wanted.size === 0 && this.#place) this.#keep(this.#telling.digest, this.#place);
    return true;
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    const row = this.#selectPlace.get();
    this.#digest = row?.digest ?? "";
    // Only `list` and `name` write these columns, so the casts hold.
    this.#place = row && (JSON.parse(row.place) as HomePlace);
    this.#names.clear();
    for (const { edge_id, name } of this.#selectNames.iterate())
      this.#names.set(edge_id, JSON.parse(name) as DeviceName);
    this.#telling = undefined;
  }

  #keep(digest: string, place: HomePlace): void {
    const text = JSON.stringify(place);
    this.#storePlace.run({ digest, place: text, crc: seal([digest, text]) });
    this.#digest = digest;
    this.#place = place;
  }

  #forget(edgeId: string): void {
    this.#deleteName.run(edgeId);
    this.#names.delete(edgeId);
  }
}
