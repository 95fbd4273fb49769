/** The identity of a device whose protocol gives it none: always the same for the same device. */
import { createHash } from "node:crypto";

/**
 * An EUI-64 with the local bit set and the group bit clear, from 62 bits of the SHA-256 of its arguments, so that two of 10,000 devices
 * collide with a probability of 1 in 10^11.
 * @param kind of driver: `mqtt`
 * @param scope within which the id is unique, and which outlives restarts: a broker's base topic, a bridge's address
 * @param id of the device in its scope
 */
export function derivedEdgeId(kind: string, scope: string, id: string): string {
  const bytes = createHash("sha256").update(`${kind}\0${scope}\0${id}`).digest().subarray(0, 8);
  bytes.writeUInt8((bytes.readUInt8(0) & 0xfc) | 0x02);
  return edgeIdOf(bytes.toString("hex"));
}

/** An EUI-48 or EUI-64 in any of its usual spellings as an edgeId; undefined when the text is neither. */
export function edgeIdOfEui(text: string): string | undefined {
  const hex = text.replace(/^0x/i, "").replace(/[:.-]/g, "");
  return /^(?:[0-9a-f]{12}|[0-9a-f]{16})$/i.test(hex) ? edgeIdOf(hex) : undefined;
}

function edgeIdOf(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join("-");
}
