/** Values that are no loss when they are not described: administration of the protocol, and what another value says already. Pure. */
import type { NodeValue } from "../values/node-state.ts";
import type { ValueId } from "../values/value-id.ts";

/** Classes about the node in its network: versions, groups, times, names, security. */
const ADMINISTRATION: ReadonlySet<number> = new Set([
  ...[34, 70, 86, 89, 90, 94, 96, 103, 114, 119, 122, 132, 133, 134, 138, 139, 142, 152, 159],
]);
export const BASIC = 32;

/** What is set or told beside a value that is described, by command class. */
const BESIDE: Readonly<Record<number, readonly string[]>> = {
  37: ["targetValue", "duration", "currentValue"],
  38: ["targetValue", "duration", "Up", "Down", "Open", "Close", "On", "Off", "restorePrevious"],
  50: ["previousValue", "deltaTime", "reset"],
  51: ["targetColor", "duration", "currentColor", "hexColor"],
  64: ["manufacturerData"],
  91: ["slowRefresh"],
  98: ["targetMode", "duration"],
  102: ["targetState"],
  106: ["targetValue", "duration", "levelChangeUp", "levelChangeDown", "open", "close0", "close99"],
  113: ["alarmType", "alarmLevel"],
  128: ["isHigh"],
  // The lamp that shows where a device is, as single properties.
  135: ["80", "timeout", "identify", "value"],
};
/** The parts of a colour say what the whole says. */
const WHOLE_COLOUR = "currentColor";

export function isSilent(id: ValueId, all: readonly NodeValue[]): boolean {
  if (ADMINISTRATION.has(id.commandClass)) return true;
  if (id.commandClass === BASIC) return hasApplication(all) || id.property !== "currentValue";
  // A channel that could not be described is left aside.
  if (id.commandClass === 51 && id.property === WHOLE_COLOUR) return id.propertyKey === undefined;
  return BESIDE[id.commandClass]?.includes(String(id.property)) ?? false;
}

/** Whether a node has a class that says what it is for: battery and configuration do not. */
export function hasApplication(all: readonly NodeValue[]): boolean {
  return all.some(
    ({ id: { commandClass } }) => ![BASIC, 112, 128].includes(commandClass) && !ADMINISTRATION.has(commandClass),
  );
}
