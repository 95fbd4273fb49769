/** CBOR items that no honest sender makes: what a decoder is to refuse, or to take without harm. RFC 8949, and C4 to C8 of the protocol. */

const deep = (levels: number) => `${"81".repeat(levels)}00`;

/** Hex. */
export const STRANGE_ITEMS: readonly string[] = [
  // Lengths that no memory has, or that end beyond the frame.
  ...["7BFFFFFFFFFFFFFFFF", "7A7FFFFFFF", "79FFFF", "7820", "5BFFFFFFFFFFFFFFFF", "5A7FFFFFFF", "41DB"],
  ...["9BFFFFFFFFFFFFFFFF", "9A7FFFFFFF", "98FF", "BBFFFFFFFFFFFFFFFF", "BA7FFFFFFF", "B8FF"],
  // Without a length, and without an end.
  ...["9F", "BF", "5F", "7F", "FF", "9FFF", "BFFF"],
  // Reserved heads, tags and simple values.
  ...["1C", "3D", "5E", "7C", "9D", "BE", "FC", "C000", "D9D9F700", "DBFFFFFFFFFFFFFFFF00", "F7", "F820", "F8FF", "E0"],
  // Numbers at the ends of their ranges.
  ...[
    "1BFFFFFFFFFFFFFFFF",
    "3BFFFFFFFFFFFFFFFF",
    "1B001FFFFFFFFFFFFF",
    "1B0020000000000000",
    "1A80000000",
    "1AFFFFFFFF",
  ],
  ...["F97E00", "F97C00", "F90001", "FA7F800000", "FAFFC00000", "FB7FEFFFFFFFFFFFFF", "FBFFF0000000000000"],
  // Text that is none, keys that are none, keys twice, and one that means something to a careless host.
  ...["61FF", "62C328", "63EDA080", "6100", "A2616100616101", "A10000", "A1", "A1695F5F70726F746F5F5FA0"],
  ...[deep(7), deep(8), deep(9), deep(200)],
];
