/**
 * A checksum over the content of a row, stored beside it: SQLite checks the structure of its pages, not their content, and a
 * flipped bit in a value would be reported to the cloud as the device's value.
 */
import { crc32 } from "node:zlib";

/** CRC-32 of the fields in their order. */
export function seal(fields: readonly (string | number | null)[]): number {
  let text = "";
  for (const field of fields) text += `${field ?? ""}\u0000`;
  return crc32(text);
}
