/** Mutants of the C code that break what section 5 specifies of reports. */
import type { BoardMutant } from "./mutant.ts";

const DUE = "if (is_repetition && !is_due(node->flying_again_at, now)) return;";
const SETTLED = "if (node->flying_what == A_PROPERTY) node->slots[node->flying_slot].is_waiting = false;";
const SPACED = "      node->flying_what = NOTHING;\n      return;\n    }\n    node->slots[slot].was_sent";
const WRITTEN = "      if (code == PL_OK) doubt(node, slot_of(node, address));";
const CHANGED = "  unsigned const slot = slot_of(node, address);\n  if (node->slots[slot].is_waiting) {";
const REPORTED = "  if (what == A_PROPERTY) reported_value(node, address, &value);\n  else if (what == AN_EVENT)";
const FIRST_CHANGE = "  node->slots[slot].is_waiting = true;\n";
/** The value of a switch at some earlier time, in place of its current value. */
const FROZEN = "static pl_value frozen = {PL_NULL, {0}};\n";
const THAT = "if (property_at(node, address)->type == PL_BOOLEAN)";
const FROZEN_REPORT =
  "  if (what == A_PROPERTY) {\n    reported_value(node, address, &value);\n    if (frozen.type == PL_BOOLEAN && value.type == PL_BOOLEAN) value = frozen;\n  } else if (what == AN_EVENT)";

export const REPORT_MUTANTS: readonly BoardMutant[] = [
  [
    "P1",
    "reports nothing of what a WRITE changes besides",
    ["  if (node->is_writing && is_same(node->writing, address)) return;", "  if (node->is_writing) return;"],
  ],
  ["P1", "reports what a WRITE has set", [WRITTEN, "      if (code == PL_OK) pl_changed(node, address);"]],
  ["P1", "reports nothing of its switch", [CHANGED, `  if (slot_of(node, address) == 0) return;\n${CHANGED}`]],
  [
    "P2",
    "does not wait for an answer",
    [
      DUE,
      "if (is_repetition && !is_due(node->flying_again_at, now)) { if (node->event_count == 0 || what == AN_EVENT) return; node->slots[slot].is_waiting = false; is_repetition = false; }",
    ],
  ],
  [
    "P2",
    "sends what waits in place of what is not answered",
    [
      DUE,
      `${DUE}\n  if (is_repetition && what == A_PROPERTY && node->event_count > 0) node->slots[slot].turn = node->next_turn++, is_repetition = false;`,
    ],
  ],
  [
    "P3",
    "reports a value as often as it has changed",
    ["void pl_changed(", "static unsigned more;\nvoid pl_changed("],
    ["    doubt(node, slot);\n    return;", "    more++;\n    doubt(node, slot);\n    return;"],
    [
      "node->slots[node->flying_slot].is_waiting = false;",
      "node->slots[node->flying_slot].is_waiting = more > 0 && more--;",
    ],
  ],
  [
    "P3",
    "reports the first of several values",
    ["void pl_changed(", `${FROZEN}void pl_changed(`],
    [FIRST_CHANGE, `${FIRST_CHANGE}  ${THAT} read_property(node, address, &frozen);\n`],
    [REPORTED, FROZEN_REPORT],
  ],
  [
    "P4",
    "keeps three events",
    ["if (node->event_count - first >= PL_EVENTS_MAX) {", "if (node->event_count - first >= PL_EVENTS_MAX - 1) {"],
  ],
  [
    "P4",
    "lets the newest event give way",
    ["    drop_event(node, first);\n    node->counters.events++;", "    node->counters.events++;\n    return;"],
  ],
  [
    "P5",
    "sends another value under the old seq",
    ["if (hash_of(&value) != node->flying_hash) node->flying_what = NOTHING;", "node->flying_hash = hash_of(&value);"],
  ],
  [
    "P5",
    "takes an ACK of the old seq",
    [
      "if (node->flying_what == NOTHING || node->flying_seq != seq) return;\n  review(node);",
      "if (node->flying_what == NOTHING) return;",
    ],
  ],
  [
    "P6",
    "reports what was before a WRITE",
    ["void pl_changed(", `${FROZEN}void pl_changed(`],
    [CHANGED, `  ${THAT} read_property(node, address, &frozen);\n${CHANGED}`],
    [REPORTED, FROZEN_REPORT],
  ],
  [
    "P6",
    "drops a waiting report at a WRITE",
    [
      WRITTEN,
      "      if (code == PL_OK && node->flying_what == A_PROPERTY && node->flying_slot == slot_of(node, address)) {\n        node->slots[node->flying_slot].is_waiting = false;\n        node->flying_what = NOTHING;\n      }",
    ],
  ],
  [
    "P7",
    "forgets a report at WHO",
    [
      "node->session = GREETING;\n  node->has",
      "node->session = GREETING;\n  node->flying_what = NOTHING;\n  node->has",
    ],
  ],
  [
    "P7",
    "gives a report another seq after HELLO_ACK",
    ["  node->flying_again_at = now; /* P7 */", "  node->flying_what = NOTHING;"],
  ],
  ["P8", "reports without a pause", ["#define REPORT_SPACING 250u", "#define REPORT_SPACING 0u"]],
  [
    "P8",
    "loses a value that comes too soon after one that was acknowledged",
    ["void pl_changed(", "static bool acked[PL_PROPERTIES_MAX];\nvoid pl_changed("],
    [SETTLED, SETTLED.replace(") node", ") acked[node->flying_slot] = true, node")],
    ["    node->slots[slot].was_sent = true;", "    node->slots[slot].was_sent = true;\n    acked[slot] = false;"],
    [SPACED, `      if (what == A_PROPERTY && acked[slot]) node->slots[slot].is_waiting = false;\n${SPACED}`],
  ],
  [
    "P11",
    "takes ERROR 9 for an answer",
    ["} else if (code != PL_BUSY) settle(node, seq);", "} else settle(node, seq);\n  if (0) ;"],
  ],
  [
    "P11",
    "takes ERROR 4 for no answer",
    ["} else if (code != PL_BUSY) settle(node, seq);", "} else if (code != PL_BUSY && code != 4) settle(node, seq);"],
  ],
];
