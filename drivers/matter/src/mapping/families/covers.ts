/** Window Covering: shutters, curtains and blinds. The protocol counts the closed share; the catalogue, the open share. */
import { readOneOf, readShare } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  member,
  NULL_16,
  own,
  type Place,
  type RawOf,
  rawNumber,
  standard,
} from "../matter-property.ts";

const CLUSTER = "windowCovering";
/** Hundredths of a percent. */
const FULL = 10_000;
const MOVEMENTS = [
  [0, "stopped"],
  [1, "opening"],
  [2, "closing"],
] as const;

export const covers: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const features = endpoint.features(CLUSTER);
  const place = { endpoint, index };
  const lift = features.has("lift") ? "Lift" : undefined;
  const tilt = features.has("tilt") ? "Tilt" : undefined;
  const movement = standard(place, "Cover", "movement", {
    of: [`${CLUSTER}.operationalStatus`],
    read: (raw) => readOneOf(member(raw(CLUSTER, "operationalStatus"), "global"), MOVEMENTS),
  });
  const main = lift ?? tilt;
  if (!main) return movement;
  const isAware = features.has(lift ? "positionAwareLift" : "positionAwareTilt");
  const stop: MatterProperty = own(
    place,
    "Settings",
    { property: "stop", type: "boolean", values: [true] },
    {
      of: [],
      read: () => undefined,
      set: () => ({ send: { command: { cluster: CLUSTER, command: "stopMotion" } }, now: true, isAcceptedOnly: true }),
    },
  );
  const slat = lift && tilt && features.has("positionAwareTilt") ? [slatProperty(place)] : [];
  return [...(isAware ? positions(place, main) : endStops(place)), ...movement, ...slat, stop];
};

function positions(place: Place, part: "Lift" | "Tilt"): MatterProperty[] {
  const [now, target] = [`currentPosition${part}Percent100ths`, `targetPosition${part}Percent100ths`];
  return [
    ...standard(place, "Cover", "position", { of: [`${CLUSTER}.${now}`], read: (raw) => openOf(raw(CLUSTER, now)) }),
    ...standard(place, "Cover", "target", {
      of: [`${CLUSTER}.${target}`],
      read: (raw) => openOf(raw(CLUSTER, target)),
      set: (value) => goTo(part, Number(value)),
    }),
  ];
}

/** A cover without position feedback: it opens and closes, and never reports its position. */
function endStops(place: Place): MatterProperty[] {
  const properties = standard(
    place,
    "Cover",
    "target",
    {
      of: [],
      read: () => undefined,
      set: (value) => ({
        send: { command: { cluster: CLUSTER, command: Number(value) > 0 ? "upOrOpen" : "downOrClose" } },
        now: value,
        isAcceptedOnly: true,
      }),
    },
    { step: 100 },
  );
  return properties.map((each) => ({ ...each, description: { ...each.description, access: ["write"] } }));
}

function slatProperty(place: Place): MatterProperty {
  const attribute = "currentPositionTiltPercent100ths";
  const description = { property: "slat", type: "number" as const, unit: "%", min: 0, max: 100 };
  return own(place, "Settings", description, {
    of: [`${CLUSTER}.${attribute}`],
    read: (raw: RawOf) => openOf(raw(CLUSTER, attribute)),
    set: (value) => goTo("Tilt", Number(value)),
  });
}

function goTo(part: "Lift" | "Tilt", open: number) {
  const closed = Math.round((100 - open) * 100);
  const name = part === "Lift" ? "liftPercent100thsValue" : "tiltPercent100thsValue";
  const command = { cluster: CLUSTER, command: `goTo${part}Percentage`, fields: { [name]: closed } };
  return { send: { command }, now: (10_000 - closed) / 100, tolerance: 0.5 };
}

function openOf(raw: unknown): Value | undefined {
  const closed = readShare(rawNumber(raw, NULL_16), 0, FULL);
  return typeof closed === "number" ? Number(((FULL - closed) / 100).toFixed(2)) : closed;
}
