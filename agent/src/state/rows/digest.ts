/** Digests that let hub and cloud see with 32 bytes that they mean the same devices: pure, and equal on every start. */
import { createHash } from "node:crypto";
import type { DeviceDescription } from "@porchlight/shared/model";

export interface InventoryEntry {
  readonly edgeId: string;
  /** {@link deviceDigest} */
  readonly digest: string;
  readonly arrival: number;
}

/** SHA-256, hex, of what a device is and says of itself; the order of keys does not count, that of services does. */
export function deviceDigest(description: DeviceDescription, about: Readonly<Record<string, string>>): string {
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
