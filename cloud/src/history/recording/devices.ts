/** What recording must know of a device: its hub, and what its properties are. */
import {
  addressKey,
  type DescribedProperty,
  describe,
  type PropertyAddress,
  type PropertyDescription,
} from "@porchlight/shared/model";
import type { Sql } from "../../store/index.ts";

export interface RecordedDevice {
  /** Undefined of a virtual device. */
  readonly clientId: string | undefined;
  /** Undefined of a property that it does not have. */
  describe(address: PropertyAddress): PropertyDescription | undefined;
}

/** By ID; one that is gone with all its rows is left out. */
export async function recordedDevices(
  sql: Sql,
  eco: string,
  ids: readonly string[],
): Promise<Map<string, RecordedDevice>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    sql.build
      .selectFrom("devices")
      .select(["id", "client_id", "description"])
      .where("ecosystem_id", "=", eco)
      .where("id", "in", ids),
  );
  return new Map(rows.map((row) => [row.id, new DeviceRow(row.client_id ?? undefined, row.description)]));
}

/** Parses its description when somebody asks: only of a property that has no history yet. */
class DeviceRow implements RecordedDevice {
  readonly clientId: string | undefined;
  readonly #description: string;
  #properties: ReadonlyMap<string, DescribedProperty> | undefined;

  constructor(clientId: string | undefined, description: string) {
    this.clientId = clientId;
    this.#description = description;
  }

  describe(address: PropertyAddress): PropertyDescription | undefined {
    this.#properties ??= describe(JSON.parse(this.#description)).byKey;
    return this.#properties.get(addressKey(address))?.description;
  }
}
