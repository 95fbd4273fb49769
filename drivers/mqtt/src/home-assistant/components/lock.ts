/** `lock`. A lock that requires a code is read-only: the hub has no code. */
import { eitherCommand, meaning, stateOf } from "../entity-bindings.ts";
import type { Component } from "../entity-options.ts";
import { standardPart } from "../entity-parts.ts";

const STATE = { topic: "state_topic", template: "value_template" };
const COMMAND = { topic: "command_topic", template: "command_template" };

export const lock: Component = (options) => {
  const word = (key: string, otherwise: string) => options.text(key) ?? otherwise;
  const [locked, unlocked, jammed] = [
    word("state_locked", "LOCKED"),
    word("state_unlocked", "UNLOCKED"),
    word("state_jammed", "JAMMED"),
  ];
  const moving = [word("state_locking", "LOCKING"), word("state_unlocking", "UNLOCKING")];
  const isLocked = stateOf(
    options,
    STATE,
    meaning([
      [locked, true],
      [unlocked, false],
      // Neither locked nor unlocked: jammed, moving, and reset.
    ]),
  );
  const isJammed = stateOf(
    options,
    STATE,
    meaning([[jammed, true], ...[locked, unlocked, ...moving].map((each) => [each, false] as const)]),
  );
  const needsCode = options.has("code_format");
  if (needsCode) options.leaveAside("needsCode");
  const set = needsCode
    ? undefined
    : eitherCommand(options, COMMAND, word("payload_lock", "LOCK"), word("payload_unlock", "UNLOCK"));
  return [
    ...standardPart("Lock", "locked", { state: isLocked, set }),
    // A lock that never reports jamming cannot be distinguished from a lock that never jams.
    ...standardPart("Lock", "jammed", { state: isJammed }),
  ];
};
