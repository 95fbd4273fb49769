/** Sirens and chimes of the Sound Switch class, and devices that can show where they are. */
import { identifyOnly, type Read, readNumber, readShare } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { RawOf } from "../values/node-values.ts";
import { sirenProperty } from "./switches.ts";
import { type ClassValues, type Mapped, namedValue, ownProperty, type ZwaveProperty } from "./zwave-property.ts";

/** Plays the tone that is set as the default. */
const DEFAULT_TONE = 255;

export function soundSwitch(given: ClassValues): Mapped {
  const { endpoint } = given;
  const tone = namedValue(given, "toneId");
  if (!tone) return { properties: [] };
  const read = (raw: RawOf) => isPlaying(raw(tone.id));
  const set = (value: Value) => ({ at: tone.id, value: value === true ? DEFAULT_TONE : 0, now: value === true });
  const active = sirenProperty(endpoint, { of: [tone.id], read, set });
  const ofNumber = (of: string, property: string, max: number | undefined, unit?: string): ZwaveProperty[] => {
    const value = namedValue(given, of);
    if (!value) return [];
    const description = { property, type: "integer" as const, min: 0, max: max ?? value.metadata.max, unit };
    return [
      ownProperty(endpoint, "Siren", description, {
        of: [value.id],
        read: (raw) => readShare(readNumber(raw(value.id)), 0, description.max ?? DEFAULT_TONE),
        set: (asked) => ({ at: value.id, value: asked, now: asked }),
      }),
    ];
  };
  const settings = [...ofNumber("defaultVolume", "volume", 100, "%"), ...ofNumber("defaultToneId", "tone", undefined)];
  return { properties: [active, ...settings], isSensitive: true };
}

function isPlaying(tone: unknown): Read<boolean> {
  const number = readShare(readNumber(tone), 0, DEFAULT_TONE);
  return typeof number === "number" ? number > 0 : number;
}

/** A device with the Indicator class can be told to blink or beep. */
export function indicator(given: ClassValues): Mapped {
  const identify = namedValue(given, "identify");
  if (!identify || given.endpoint !== 0) return { properties: [] };
  const set = () => ({ at: identify.id, value: true, now: true });
  return { properties: identifyOnly().map((each) => ({ ...each, of: [], read: () => undefined, set })) };
}
