/** `cover`: target, position and movement. Without calibration a cover only opens and closes fully. */
import { at, readOneOf } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { metering } from "./metering.ts";
import {
  type ComponentJson,
  call,
  custom,
  type DescribedComponent,
  readsPercent,
  type ShellyComponent,
  type ShellyProperty,
  type StatusReader,
  standard,
} from "./shelly-property.ts";

/** States of a cover, each with its movement. */
const MOVEMENTS: readonly (readonly [string, Value])[] = [
  ["opening", "opening"],
  ["closing", "closing"],
  ["open", "stopped"],
  ["closed", "stopped"],
  ["stopped", "stopped"],
  // The cover moves but does not report the direction.
  ["calibrating", null],
];
const AT_REST: ReadonlyMap<string, number> = new Map([
  ["open", 100],
  ["closed", 0],
]);
/** Position at rest, or the end to which the movement leads, %. */
const LEADS_TO: ReadonlyMap<string, number> = new Map([...AT_REST, ["opening", 100], ["closing", 0]]);
const ENDS = { values: [0, 100] };

export function shutter(of: ShellyComponent): DescribedComponent {
  const isCalibrated = of.status.pos_control === true;
  return {
    properties: [
      ...(isCalibrated ? toAnywhere(of) : toTheEnds(of)),
      ...standard(of, "Cover.movement", { read: movement, faults: [] }),
      ...stop(of),
      ...(at(of.config, "slat", "enable") === true ? slat(of) : []),
      ...metering(of),
    ],
  };
}

function toAnywhere(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = (value: Value) => {
    const pos = Math.round(Number(value));
    return call("Cover.GoToPosition", { id, pos }, (now) => now.target_pos === pos || now.current_pos === pos);
  };
  return [
    ...standard(of, "Cover.position", { read: readsPercent("current_pos") }),
    ...standard(of, "Cover.target", { read: target, command }),
  ];
}

/** The device reports a target only while it moves; at rest the target is the position. */
const target: StatusReader = (status) => {
  const reported = readsPercent("target_pos")(status);
  if (typeof reported === "number") return reported;
  return movement(status) === "stopped" ? readsPercent("current_pos")(status) : reported;
};

function movement({ state: word }: ComponentJson): Value | undefined {
  return readOneOf(word, MOVEMENTS);
}

function toTheEnds(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = (value: Value) =>
    value === 100
      ? call("Cover.Open", { id }, (now) => leadsTo(now) === 100)
      : call("Cover.Close", { id }, (now) => leadsTo(now) === 0);
  return [
    ...standard(of, "Cover.position", { read: (now) => whereOf(AT_REST, now) }, ENDS),
    ...standard(of, "Cover.target", { read: leadsTo, command }, ENDS),
  ];
}

function leadsTo(status: ComponentJson): Value | undefined {
  return whereOf(LEADS_TO, status);
}

/** `null` when the cover stopped between its ends. */
function whereOf(places: ReadonlyMap<string, number>, { state: word }: ComponentJson): Value | undefined {
  return word === undefined ? undefined : (places.get(String(word)) ?? null);
}

function stop(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = () => call("Cover.Stop", { id }, (now) => movement(now) === "stopped");
  return custom(of, { property: "stop", type: "boolean", values: [true] }, { command });
}

function slat(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = (value: Value) => {
    const asked = Math.round(Number(value));
    return call("Cover.GoToPosition", { id, slat_pos: asked }, (now) => now.slat_pos === asked);
  };
  const description = { property: "slat", type: "number", min: 0, max: 100, unit: "%" } as const;
  return custom(of, description, { read: readsPercent("slat_pos"), command });
}
