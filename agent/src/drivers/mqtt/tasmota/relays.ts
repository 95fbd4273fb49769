/** Switches, lights, shutters and buttons of a Tasmota device, from the numbers of its configuration. */
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { turnedRound } from "../../kit/index.ts";
import { booleanCodec, type Codec, miredCodec, numberCodec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { TasmotaConfig } from "./tasmota-schemas.ts";
import { property, type TasmotaTopics } from "./topics.ts";

const [SWITCH, LIGHT, SHUTTER] = [1, 2, 3];
/** Mired of the coolest and the warmest white. */
const [COOLEST, WARMEST] = [153, 500];
const HUE_SATURATION = ["hue", "saturation"] as const;

export function relayProperties(config: TasmotaConfig, topics: TasmotaTopics): MqttProperty[] {
  const { rl, lt_st: channels } = config;
  const [off = "OFF", on = "ON"] = config.state;
  const relays = rl.flatMap((kind, place) => (kind === SWITCH || kind === LIGHT ? [{ kind, number: place + 1 }] : []));
  const firstLight = relays.find(({ kind }) => kind === LIGHT);
  return [
    ...relays.flatMap(({ number }) => {
      const index = relays.length === 1 ? "0" : String(number);
      const members = number === 1 ? ["POWER1", "POWER"] : [`POWER${number}`];
      return property(
        topics,
        { service: "Switch", index, property: "on" },
        booleanCodec(on, off),
        members,
        `POWER${number}`,
      );
    }),
    ...(firstLight ? lightProperties(channels, topics) : []),
    ...shutterProperties(config, topics),
    ...buttonProperties(config, topics),
  ];
}

function lightProperties(channels: number, topics: TasmotaTopics): MqttProperty[] {
  const at = (service: string, name: string): PropertyAddress => ({ service, index: "0", property: name });
  const white = { min: Math.floor(1_000_000 / WARMEST), max: Math.ceil(1_000_000 / COOLEST) };
  return [
    ...property(topics, at("LightLevel", "level"), wholePercent, ["Dimmer"], "Dimmer"),
    ...(channels === 2 || channels === 5
      ? property(topics, at("LightTemperature", "kelvin"), miredCodec(COOLEST), ["CT"], "CT", white)
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
  return property(topics, address, codec, ["HSBColor"], `HSBColor${place + 1}`);
}

/** Two relays are one shutter. Bit 0 of its options turns it round. */
function shutterProperties({ rl, sho }: TasmotaConfig, topics: TasmotaTopics): MqttProperty[] {
  const count = Math.floor(rl.filter((kind) => kind === SHUTTER).length / 2);
  return Array.from({ length: count }, (_, place) => place).flatMap((place) => {
    const isTurned = ((sho[place] ?? 0) & 1) === 1;
    const seen = (position: number) => (isTurned ? turnedRound(position) : position);
    const codec: Codec = {
      read: (json) => {
        const position = memberOf(json, "Position");
        return typeof position === "number" ? seen(position) : undefined;
      },
      write: (value) => seen(Math.round(Number(value))),
      tolerance: 1,
    };
    const movement: Codec = {
      read: (json) => {
        const direction = memberOf(json, "Direction");
        if (direction === 0) return "stopped";
        return typeof direction === "number" ? (direction > 0 !== isTurned ? "opening" : "closing") : undefined;
      },
    };
    const index = count === 1 ? "0" : String(place + 1);
    const member = [`Shutter${place + 1}`];
    return [
      ...property(
        topics,
        { service: "Cover", index, property: "position" },
        codec,
        member,
        `ShutterPosition${place + 1}`,
      ),
      ...property(topics, { service: "Cover", index, property: "movement" }, movement, member),
    ];
  });
}

const PRESSES: ReadonlyMap<unknown, string> = new Map([
  ["SINGLE", "press"],
  ["DOUBLE", "double"],
  ["HOLD", "long"],
]);

function buttonProperties({ btn, so }: TasmotaConfig, topics: TasmotaTopics): MqttProperty[] {
  if (so["73"] !== 1) return [];
  const event = standardProperty("Button", "event");
  return btn.flatMap((kind, place) => {
    if (kind === 0 || !event) return [];
    const description: PropertyDescription = { ...event, values: [...PRESSES.values()] };
    const read = (json: unknown) => PRESSES.get(memberOf(json, "Action"));
    const address = { service: "Button", index: String(place + 1), property: "event" };
    return property(topics, address, { read }, [`Button${place + 1}`], undefined, description);
  });
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
}
