/** Level, colour and colour temperature of a Tasmota light, by how many channels it has. */
import { type Read, readNumber, readPercent, readShare } from "@porchlight/driver-kit";
import type { PropertyAddress } from "@porchlight/shared/model";
import { type Codec, levelCodec, miredCodec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { property, type TasmotaTopics } from "./topics.ts";

/** Mired of the coolest and the warmest white. */
const [COOLEST, WARMEST] = [153, 500];
const HUE_SATURATION = ["hue", "saturation"] as const;

/** @param channels 1 white, 2 white of two colours, 3 to 5 with colour, and of these 5 with white of two colours */
export function lightProperties(channels: number, topics: TasmotaTopics): MqttProperty[] {
  const at = (service: string, name: string): PropertyAddress => ({ service, index: "0", property: name });
  const limits = { min: Math.floor(1_000_000 / WARMEST), max: Math.ceil(1_000_000 / COOLEST) };
  const hasTwoWhites = channels === 2 || channels === 5;
  return [
    ...property(topics, at("LightLevel", "level"), wholePercent, { members: ["Dimmer"], command: "Dimmer" }),
    ...(hasTwoWhites
      ? property(topics, at("LightTemperature", "kelvin"), miredCodec(COOLEST), {
          ...{
            members: ["CT"],
            command: "CT",
            limits,
            isValid: (message) => channels < 3 || modeIn(message) !== "colour",
          },
        })
      : []),
    ...(channels >= 3 ? HUE_SATURATION.flatMap((part) => colourProperty(part, topics)) : []),
  ];
}

const wholePercent: Codec = { ...levelCodec(100), write: (value) => Math.round(Number(value)), tolerance: 0.5 };

type Mode = "white" | "colour";

/** What a light with both shows, by the brightness of its whites and of its colour; undefined when the message does not say it. */
function modeIn({ White: white, HSBColor: colour }: Readonly<Record<string, unknown>>): Mode | undefined {
  const level = readPercent(white);
  if (typeof level !== "number") return undefined;
  if (level > 0) return "white";
  return (partOf(colour, BRIGHTNESS) ?? 0) > 0 ? "colour" : undefined;
}

/** Place of the brightness in `HSBColor`, after hue and saturation. */
const BRIGHTNESS = 2;
const HIGHEST = [360, 100, 100];

/** `HSBColor` says hue, saturation and brightness in one text. */
function partOf(raw: unknown, place: number): Read<number> {
  if (raw === undefined) return undefined;
  const parts = typeof raw === "string" ? raw.split(",") : [];
  return parts.length === HIGHEST.length ? readShare(readNumber(parts[place]), 0, HIGHEST[place] ?? 0) : null;
}

/** Each part is set by a command of its own. */
function colourProperty(part: (typeof HUE_SATURATION)[number], topics: TasmotaTopics): MqttProperty[] {
  const place = HUE_SATURATION.indexOf(part);
  const codec: Codec = {
    read: (raw) => partOf(raw, place),
    write: (value) => Math.round(Number(value)),
    tolerance: 1,
  };
  const address = { service: "LightColor", index: "0", property: part };
  return property(topics, address, codec, {
    ...{ members: ["HSBColor"], command: `HSBColor${place + 1}`, isValid: (message) => modeIn(message) !== "white" },
  });
}
