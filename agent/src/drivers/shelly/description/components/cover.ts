/** `cover`: its target is what is set, its position and movement are what is so now. Without calibration it only goes all the way. */
import type { Value } from "@porchlight/shared/model";
import { at } from "../../../kit/index.ts";
import { call, custom, type Read, readsNumber, standard } from "../properties.ts";
import type { ComponentJson, DescribedComponent, ShellyComponent, ShellyProperty } from "../shelly-property.ts";
import { metering } from "./metering.ts";

const MOVEMENTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["opening", "opening"],
  ["closing", "closing"],
  ["open", "stopped"],
  ["closed", "stopped"],
  ["stopped", "stopped"],
  // It moves, and does not say which way.
  ["calibrating", null],
]);
const AT_REST: ReadonlyMap<string, number> = new Map([
  ["open", 100],
  ["closed", 0],
]);
/** Where it is, or where its movement leads. */
const LEADS_TO: ReadonlyMap<string, number> = new Map([...AT_REST, ["opening", 100], ["closing", 0]]);
const ENDS = { values: [0, 100] };

export function shutter(of: ShellyComponent): DescribedComponent {
  const isCalibrated = of.status.pos_control === true;
  return {
    properties: [
      ...(isCalibrated ? toAnywhere(of) : toTheEnds(of)),
      ...standard(of, "Cover.movement", { read: (status) => MOVEMENTS.get(state(status)) }),
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
    ...standard(of, "Cover.position", { read: readsNumber(["current_pos"]) }),
    ...standard(of, "Cover.target", { read: target, command }),
  ];
}

/** Told while it moves to one; at rest it is where it is. */
const target: Read = (status) => {
  if (typeof status.target_pos === "number") return status.target_pos;
  return MOVEMENTS.get(state(status)) === "stopped" ? readsNumber(["current_pos"])(status) : undefined;
};

function toTheEnds(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = (value: Value) =>
    value === 100
      ? call("Cover.Open", { id }, (now) => leadsTo(now) === 100)
      : call("Cover.Close", { id }, (now) => leadsTo(now) === 0);
  return [
    ...standard(of, "Cover.position", { read: (now) => AT_REST.get(state(now)) ?? null }, ENDS),
    ...standard(of, "Cover.target", { read: leadsTo, command }, ENDS),
  ];
}

/** No value when it stopped between. */
function leadsTo(status: ComponentJson): Value {
  return LEADS_TO.get(state(status)) ?? null;
}

function stop(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = () => call("Cover.Stop", { id }, (now) => MOVEMENTS.get(state(now)) === "stopped");
  return custom(of, { property: "stop", type: "boolean", values: [true] }, { command });
}

function slat(of: ShellyComponent): ShellyProperty[] {
  const { id } = of;
  const command = (value: Value) => {
    const asked = Math.round(Number(value));
    return call("Cover.GoToPosition", { id, slat_pos: asked }, (now) => now.slat_pos === asked);
  };
  const description = { property: "slat", type: "number", min: 0, max: 100, unit: "%" } as const;
  return custom(of, description, { read: readsNumber(["slat_pos"]), command });
}

function state(status: ComponentJson): string {
  return typeof status.state === "string" ? status.state : "";
}
