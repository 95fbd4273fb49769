/** Mutants of the C code that break sections 2 and 3: frames and CBOR. */
import type { BoardMutant } from "./mutant.ts";

const CRC = "crc_of(node->rx, length - 2) != (uint16_t)(node->rx[length - 2] << 8 | node->rx[length - 1])";
const TEXT = "  put_bytes(out, text, length);\n}\n\nstatic void put_integer";
const PUT_TEXT = `  put_head(out, 3, (uint32_t)length);\n${TEXT}`;

export const FRAME_MUTANTS: readonly BoardMutant[] = [
  [
    "F1",
    "sends its CRC with the low byte first",
    ["node->tx[body->length] = (uint8_t)(crc >> 8);", "node->tx[body->length] = (uint8_t)crc;"],
    ["node->tx[body->length + 1] = (uint8_t)crc;", "node->tx[body->length + 1] = (uint8_t)(crc >> 8);"],
  ],
  [
    "F1",
    "sends a byte after the item",
    [
      "  uint16_t const crc = crc_of(node->tx, body->length);",
      "  writer more = *body;\n  if (more.length < more.capacity) more.at[more.length++] = 0;\n  body = &more;\n  uint16_t const crc = crc_of(node->tx, body->length);",
    ],
  ],
  ["F2", "begins its CRC with 0", ["uint16_t crc = 0xFFFF;", "uint16_t crc = 0;"]],
  ["F2", "takes another polynomial", ["^ 0x1021u", "^ 0x8005u"]],
  ["F3", "does not escape END", ["} else if (next == END || next == ESC) {", "} else if (next == ESC) {"]],
  ["F3", "escapes ESC as if it were END", ["bytes[count++] = next == END ? 0xDC : 0xDD;", "bytes[count++] = 0xDC;"]],
  ["F4", "begins no frame with END", ["case TX_BEGIN:\n        bytes[count++] = END;", "case TX_BEGIN:"]],
  [
    "F4",
    "ends no frame with END",
    ["          bytes[count++] = END;\n          node->tx_state = TX_IDLE;", "          node->tx_state = TX_IDLE;"],
  ],
  [
    "F5",
    "loses what shares an END with a frame that is too long",
    [
      "  if (state == RX_LONG) node->counters.longs++;",
      "  if (state == RX_LONG) node->counters.longs++, node->rx_state = RX_BAD_ESCAPE;",
    ],
  ],
  [
    "F5",
    "loses the second of two frames that share an END",
    [
      "  node->rx_state = RX_FRAME;\n  if (state == RX_LONG)",
      "  node->rx_state = length > 0 && state == RX_FRAME ? RX_BAD_ESCAPE : RX_FRAME;\n  if (state == RX_LONG)",
    ],
  ],
  ["F6", "takes any byte after ESC", ["if (byte != 0xDC && byte != 0xDD) {", "if (0) {"]],
  [
    "F6",
    "loses the frame that begins with the END after ESC",
    [
      "else if (state != RX_FRAME) node->counters.escapes++;",
      "else if (state != RX_FRAME) node->counters.escapes++, node->rx_state = state == RX_ESCAPED ? RX_BAD_ESCAPE : RX_FRAME;",
    ],
  ],
  [
    "F7",
    "takes a byte less than it states",
    ["node->rx_length == sizeof node->rx)", "node->rx_length == sizeof node->rx - 1)"],
  ],
  [
    "F7",
    "counts escaped bytes twice",
    [
      "  if (node->rx_length == sizeof node->rx)",
      "  static size_t escapes;\n  escapes = node->rx_length == 0 ? 0 : escapes + was_escaped;\n  if (node->rx_length + escapes >= sizeof node->rx)",
    ],
  ],
  ["F8", "does not look at the CRC", ["length < 3 || crc_of(", "length < 3 || 0 && crc_of("]],
  [
    "F8",
    "compares the low byte of the CRC only",
    [CRC, "(crc_of(node->rx, length - 2) & 0xFF) != node->rx[length - 1]"],
  ],
  ["F8", "compares the high byte of the CRC only", [CRC, "crc_of(node->rx, length - 2) >> 8 != node->rx[length - 2]"]],
  [
    "F9",
    "does not look for bytes after the item",
    ["is_good(&in, 0, node->tx) && in.at == in.end;", "is_good(&in, 0, node->tx);"],
  ],
  [
    "F9",
    "looks for one byte after the item only",
    ["is_good(&in, 0, node->tx) && in.at == in.end;", "is_good(&in, 0, node->tx) && in.end - in.at != 1;"],
  ],
  [
    "F10",
    "is mute after 3,000 frames",
    [
      "    node->counters.frames++;\n    take_message",
      "    if (++node->counters.frames > 3000) return;\n    take_message",
    ],
  ],
  [
    "F10",
    "boots anew after a frame that is too long",
    [
      "  if (state == RX_LONG) node->counters.longs++;",
      "  if (state == RX_LONG) { ((pl_config *)node->config)->boot++; greet(node, now); }",
    ],
  ],
  ["C1", "writes 23 in two bytes", ["if (number < 24) {\n    put(out", "if (number < 23) {\n    put(out"]],
  [
    "C1",
    "writes the length of every text in a byte of its own",
    [PUT_TEXT, `  put(out, 0x78);\n  put(out, (uint8_t)length);\n${TEXT}`],
  ],
  [
    "C2",
    "sends whole numbers as floats",
    ["  if (is_whole(number, &whole)) {\n    put_integer", "  if (0) {\n    put_integer"],
  ],
  [
    "C2",
    "sends every float in double precision",
    ["if (sizeof(double) == sizeof(float) || (double)single == number) {", "if (0) {"],
  ],
  [
    "C3",
    "states its boot before its devices",
    [
      '  put_text(out, "devices");\n  put_devices(out, node);\n  put_text(out, "boot");\n  put_unsigned(out, config->boot);',
      '  put_text(out, "boot");\n  put_unsigned(out, config->boot);\n  put_text(out, "devices");\n  put_devices(out, node);',
    ],
  ],
  [
    "C3",
    "describes the access of a property before its type",
    ['  put_keyed(out, "t", types[property->type]);\n', ""],
    [
      "  put_unsigned(out, property->access);",
      '  put_unsigned(out, property->access);\n  put_keyed(out, "t", types[property->type]);',
    ],
  ],
  [
    "C4",
    "sends `undefined` when there is no value",
    ["case PL_NULL: put(out, 0xF6); break;", "case PL_NULL: put(out, 0xF7); break;"],
  ],
  [
    "C4",
    "sends texts of indefinite length",
    [
      PUT_TEXT,
      `  put(out, 0x7F);\n  put_head(out, 3, (uint32_t)length);\n  put_bytes(out, text, length);\n  put(out, 0xFF);\n}\n\nstatic void put_integer`,
    ],
  ],
  [
    "C5",
    "takes no double",
    ["item.major == 7 && item.width >= 2 && float_of", "item.major == 7 && item.width == 4 && float_of"],
  ],
  [
    "C5",
    "takes no half precision",
    ["item.major == 7 && item.width >= 2 && float_of", "item.major == 7 && item.width >= 4 && float_of"],
  ],
  ["C6", "takes seven levels only", ["#define DEPTH 8 ", "#define DEPTH 7 "]],
  [
    "C6",
    "nests its PONG nine levels deep",
    [
      "  put_message(&out, 0, type, seq);",
      "  put_message(&out, type == PONG, type, seq);\n  for (int level = 0; type == PONG && level < 8; level++) put_array(&out, level < 7);",
    ],
  ],
  [
    "C7",
    "sends half a character",
    [
      TEXT,
      "  put_bytes(out, text, length - (length > 20));\n  if (length > 20) put(out, 0xC3);\n}\n\nstatic void put_integer",
    ],
  ],
  ["C7", "states a key twice", ['put_text(out, "win");', 'put_text(out, "max");']],
  ["C8", "takes a key twice", ["return pairs < 2 || !has_key_twice(&keys, (size_t)pairs);", "return true;"]],
  [
    "C8",
    "takes a tag",
    [
      "    default: return false;\n  }\n}\n\nstatic bool is_good_map",
      "    case 6: return is_good(in, depth, room);\n    default: return false;\n  }\n}\n\nstatic bool is_good_map",
    ],
  ],
  ["C8", "takes infinity", ["  return *out - *out == 0;", "  return true;"]],
];
