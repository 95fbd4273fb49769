/** CRC-16/IBM-3740 ("CCITT-FALSE"), its own file because firmware authors compare exactly this with their table. */

const POLYNOMIAL = 0x1021;
const INITIAL = 0xffff;

const TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, index) => {
  let remainder = index << 8;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 0x8000 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1;
  return remainder & 0xffff;
});

/** The CRC of the first `length` bytes (all of them when left out), 0..65535. DP2. */
export function crc16(bytes: Uint8Array, length = bytes.length): number {
  let crc = INITIAL;
  for (let at = 0; at < length; at++) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  return crc;
}
