/** Level, colour and colour temperature of a Tasmota light, by how many channels it has. */
import type { PropertyAddress } from "@porchlight/shared/model";
import { type Codec, miredCodec, numberCodec } from "../device/codec.ts";
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
          ...{ members: ["CT"], command: "CT", limits },
        })
      : []),
    ...(channels >= 3 ? HUE_SATURATION.flatMap((part) => colourProperty(part, topics)) : []),
  ];
}

const wholePercent: Codec = { ...numberCodec(), write: (value) => Math.round(Number(value)), tolerance: 0.5 };

/** `HSBColor` says hue, saturation and brightness in one text; each is set by a command of its own. */
function colourProperty(part: (typeof HUE_SATURATION)[number], topics: TasmotaTopics): MqttProperty[] {
  const place = HUE_SATURATION.indexOf(part);
  const codec: Codec = {
    read: (json) => {
      const said = typeof json === "string" ? Number(json.split(",")[place] || Number.NaN) : Number.NaN;
      return Number.isFinite(said) ? said : undefined;
    },
    write: (value) => Math.round(Number(value)),
    tolerance: 1,
  };
  const address = { service: "LightColor", index: "0", property: part };
  return property(topics, address, codec, { members: ["HSBColor"], command: `HSBColor${place + 1}` });
}
