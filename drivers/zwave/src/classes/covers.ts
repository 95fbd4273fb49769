/** Covers: motors of multilevel switches, window coverings, and barriers such as garage doors. */
import { type Read, readEither, readOneOf, readPercent } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { type NodeValue, type RawOf, type ValueId, valueKey } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  levelOfPercent,
  type Mapped,
  namedValue,
  ownProperty,
  percentOfLevel,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** From this version on, a report contains the target beside the position. */
const VERSION_WITH_TARGET = 4;
/** Names of the movement values across versions of Z-Wave JS: setting one to false stops the cover. */
const MOVERS = ["Up", "Down", "Open", "Close", "On", "Off"];

export function coverSwitch(given: ClassValues): Mapped {
  const current = namedValue(given, "currentValue");
  const target = namedValue(given, "targetValue");
  if (!current) return { properties: [] };
  const mover = MOVERS.flatMap((name) => namedValue(given, name) ?? []).find(({ metadata }) => metadata.writeable);
  return { properties: coverProperties(given.endpoint, current, target, mover?.id, VERSION_WITH_TARGET) };
}

/** Parameters with a position have odd numbers. Those from 12 on are movements of a blind; 22 and 23 are the angle of its slats. */
const SLATS = 22;

/**
 * One parameter becomes the cover, and stays the cover even when parameters appear or disappear. Therefore each parameter offers itself
 * as the cover, and becomes a part where another parameter already is the cover.
 */
export function windowCovering(given: ClassValues): Mapped {
  const positions = given.values.filter(({ id }) => id.property === "currentValue" && isOdd(id.propertyKey));
  const partOf = (value: NodeValue, property: string) => namedValue(given, property, value.id.propertyKey);
  const main = (value: NodeValue): readonly ZwaveProperty[] =>
    coverProperties(given.endpoint, value, partOf(value, "targetValue"), partOf(value, "levelChangeUp")?.id, 1).map(
      (each) => ({ ...each, owner: valueKey(value.id) }),
    );
  const part = (value: NodeValue) => coverPart(given.endpoint, value, partOf(value, "targetValue"));
  return {
    properties: positions.flatMap((value) =>
      isSlat(value)
        ? part(value)
        : [...main(value), ...part(value).map((each) => ({ ...each, insteadOf: valueKey(value.id) }))],
    ),
  };
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
 * @param of the target if the device reports it, else the position, which confirms that the cover has arrived but does not show the
 * target while the cover moves
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
  return id.propertyKey === SLATS + 1 || id.propertyKey === SLATS;
}

/** States of a barrier. */
const BARRIER = { closed: 0, closing: 252, stopped: 253, opening: 254, open: 255 } as const;

/** A garage door or gate: it can injure people and admit intruders. */
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
    ...classProperty(endpoint, "Cover", "movement", { of, read: (raw) => readOneOf(raw(state.id), MOVEMENTS) }),
    ...(target
      ? classProperty(
          endpoint,
          "Cover",
          "target",
          {
            of,
            read: (raw) => readOneOf(raw(state.id), TARGETS),
            set: (value) => ({ at: target.id, value: value === 0 ? 0 : BARRIER.open, now: value, isTarget: true }),
          },
          { step: 100 },
        )
      : []),
    ...given.values.flatMap((value) => signal(endpoint, value)),
  ];
  return { properties, isSensitive: true };
}

/** Warning signals of a movement, by the number of the subsystem. */
const SIGNAL_ON = 255;
const SIGNALS: Readonly<Record<number, string>> = { 1: "audibleWarning", 2: "visualWarning" };

function signal(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const property = id.property === "signalingState" ? SIGNALS[Number(id.propertyKey)] : undefined;
  if (property === undefined) return [];
  const read = (raw: RawOf) => readEither(raw(id), [true, SIGNAL_ON], [false, 0]);
  const set = (value: Value) => ({ at: id, value: value === true ? SIGNAL_ON : 0, now: value === true });
  const parts = { of: [id], read, set: metadata.writeable ? set : undefined };
  return [ownProperty(endpoint, "Settings", { property, type: "boolean" }, parts)];
}

/** Between open and closed, a report may have a position or not. */
function barrierPosition(state: unknown, position: unknown): Read<number> {
  const end = readOneOf(state, ENDS);
  if (typeof end === "number") return end;
  const now = readPercent(position);
  return now === undefined && state !== undefined ? null : now;
}

const ENDS = [
  [BARRIER.closed, 0],
  [BARRIER.open, 100],
] as const;

const MOVEMENTS = [
  [BARRIER.closed, "stopped"],
  [BARRIER.closing, "closing"],
  [BARRIER.stopped, "stopped"],
  [BARRIER.opening, "opening"],
  [BARRIER.open, "stopped"],
] as const;

/** End to which the barrier moves or at which it stands; no value at rest between the ends. */
const TARGETS = [...ENDS, [BARRIER.closing, 0], [BARRIER.opening, 100]] as const;
