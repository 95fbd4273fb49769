/** Mutants of the C code that break section 5 but for reports: start, requests, repetitions and life. */
import type { BoardMutant } from "./mutant.ts";

const ANSWERED = "  node->has_answer = true;\n";
const REPEATED =
  "node->answers[each].seq != seq || node->answers[each].request_length != length || node->answers[each].hash != hash.hash) continue;";
const BUSY = "  if (node->session != LIVE) send_error(node, seq, PL_BUSY);";
const GREETS = "node->session = GREETING;\n  node->has_answer = false;";
const BOOT = "put_unsigned(out, config->boot);";
const HELLO_DUE = "    if (!is_due(node->hello_at, now)) return;";
const READ = "case READ: access_property(node, READ, seq, &fields); break;";
const DESCRIBED = "case DESCRIBE: describe(node, seq, &fields); break;";

export const BEHAVIOUR_MUTANTS: readonly BoardMutant[] = [
  ["S1", "never grows patient", ["#define HELLO_SLOW 10000u", "#define HELLO_SLOW 1000u"]],
  ["S1", "grows patient after 30 s", ["#define HELLO_PATIENCE 60000u", "#define HELLO_PATIENCE 30000u"]],
  ["S1", "grows too patient", ["#define HELLO_SLOW 10000u", "#define HELLO_SLOW 20000u"]],
  [
    "S2",
    "reports before it is acknowledged",
    [HELLO_DUE, "    if (!is_due(node->hello_at, now)) {\n      send_report(node, now);\n      return;\n    }"],
  ],
  [
    "S2",
    "sends PING before it is acknowledged",
    [
      HELLO_DUE,
      "    if (!is_due(node->hello_at, now)) {\n      if (is_due(node->ping_at, now)) node->ping_at = now + 900, send_bare(node, PING, next_seq(node));\n      return;\n    }",
    ],
  ],
  [
    "S3",
    "answers no WHO when it is live",
    ["    greet(node, now);\n    return;\n  }\n  node->has_answer", "    return;\n  }\n  node->has_answer"],
  ],
  [
    "S3",
    "answers a WHO in its next second when it is not live",
    [
      "  node->has_answer = false;\n  node->greeting_since = node->hello_at = now;\n}\n\nstatic void failed",
      "  node->has_answer = false;\n  node->greeting_since = now;\n}\n\nstatic void failed",
    ],
  ],
  ["S6", "comes back too soon after a refusal", ["#define HELLO_REFUSED 60000u", "#define HELLO_REFUSED 50000u"]],
  ["S6", "does not take ERROR 11 for a refusal", ["(code == 11 || code == 12)", "(code == 12)"]],
  ["S6", "does not take ERROR 12 for a refusal", ["(code == 11 || code == 12)", "(code == 11)"]],
  [
    "S6",
    "answers no WHO after a refusal",
    [
      "static void who(pl_node *node, uint32_t now) {\n",
      "static void who(pl_node *node, uint32_t now) {\n  if (node->session == GREETING && !is_due(node->hello_at, now + HELLO_SLOW)) return;\n",
    ],
  ],
  ["S7", "states the same boot always", [BOOT, "put_unsigned(out, 9);"]],
  ["S7", "counts one boot of four", [BOOT, "put_unsigned(out, config->boot / 4 + 1);"]],
  [
    "B2",
    "answers a READ when it comes for the second time",
    [
      READ,
      'case READ: {\n      static uint16_t last;\n      bool const is_first = last != seq;\n      last = seq;\n      if (!is_first || !memmem(node->rx, length, "celsius", 7)) access_property(node, READ, seq, &fields);\n      break;\n    }',
    ],
    ["#include <float.h>", "#define _GNU_SOURCE\n#include <float.h>"],
  ],
  [
    "B2",
    "answers a DESCRIBE of its second device when it comes for the second time",
    [
      DESCRIBED,
      "case DESCRIBE: {\n      static uint16_t last;\n      bool const is_first = last != seq;\n      last = seq;\n      if (!is_first || *fields.at != 1) describe(node, seq, &fields);\n      break;\n    }",
    ],
  ],
  [
    "R1",
    "takes every request with the last seq for a repetition",
    [REPEATED, "node->answers[each].seq != seq) continue;"],
  ],
  [
    "R1",
    "takes a request of the same length for a repetition",
    [REPEATED, REPEATED.replace(" || node->answers[each].hash != hash.hash", "")],
  ],
  ["R2", "remembers no answer", [ANSWERED, ""]],
  [
    "R2",
    "remembers no answer to IDENTIFY",
    ["0; node->has_answer && each", "0; type == WRITE && node->has_answer && each"],
  ],
  ["R2", "forgets its answer at a PING", ["case PING: send_bare", "case PING: node->has_answer = false; send_bare"]],
  [
    "R3",
    "answers a repetition with ERROR 9",
    [
      "    memcpy(node->tx, node->answers[each].bytes, node->answers[each].length);",
      "    send_error(node, seq, PL_BUSY);\n    return;",
    ],
  ],
  [
    "R3",
    "acts again on what comes again at once",
    [REPEATED, `${REPEATED.replace(") continue", " || node->counters.frames - acted_at == 1) continue")}`],
    [
      "  writer hash;\n  measure(&hash);\n  put_bytes(&hash, (const char *)body, length);",
      "  static uint32_t acted_at;\n  writer hash;\n  measure(&hash);\n  put_bytes(&hash, (const char *)body, length);",
    ],
    [ANSWERED, `${ANSWERED}  acted_at = node->counters.frames;\n`],
  ],
  [
    "R4",
    "ignores a repetition of a READ",
    [
      READ,
      "case READ: {\n      static uint32_t last = UINT32_MAX;\n      if (last != seq) access_property(node, READ, seq, &fields);\n      last = seq;\n      break;\n    }",
    ],
  ],
  [
    "R4",
    "ignores a repetition of a DESCRIBE",
    [
      DESCRIBED,
      "case DESCRIBE: {\n      static uint32_t last = UINT32_MAX;\n      if (last != seq) describe(node, seq, &fields);\n      last = seq;\n      break;\n    }",
    ],
  ],
  ["R5", "remembers through WHO", [GREETS, "node->session = GREETING;"]],
  [
    "R5",
    "remembers through a WHO before it is acknowledged",
    ["  node->has_answer = false;\n  node->greeting_since", "  node->greeting_since"],
  ],
  ["R6", "acts before it is acknowledged", [BUSY, "  if (0) send_error(node, seq, PL_BUSY);"]],
  [
    "R6",
    "identifies before it is acknowledged",
    [BUSY, "  if (node->session != LIVE && type == WRITE) send_error(node, seq, PL_BUSY);"],
  ],
  ["R7", "forgets that it was busy", [ANSWERED, `  if (node->session != LIVE) return;\n${ANSWERED}`]],
  [
    "R7",
    "forgets that it was busy when it is acknowledged",
    ["  node->session = LIVE;", "  node->session = LIVE;\n  node->has_answer = false;"],
  ],
  [
    "A1",
    "takes damage for a sign of life",
    ["    node->counters.crcs++;\n", "    node->counters.crcs++, hear(node, now);\n"],
  ],
  [
    "A1",
    "takes the echo of its PING for a sign of life",
    [
      "  if (is_echo(node, type, seq)) return;",
      "  if (is_echo(node, type, seq)) {\n    if (node->session == LIVE) hear(node, now);\n    return;\n  }",
    ],
  ],
  ["A2", "is silent for eight seconds", ["#define SILENCE 5000u", "#define SILENCE 8000u"]],
  ["A2", "answers no PING", ["case PING: send_bare(node, PONG, seq); break;", "case PING: break;"]],
  ["A2", "gives up after two PINGs", ["if (node->ping_count == PINGS) {", "if (node->ping_count == PINGS - 1) {"]],
  ["A2", "sends the next PING after three seconds", ["#define PING_EVERY 1000u", "#define PING_EVERY 3000u"]],
  [
    "A3",
    "states another boot when it has lost its hub",
    [
      "      greet(node, now);\n      pl_tick",
      "      ((pl_config *)node->config)->boot++;\n      greet(node, now);\n      pl_tick",
    ],
  ],
  [
    "A3",
    "never returns to HELLO",
    ["      greet(node, now);\n      pl_tick(node, now);\n      return;", "      node->ping_count = 0;"],
  ],
  [
    "V4",
    "sends a boolean for a number",
    [
      "  put_message(&out, 1, type, seq);\n  put_value(&out, value);",
      "  put_message(&out, 1, type, seq);\n  if (type == VALUE && value->type == PL_NUMBER) put(&out, 0xF5);\n  else put_value(&out, value);",
    ],
  ],
  [
    "V4",
    "sends a text for a number",
    [
      "  put_message(&out, 1, type, seq);\n  put_value(&out, value);",
      '  put_message(&out, 1, type, seq);\n  if (type == VALUE && value->type == PL_NUMBER) put_text(&out, "much");\n  else put_value(&out, value);',
    ],
  ],
];
