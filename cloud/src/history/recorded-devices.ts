/** The facts about a device that recording needs: its hub, and the descriptions of its properties. */
import {
  addressKey,
  type DescribedProperty,
  describe,
  type PropertyAddress,
  type PropertyDescription,
} from "@porchlight/shared/model";
import type { Sql } from "../store/index.ts";

export interface RecordedDevice {
  /** Undefined for a virtual device. */
  readonly clientId: string | undefined;
  /** Undefined for a property that the device does not have. */
  describe(address: PropertyAddress): PropertyDescription | undefined;
}

/** Devices by ID; a device without any row is left out. */
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

/** Parses the description on demand: it is needed only for properties without history. */
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
