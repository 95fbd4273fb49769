/** A light's colour: one composite in its messages, two properties of the class `LightColor`. */
import {
  at,
  hueAndSaturationOfXy,
  isRecord,
  type Read,
  readNumber,
  readPercent,
  readShare,
  withoutNoise,
} from "@porchlight/driver-kit";
import { type PropertyAddress, standardProperty, type Value } from "@porchlight/shared/model";
import type { LastHeard, MqttProperty } from "../device/mqtt-device.ts";
import type { Feature } from "./custom-features.ts";
import type { DeviceTopics, Members, Validity } from "./members.ts";

export const COLOUR_PARTS = ["hue", "saturation"] as const;
type Part = (typeof COLOUR_PARTS)[number];
/** Default of a part that is not known yet: a full colour. */
const UNREPORTED: Readonly<Record<Part, number>> = { hue: 0, saturation: 100 };
/** Tolerance in degrees and percent: the device stores 254 steps of each, or a point of a plane that differs slightly. */
const TOLERANCE = 2;

export function isColour({ name }: Feature): boolean {
  return name === "color_hs" || name === "color_xy";
}

const OF_COLOUR: ReadonlySet<unknown> = new Set(["hs", "xy"]);

/** zigbee2mqtt publishes a colour and a colour temperature together; only the one of the light's mode is valid. */
function modeOf(member: string, isValid: Validity["isValid"]): Validity {
  return { path: [member.replace(/^color(?:_temp)?/, "color_mode")], isValid };
}

/** @param member with the colour: `color`, `color_l1` */
const colourValidity = (member: string) => modeOf(member, (mode) => (mode === "color_temp" ? false : known(mode)));
/** @param member with the colour temperature: `color_temp`, `color_temp_l1` */
export const temperatureValidity = (member: string) =>
  modeOf(member, (mode) => (OF_COLOUR.has(mode) ? false : known(mode)));

function known(mode: unknown): true | undefined {
  return mode === "color_temp" || OF_COLOUR.has(mode) ? true : undefined;
}

const READERS: Readonly<Record<Part, (raw: unknown) => Read<number>>> = {
  hue: (raw) => readShare(readNumber(raw), 0, 360),
  saturation: readPercent,
};

/** @param addresses of hue and saturation, in this order */
export function colourProperties(
  { path, canSet, canAsk }: Feature,
  addresses: readonly PropertyAddress[],
  topics: DeviceTopics,
  members: Members,
): MqttProperty[] {
  const [member = "color"] = path;
  return COLOUR_PARTS.flatMap((part, place) => {
    const description = standardProperty("LightColor", part);
    const address = addresses[place];
    if (!description || !address) return [];
    const set = (value: Value, known: LastHeard) => {
      const colour = Object.fromEntries(
        COLOUR_PARTS.map((each, at) => [each, each === part ? value : partKnown(each, addresses[at], known)]),
      );
      return topics.set({ [member]: colour });
    };
    return [
      {
        address,
        description: canSet ? description : { ...description, access: ["read", "notify"] },
        state: members.isJson
          ? members.state([member], (raw) => partOf(raw, part), colourValidity(member))
          : members.state([member, part], READERS[part], colourValidity(member)),
        set: canSet ? set : undefined,
        ask: canAsk ? topics.get({ [member]: { x: "", y: "" } }) : undefined,
        isEchoed: canSet,
        tolerance: TOLERANCE,
      },
    ];
  });
}

function partKnown(part: Part, address: PropertyAddress | undefined, known: LastHeard): Value {
  return (address && known(address)) ?? UNREPORTED[part];
}

/** A message has a colour as hue and saturation, as a point (x, y), or as both; hue and saturation are then the more exact. */
function partOf(colour: unknown, part: Part): Read<number> {
  if (colour === undefined) return undefined;
  if (!isRecord(colour)) return null;
  const hue = READERS.hue(at(colour, "hue"));
  const saturation = READERS.saturation(at(colour, "saturation"));
  if (typeof hue === "number" && typeof saturation === "number") return part === "hue" ? hue : saturation;
  const [x, y] = [readCoordinate(at(colour, "x")), readCoordinate(at(colour, "y"))];
  const point = typeof x === "number" && typeof y === "number" ? hueAndSaturationOfXy(x, y) : null;
  return point && withoutNoise(Math.round(point[part] * 10) / 10);
}

/** A coordinate of the CIE 1931 diagram. */
function readCoordinate(raw: unknown): Read<number> {
  return readShare(readNumber(raw), 0, 1);
}
