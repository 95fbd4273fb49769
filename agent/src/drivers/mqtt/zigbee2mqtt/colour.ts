/** A light's colour: one composite of its messages, two properties of the class `LightColor`. */
import { type PropertyAddress, standardProperty, type Value } from "@porchlight/shared/model";
import { hueAndSaturationOfXy } from "../../kit/index.ts";
import type { LastHeard, MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { Feature } from "./features.ts";
import type { DeviceTopics } from "./topics.ts";

const PARTS = ["hue", "saturation"] as const;
type Part = (typeof PARTS)[number];
/** What a part is while nothing is known of it: a full colour. */
const UNTOLD: Readonly<Record<Part, number>> = { hue: 0, saturation: 100 };
/** Degrees and percent: the device keeps 254 steps of each, or a point of a plane that is a little off. */
const TOLERANCE = 2;

export function isColour({ name }: Feature): boolean {
  return name === "color_hs" || name === "color_xy";
}

/** @param index of the service instance */
export function colourProperties(
  { path, canSet, canAsk }: Feature,
  index: string,
  topics: DeviceTopics,
): MqttProperty[] {
  const [member = "color"] = path;
  const address = (property: Part): PropertyAddress => ({ service: "LightColor", index, property });
  return PARTS.flatMap((part) => {
    const description = standardProperty("LightColor", part);
    if (!description) return [];
    const set = (value: Value, known: LastHeard) => {
      const colour = Object.fromEntries(PARTS.map((each) => [each, each === part ? value : partKnown(each, known)]));
      return topics.set({ [member]: colour });
    };
    const partKnown = (each: Part, known: LastHeard) => known(address(each)) ?? UNTOLD[each];
    return [
      {
        address: address(part),
        description: canSet ? description : { ...description, access: ["read", "notify"] },
        state: { topic: topics.state, read: (payload: Payload) => partOf(payload.object?.[member], part) },
        set: canSet ? set : undefined,
        ask: canAsk ? topics.get({ [member]: { x: "", y: "" } }) : undefined,
        isEchoed: canSet,
        tolerance: TOLERANCE,
      },
    ];
  });
}

/** A message says a colour as hue and saturation, as a point (x, y), or as both; then the former is the more exact. */
function partOf(colour: unknown, part: Part): Value | undefined {
  if (typeof colour !== "object" || colour === null) return undefined;
  const { hue, saturation, x, y } = { hue: undefined, saturation: undefined, x: undefined, y: undefined, ...colour };
  if (isNumber(hue) && isNumber(saturation)) return part === "hue" ? hue : saturation;
  if (!isNumber(x) || !isNumber(y)) return undefined;
  return Math.round(hueAndSaturationOfXy(x, y)[part] * 10) / 10;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
