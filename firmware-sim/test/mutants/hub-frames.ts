/** Mutants of the agent's driver that break sections 2 and 3: frames and CBOR. */
import type { HubMutant } from "./mutant.ts";

const WIRE = "shared/src/wire";
const DRIVER = "drivers/porchlight/src";
const FRAMES = `${WIRE}/framing.ts`;
const ENCODES = `${WIRE}/cbor.ts`;
const DECODES = `${WIRE}/cbor.ts`;
const MESSAGES = `${WIRE}/messages.ts`;
const SESSION = `${DRIVER}/session.ts`;
const LINE = `${DRIVER}/line/line.ts`;
const RETURN = "  frame[at] = END;\n  return frame;";
const SENT = "  const crc = crc16(body);";
const CRC = "if (crc16(this.#buffer, end) !== sent)";
const CLOSED = "    this.#skipping = false;\n    this.#escaping = false;\n    if (skipping)";
const NEW_READER = "new FrameReader(HUB_FRAME_LIMIT);";
const INFO = "{ v: PROTOCOL_VERSION, hub: this.#deps.hubEdgeId, now }";
const TAIL =
  '    this.#head(3, bytes);\n    const at = this.#reserve(bytes);\n    this.#buffer.write(text, at, "utf8");';
const BODY = "  return encodeCbor(items);";
const ONE_WIDTH = "const width = argument < 24 ? 0 : argument < 0x100 ? 1 :";
const WHOLE = "if (Number.isSafeInteger(value)) this.#head";

export const HUB_FRAME_MUTANTS: readonly HubMutant[] = [
  [
    "F1",
    "sends its CRC with the low byte first",
    FRAMES,
    [
      "  at = putEscaped(frame, at, high);\n  at = putEscaped(frame, at, low);",
      "  at = putEscaped(frame, at, low);\n  at = putEscaped(frame, at, high);",
    ],
  ],
  ["F1", "sends a byte after the item", MESSAGES, [BODY, "  return Buffer.concat([encodeCbor(items), Buffer.of(0)]);"]],
  ["F2", "sends a CRC with one bit turned", FRAMES, [SENT, "  const crc = crc16(body) ^ 1;"]],
  ["F2", "leaves the first byte out of its CRC", FRAMES, [SENT, "  const crc = crc16(body.subarray(1));"]],
  [
    "F3",
    "does not escape END",
    FRAMES,
    ["  if (byte !== END && byte !== ESC) {", "  if (byte !== ESC) {"],
    [RETURN, "  frame[at] = END;\n  return frame.subarray(0, at + 1);"],
  ],
  [
    "F3",
    "escapes ESC as if it were END",
    FRAMES,
    ["frame[at + 1] = byte === END ? ESCAPED_END : ESCAPED_ESC;", "frame[at + 1] = ESCAPED_END;"],
  ],
  ["F4", "begins no frame with END", FRAMES, [RETURN, "  frame[at] = END;\n  return frame.subarray(1);"]],
  ["F4", "ends no frame with END", FRAMES, [RETURN, "  return frame.subarray(0, at);"]],
  [
    "F5",
    "loses the second of two frames that share an END",
    FRAMES,
    [CLOSED, CLOSED.replace("false;", "length > 0 && !skipping && !escaping;")],
  ],
  [
    "F5",
    "loses what shares an END with a frame that is too long",
    FRAMES,
    [CLOSED, CLOSED.replace("false;", "skipping && length > 0;")],
  ],
  ["F6", "takes any byte after ESC", FRAMES, ["  return undefined;\n}\n", "  return byte;\n}\n"]],
  [
    "F6",
    "loses the frame that begins with the END after ESC",
    FRAMES,
    [CLOSED, CLOSED.replace("false;", "escaping && !skipping;")],
  ],
  ["F7", "takes a byte less than the limit", LINE, [NEW_READER, "new FrameReader(HUB_FRAME_LIMIT - 1);"]],
  ["F7", "takes half of the limit", LINE, [NEW_READER, "new FrameReader(HUB_FRAME_LIMIT / 2);"]],
  ["F8", "does not look at the CRC", FRAMES, [CRC, "if (sent < 0)"]],
  [
    "F8",
    "compares the low byte of the CRC only",
    FRAMES,
    [CRC, "if (((crc16(this.#buffer, end) ^ sent) & 0xff) !== 0)"],
  ],
  ["F8", "compares the high byte of the CRC only", FRAMES, [CRC, "if ((crc16(this.#buffer, end) ^ sent) >> 8 !== 0)"]],
  ["F9", "does not look for bytes after the item", DECODES, ["return reader.atEnd ?", "return reader !== undefined ?"]],
  [
    "F9",
    "looks for one byte after the item only",
    DECODES,
    ["return this.#at === this.#bytes.length;", "return this.#bytes.length - this.#at !== 1;"],
  ],
  [
    "F10",
    "is deaf after long frames of bad CBOR",
    LINE,
    [
      "      this.#counters[DAMAGE[body.reason]] += 1;",
      '      if (body.reason === "bad_cbor" && event.body.length > 60) this.#isOpen = false;',
    ],
  ],
  [
    "F10",
    "is deaf after 500 damaged frames",
    LINE,
    [
      "      this.#counters[DAMAGE[event.reason]] += 1;",
      "      if ((this.#counters[DAMAGE[event.reason]] += 1) > 500) this.#isOpen = false;",
    ],
  ],
  ["C1", "writes 23 in two bytes", ENCODES, [ONE_WIDTH, "const width = argument < 23 ? 0 : argument < 0x100 ? 1 :"]],
  ["C1", "writes 255 in three bytes", ENCODES, [ONE_WIDTH, "const width = argument < 24 ? 0 : argument < 0xff ? 1 :"]],
  [
    "C2",
    "sends the time as a float",
    ENCODES,
    [WHOLE, "if (Number.isSafeInteger(value) && value < 2 ** 24) this.#head"],
  ],
  ["C2", "sends 24 as a float", ENCODES, [WHOLE, "if (Number.isSafeInteger(value) && value !== 24) this.#head"]],
  [
    "C3",
    "states itself before the version",
    SESSION,
    [INFO, "{ hub: this.#deps.hubEdgeId, v: PROTOCOL_VERSION, now }"],
  ],
  ["C3", "states the time before itself", SESSION, [INFO, "{ v: PROTOCOL_VERSION, now, hub: this.#deps.hubEdgeId }"]],
  ["C4", "sends texts of indefinite length", ENCODES, [TAIL, `    this.#byte(0x7f);\n${TAIL}\n    this.#byte(0xff);`]],
  [
    "C4",
    "sends maps of indefinite length",
    ENCODES,
    ["    this.#head(5, keys.length);", "    this.#byte(0xbf);"],
    [
      "      this.value(map[key] ?? null, depth);\n    }",
      "      this.value(map[key] ?? null, depth);\n    }\n    this.#byte(0xff);",
    ],
  ],
  ["C5", "takes no double", DECODES, ["      case 27:\n", "      case 28:\n"]],
  ["C5", "takes no half precision", DECODES, ["      case 25:\n", "      case 28:\n"]],
  ["C6", "takes seven levels only", ENCODES, ["export const MAX_DEPTH = 8;", "export const MAX_DEPTH = 7;"]],
  [
    "C6",
    "takes arrays of seven levels only",
    DECODES,
    ["return depth < MAX_DEPTH ? this.#array", "return depth < MAX_DEPTH - 1 ? this.#array"],
  ],
  [
    "C7",
    "states a key twice",
    ENCODES,
    [
      "filter((key) => map[key] !== undefined);",
      'filter((key) => map[key] !== undefined).flatMap((key) => (key === "hub" ? ["hub", "hub"] : [key]));',
    ],
  ],
  [
    "C7",
    "sends half a character",
    ENCODES,
    [TAIL, `${TAIL}\n    if (text === "unknown type") this.#buffer[at] = 0xc3;`],
  ],
  ["C8", "takes a key twice", DECODES, [" || Object.hasOwn(map, key)) return", ") return"]],
  ["C8", "takes NaN", DECODES, ["return Number.isFinite(value) ? value + 0 : undefined;", "return value + 0;"]],
];
