/**
 * A checksum over what a row says, kept beside it: SQLite checks the shape of its pages, not what stands in them, and a
 * flipped bit in a value would be told to the cloud as the device's word.
 */
import { crc32 } from "node:zlib";

/** CRC-32 of the fields in their order. */
export function seal(fields: readonly (string | number | null)[]): number {
  let text = "";
  for (const field of fields) text += `${field ?? ""}\u0000`;
  return crc32(text);
}
