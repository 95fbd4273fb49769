/** Covers: motors of multilevel switches, window coverings, and barriers such as garage doors. */
import type { Value } from "@porchlight/shared/model";
import { levelOfPercent, percentOfLevel } from "../values/levels.ts";
import type { NodeValue } from "../values/node-state.ts";
import type { RawOf } from "../values/node-values.ts";
import type { ValueId } from "../values/value-id.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  rawNumber,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** From this version on a report has the target beside the position. */
const VERSION_WITH_TARGET = 4;
/** The names of what moves it, in the versions of Z-Wave JS: setting one to false stops it. */
const MOVERS = ["Up", "Down", "Open", "Close", "On", "Off"];

export function coverSwitch(given: ClassValues): Mapped {
  const current = namedValue(given, "currentValue");
  const target = namedValue(given, "targetValue");
  if (!current) return { properties: [] };
  const mover = MOVERS.flatMap((name) => namedValue(given, name) ?? []).find(({ metadata }) => metadata.writeable);
  return { properties: coverProperties(given.endpoint, current, target, mover?.id, VERSION_WITH_TARGET) };
}

/** Parameters with a position have odd numbers; those from 12 on are the ways a blind can move, 22 and 23 the angle of its slats. */
const SLATS = 22;

export function windowCovering(given: ClassValues): Mapped {
  const positions = given.values.filter(({ id }) => id.property === "currentValue" && isOdd(id.propertyKey));
  const first = positions.find((value) => !isSlat(value));
  const others = positions.filter((value) => value !== first);
  const partOf = (value: NodeValue, property: string) => namedValue(given, property, value.id.propertyKey);
  const main = first
    ? coverProperties(given.endpoint, first, partOf(first, "targetValue"), partOf(first, "levelChangeUp")?.id, 1)
    : [];
  const rest = others.flatMap((value) => coverPart(given.endpoint, value, partOf(value, "targetValue")));
  return { properties: [...main, ...rest] };
}

function coverProperties(
  endpoint: number,
  current: NodeValue,
  target: NodeValue | undefined,
  mover: ValueId | undefined,
  withTarget: number,
): ZwaveProperty[] {
  const reportsTarget = current.ccVersion >= withTarget;
  const position = (raw: RawOf) => percentOfLevel(raw(current.id));
  const stop = ownProperty(
    endpoint,
    "Settings",
    { property: "stop", type: "boolean", values: [true] },
    {
      of: [],
      read: () => undefined,
      set: mover && (() => ({ at: mover, value: false, now: true })),
    },
  );
  return [
    ...classProperty(endpoint, "Cover", "position", { of: [current.id], read: position }),
    ...(target ? targetProperty(endpoint, target, reportsTarget ? target.id : current.id, reportsTarget) : []),
    ...(mover ? [{ ...stop, description: { ...stop.description, access: ["write" as const] } }] : []),
  ];
}

/**
 * @param of the target where it is reported, else the position: it confirms that the cover is there, and says nothing of the target
 * while it moves
 */
function targetProperty(endpoint: number, target: NodeValue, of: ValueId, isReported: boolean): ZwaveProperty[] {
  const properties = classProperty(endpoint, "Cover", "target", {
    of: [of],
    read: (raw) => percentOfLevel(raw(of)),
    set: (value) => targetSetting(target.id, Number(value)),
  });
  const access = ["write" as const];
  return properties.map((each) => (isReported ? each : { ...each, description: { ...each.description, access } }));
}

function coverPart(endpoint: number, current: NodeValue, target: NodeValue | undefined): ZwaveProperty[] {
  const isSlats = isSlat(current);
  const property = isSlats ? "slat" : `part${current.id.propertyKey}`;
  const description = { property, type: "number" as const, unit: "%", min: 0, max: 100 };
  return [
    ownProperty(endpoint, "Settings", description, {
      of: [current.id],
      read: (raw) => percentOfLevel(raw(current.id)),
      set: target && ((value) => targetSetting(target.id, Number(value))),
    }),
  ];
}

function targetSetting(at: ValueId, percent: number) {
  const value = levelOfPercent(percent);
  return { at, value, now: percentOfLevel(value) ?? null, isTarget: true };
}

function isOdd(key: unknown): boolean {
  return typeof key === "number" && key % 2 === 1;
}

function isSlat({ id }: NodeValue): boolean {
  return rawNumber(id.propertyKey) === SLATS + 1 || rawNumber(id.propertyKey) === SLATS;
}

/** States of a barrier between open and closed. */
const BARRIER = { closed: 0, closing: 252, stopped: 253, opening: 254, open: 255 } as const;

/** A garage door, or a gate: it can hurt, and let somebody in. */
export function barrier(given: ClassValues): Mapped {
  const { endpoint } = given;
  const state = namedValue(given, "currentState");
  const target = namedValue(given, "targetState");
  const position = namedValue(given, "position");
  if (!state) return { properties: [] };
  const of = [state.id];
  const properties = [
    ...classProperty(endpoint, "Cover", "position", {
      of: position ? [position.id, state.id] : of,
      polls: () => of,
      read: (raw) => barrierPosition(raw(state.id), position && raw(position.id)),
    }),
    ...classProperty(endpoint, "Cover", "movement", { of, read: (raw) => movementOf(raw(state.id)) }),
    ...(target
      ? classProperty(
          endpoint,
          "Cover",
          "target",
          {
            of,
            read: (raw) => targetOf(raw(state.id)),
            set: (value) => ({ at: target.id, value: value === 0 ? 0 : BARRIER.open, now: value, isTarget: true }),
          },
          { step: 100 },
        )
      : []),
    ...given.values.flatMap((value) => signal(endpoint, value)),
  ];
  return { properties, isSensitive: true };
}

/** Which subsystem warns of a movement, by its number. */
const SIGNALS: Readonly<Record<number, string>> = { 1: "audibleWarning", 2: "visualWarning" };

function signal(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const property = id.property === "signalingState" ? SIGNALS[Number(id.propertyKey)] : undefined;
  if (property === undefined) return [];
  const read = (raw: RawOf): Value | undefined => {
    const now = rawNumber(raw(id));
    return now === undefined ? undefined : now > 0;
  };
  const set = (value: Value) => ({ at: id, value: value === true ? 255 : 0, now: value === true });
  const parts = { of: [id], read, set: metadata.writeable ? set : undefined };
  return [ownProperty(endpoint, "Settings", { property, type: "boolean" }, parts)];
}

function barrierPosition(state: unknown, position: unknown): Value | undefined {
  if (state === BARRIER.closed) return 0;
  if (state === BARRIER.open) return 100;
  const now = rawNumber(position);
  return now === undefined || now < 0 || now > 100 ? null : now;
}

function movementOf(state: unknown): Value | undefined {
  if (rawNumber(state) === undefined) return undefined;
  if (state === BARRIER.closing) return "closing";
  return state === BARRIER.opening ? "opening" : "stopped";
}

/** What it moves to, or where it stands; `null` of one that stands between. */
function targetOf(state: unknown): Value | undefined {
  if (rawNumber(state) === undefined) return undefined;
  if (state === BARRIER.closed || state === BARRIER.closing) return 0;
  return state === BARRIER.open || state === BARRIER.opening ? 100 : null;
}
