/** Mutants of the C code that break section 4: messages, HELLO, descriptions, and the codes of ERROR. */
import type { BoardMutant } from "./mutant.ts";

const WRITES = "code = node->config->driver->write(node->config->context, address, &value);";
const PINGED = "case PING: send_bare(node, PONG, seq); break;";
const IS_TEXT = "return strlen(text) == length && memcmp(text, bytes, length) == 0;";
const ABOUT = "  if (part == 0) put_about_device(out, device->about);";
const PART_FIELDS = "put_message(out, part == 0 ? 5 : 4, DESCRIPTION, seq);";

export const MESSAGE_MUTANTS: readonly BoardMutant[] = [
  ["M1", "sends its seq as a text", ["  put_unsigned(out, seq);\n}", '  put_text(out, seq & 1 ? "1" : "2");\n}']],
  [
    "M1",
    "sends every message in an array of its own",
    ["  put_array(out, fields + 2);", "  put_array(out, 1);\n  put_array(out, fields + 2);"],
  ],
  ["M2", "answers with eight bits of the seq", [PINGED, "case PING: send_bare(node, PONG, (uint8_t)seq); break;"]],
  ["M2", "counts its seqs up by two", ["return ++node->seq;", "return node->seq = (uint16_t)(node->seq + 2);"]],
  [
    "M3",
    "calls a READ with a further field malformed",
    [
      "(type == READ || take_value(fields, &value));",
      "(type == READ ? fields->at == fields->end : take_value(fields, &value));",
    ],
  ],
  [
    "M3",
    "sends a message of a type that does not exist",
    ["  node->flying_again_at = now; /* P7 */", "  node->flying_again_at = now; /* P7 */\n  send_bare(node, 17, 1);"],
  ],
  [
    "M4",
    "reports the index as a text",
    [
      "  put_unsigned(out, service->index);\n  put_text(out, service->properties",
      '  put_text(out, "0");\n  put_text(out, service->properties',
    ],
  ],
  [
    "M4",
    "sends ERROR without a text",
    ["  put_message(&out, 2, FAILED, seq);", "  put_message(&out, 1, FAILED, seq);"],
    ['  put_text(&out, "");\n', ""],
  ],
  [
    "M5",
    "writes its edgeId with colons",
    ['put_keyed(out, "id", config->edge_id);', 'put_keyed(out, "id", "02:00:00:00:00:01");'],
  ],
  [
    "M5",
    "lists a device without an edgeId",
    [
      "put_text(out, config->devices[place].edge_id);",
      'put_text(out, place == 0 ? config->devices[place].edge_id : "lamp");',
    ],
  ],
  ["M6", "states a limit beyond 4,095 bytes", ["put_unsigned(out, PL_FRAME_MAX);", "put_unsigned(out, 5000);"]],
  ["M6", "states no boot", ['put_text(out, "boot");', 'put_text(out, "bot");']],
  [
    "M7",
    "gives two devices each other's place",
    [
      "put_text(out, config->devices[place].edge_id);",
      "put_text(out, config->devices[node->hello_count & 1 ? config->count - 1u - place : place].edge_id);",
    ],
  ],
  [
    "M7",
    "gives the place of a device to a new one",
    [
      "put_text(out, config->devices[place].edge_id);",
      'put_text(out, place == 1 && node->hello_count > 5 ? "02-00-00-00-00-09" : config->devices[place].edge_id);',
    ],
  ],
  [
    "M8",
    "takes no PING after a READ",
    [
      PINGED,
      "case PING: {\n      static bool has_skipped;\n      has_skipped = !has_skipped && node->tx[1] == VALUE;\n      if (!has_skipped) send_bare(node, PONG, seq);\n      break;\n    }",
    ],
  ],
  [
    "M8",
    "takes no WHO after a READ",
    [
      "case WHO: who(node, now); break;",
      "case WHO: {\n      static bool has_skipped;\n      has_skipped = !has_skipped && node->tx[1] == VALUE;\n      if (!has_skipped) who(node, now);\n      break;\n    }",
    ],
  ],
  [
    "M9",
    "takes an acknowledgement of the last HELLO only",
    ["GREETING || !is_hello(node, seq)) return;", "GREETING || seq != current_hello(node)) return;"],
  ],
  [
    "M9",
    "answers WHO with the seq of the WHO",
    ["case WHO: who(node, now); break;", "case WHO: node->seq = (uint16_t)(seq - 1); who(node, now); break;"],
  ],
  ["M10", "repeats reports every two seconds", ["#define REPORT_AGAIN 500u", "#define REPORT_AGAIN 2000u"]],
  [
    "M10",
    "gives a report up after five tries",
    [
      "  node->flying_again_at = now + REPORT_AGAIN;\n  writer out;",
      "  static int tries;\n  tries = is_repetition ? tries + 1 : 0;\n  if (tries == 5) { if (what == AN_EVENT) drop_event(node, 0); else node->slots[slot].is_waiting = false; node->flying_what = NOTHING; return; }\n  node->flying_again_at = now + REPORT_AGAIN;\n  writer out;",
    ],
  ],
  [
    "D1",
    "describes the index of a service as a text",
    ['  put_text(out, "i");\n  put_unsigned(out, service->index);', '  put_text(out, "i");\n  put_text(out, "0");'],
  ],
  [
    "D1",
    "calls the class of a service `c`",
    ['put_keyed(out, "s", service->name);', 'put_keyed(out, "c", service->name);'],
  ],
  ["D2", "describes in full what is in the catalogue", ["  if (property->standard) {", "  if (0) {"]],
  [
    "D2",
    "describes no type",
    ['put_keyed(out, "t", types[property->type]);', 'put_keyed(out, "y", types[property->type]);'],
  ],
  [
    "D2",
    "answers a READ of what it describes as not readable",
    ["property->access & PL_READ ? read_property", "property->access & PL_READ || !property->standard ? read_property"],
  ],
  [
    "D3",
    "lets no hub write a switch",
    [
      "else if (!(property->access & PL_WRITE))",
      "else if (!(property->access & PL_WRITE) || (property->standard && property->type == PL_BOOLEAN))",
    ],
  ],
  [
    "D3",
    "lets a button be read",
    ["property->access & PL_READ ? read_property", "property->access & PL_READ || property->standard ? read_property"],
  ],
  [
    "D4",
    "states a part too few",
    ["  put_unsigned(out, parts);", "  put_unsigned(out, parts > 1 ? parts - 1 : parts);"],
  ],
  [
    "D4",
    "describes itself anew each time",
    [
      ABOUT,
      '  static pl_about changing = {"a", NULL, NULL, NULL, NULL};\n  if (part == 0) changing.manufacturer = changing.manufacturer[0] == \'a\' ? "b" : "a";\n  if (part == 0) put_about_device(out, device->about ? &changing : NULL);',
    ],
  ],
  [
    "D5",
    "leaves the device's own fields out of part 0",
    [PART_FIELDS, "put_message(out, 4, DESCRIPTION, seq);"],
    [ABOUT, ""],
  ],
  [
    "D5",
    "states in every part what the device is",
    [PART_FIELDS, "put_message(out, 5, DESCRIPTION, seq);"],
    [ABOUT, "  put_about_device(out, part == 0 ? device->about : NULL);"],
  ],
  [
    "D6",
    "has a unit of twenty letters",
    ['put_keyed(out, "u", property->unit);', 'put_keyed(out, "u", property->unit ? "revolutions a minute" : NULL);'],
  ],
  [
    "D6",
    "has a space in a name",
    [
      'put_keyed(out, "n", property->name);',
      'put_keyed(out, "n", property->unit ? "turns a minute" : property->name);',
    ],
  ],
  ["D7", "has a least value above the largest", ['PL_LO, "lo", property->lo);', 'PL_LO, "lo", property->hi + 1);']],
  [
    "D7",
    "allows numbers for a text",
    ["put_text(out, property->allowed[each]);", "put_unsigned(out, (uint32_t)each);"],
  ],
  [
    "D8",
    "describes Identify",
    [
      'put_keyed(out, "s", service->name);',
      'put_keyed(out, "s", strcmp(service->name, "Button") ? service->name : "Identify");',
    ],
  ],
  [
    "D8",
    "calls an IDENTIFY of a second malformed",
    [
      "      code = node->config->driver->identify(node->config->context, (uint8_t)place, seconds);",
      "      code = seconds == 1 ? PL_MALFORMED : node->config->driver->identify(node->config->context, (uint8_t)place, seconds);",
    ],
  ],
  [
    "E1",
    "takes what is out of bounds",
    [
      "else if (!is_allowed(property, &value)) code = PL_VALUE_REFUSED;",
      "else if (!is_allowed(property, &value) && 0) code = 8;",
    ],
  ],
  [
    "E1",
    "cuts the place to eight bits",
    [
      "  if (place >= node->config->count || !node->present[place]) return PL_UNKNOWN_DEVICE;\n  const pl_device *const device",
      "  place = (uint8_t)place;\n  if (place >= node->config->count || !node->present[place]) return PL_UNKNOWN_DEVICE;\n  const pl_device *const device",
    ],
  ],
  ["E1", "cuts the index to eight bits", ["each->index != index ||", "(uint8_t)each->index != (uint8_t)index ||"]],
  [
    "E1",
    "takes a name by its beginning",
    ["return strlen(text) == length && memcmp", "return strlen(text) >= length && memcmp"],
  ],
  [
    "E1",
    "takes a name without its case",
    [IS_TEXT, "return strlen(text) == length && strncasecmp(text, bytes, length) == 0;"],
  ],
  [
    "E1",
    "takes a number for a boolean",
    [
      "  if (property->type != value->type) return false;",
      "  if (property->type == PL_BOOLEAN && value->type == PL_INTEGER) value->type = PL_BOOLEAN, value->as.boolean = value->as.integer != 0;\n  if (property->type != value->type) return false;",
    ],
  ],
  ["W1", "takes a seq beyond 65,535", [" && number <= UINT16_MAX;", ";"]],
  [
    "W1",
    "refuses what is no message",
    [
      "    node->counters.items++;\n",
      "    node->counters.items++;\n    if (is_item) send_error(node, 0, PL_MALFORMED);\n",
    ],
  ],
  [
    "W2",
    "calls an unknown type malformed",
    ["default: send_error(node, seq, PL_UNKNOWN_TYPE);", "default: send_error(node, seq, PL_MALFORMED);"],
  ],
  [
    "W2",
    "cuts the type to eight bits",
    ["  switch (type) {\n    case WHO", "  switch ((uint8_t)type) {\n    case WHO"],
  ],
  [
    "W3",
    "calls malformed a hardware failure",
    ["uint8_t code = PL_MALFORMED;\n  value", "uint8_t code = PL_HARDWARE_FAILURE;\n  value"],
  ],
  [
    "W3",
    "ignores what is malformed",
    ["  if (is_complete) code = find(", "  if (!is_complete) return;\n  code = find("],
  ],
  ["W4", "refuses a HELLO of a hub", ["1u << HELLO | 1u << DESCRIPTION", "1u << DESCRIPTION"]],
  [
    "W4",
    "acknowledges a REPORT of a hub",
    [" | 1u << REPORT", ""],
    ["    case PONG: break;", "    case PONG: break;\n    case REPORT: send_bare(node, ACK, seq); break;"],
  ],
  [
    "W5",
    "greets anew at an unexpected ERROR",
    [
      "  } else if (code != PL_BUSY) settle(node, seq);",
      "  } else if (node->flying_what == NOTHING) greet(node, now);\n  else if (code != PL_BUSY) settle(node, seq);",
    ],
  ],
  ["W5", "refuses an unexpected VALUE", [" | 1u << VALUE", ""]],
  ["B5", "answers a WRITE and does nothing", [WRITES, "code = PL_OK;"]],
  ["B5", "writes what another property is", [WRITES, `if (address.place == 1) address.place = 0;\n      ${WRITES}`]],
  [
    "B5",
    "sends another value than it has",
    [WRITES, `${WRITES}\n      if (value.type == PL_BOOLEAN) value.as.boolean = !value.as.boolean;`],
  ],
];
