/** Switches, lights, shutters and buttons of a Tasmota device, from the numbers of its configuration. */
import {
  at,
  isRecord,
  type Read,
  readNumber,
  readOneOf,
  readPercent,
  readShare,
  turnedRound,
} from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { booleanCodec, type Codec, levelCodec, miredCodec, shareCodec } from "../device/codec.ts";
import type { DevicePlaces, PlaceThings } from "../device/kept-things.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { property, type TasmotaConfig, type TasmotaTopics } from "./topics.ts";

const [NONE, SWITCH, LIGHT, SHUTTER] = [0, 1, 2, 3];
/** An input without a connection. */
const NO_INPUT = -1;

export interface RelayProperties {
  readonly properties: readonly MqttProperty[];
  /** Numbers of ignored parts, by reason. */
  readonly leftAside: Readonly<Record<string, number>>;
}

export function relayProperties(config: TasmotaConfig, topics: TasmotaTopics, places: DevicePlaces): RelayProperties {
  const { rl, lt_st: channels, so, swc } = config;
  const lights = rl.filter((kind) => kind === LIGHT).length;
  const shutterRelays = rl.filter((kind) => kind === SHUTTER).length;
  // With option 68 each channel is a separate light, and `Dimmer` reports the level of none of them.
  const isOneLight = lights > 0 && channels > 0 && !(so["68"] === 1 && lights > 1);
  const more = [
    ...(isOneLight ? lightProperties(channels, topics) : []),
    ...shutterProperties(Math.floor(shutterRelays / 2), config.sho, topics, places.of("shutters")),
    ...buttonProperties(config, topics),
  ];
  const leftAside = {
    unknownRelay: rl.filter((kind) => ![NONE, SWITCH, LIGHT, SHUTTER].includes(kind)).length + (shutterRelays % 2),
    moreLights: isOneLight ? lights - 1 : channels > 0 ? lights : 0,
    switchInput: swc.filter((mode) => mode !== NO_INPUT).length,
    // The answer to one command does not contain the values of the others.
    option4: topics.isByCommand ? more.length : 0,
  };
  return {
    properties: [...switchProperties(config, topics, places.of("relays")), ...(topics.isByCommand ? [] : more)],
    leftAside: Object.fromEntries(Object.entries(leftAside).filter(([, count]) => count > 0)),
  };
}

function switchProperties({ rl, state }: TasmotaConfig, topics: TasmotaTopics, place: PlaceThings): MqttProperty[] {
  const [off = "OFF", on = "ON"] = state;
  const relays = rl.flatMap((kind, at) => (kind === SWITCH || kind === LIGHT ? [at + 1] : []));
  const things = relays.map((number) => ({
    ...{ id: `POWER${number}`, number, index: relays.length === 1 ? 0 : number },
    properties: [{ service: "Switch", property: "on" }],
  }));
  return place(things).flatMap(({ thing: { id: command, number }, addresses: [address] }) => {
    if (!address) return [];
    const members = number === 1 ? [command, "POWER"] : [command];
    if (!topics.isByCommand) return property(topics, address, booleanCodec(on, off), { members, command });
    // A device with one relay does not number it in its messages.
    const question = rl.filter((kind) => kind !== NONE).length === 1 && number === 1 ? "POWER" : command;
    const ownTopic = { ...topics, result: topics.answer(question) };
    return property(ownTopic, address, booleanCodec(on, off), { members, command, question });
  });
}

const PRESSES = [
  ["SINGLE", "press"],
  ["DOUBLE", "double"],
  ["HOLD", "long"],
] as const;

function buttonProperties({ btn, so }: TasmotaConfig, topics: TasmotaTopics): MqttProperty[] {
  if (so["73"] !== 1) return [];
  const event = standardProperty("Button", "event");
  return btn.flatMap((kind, place) => {
    if (kind === 0 || !event) return [];
    const limits: PropertyDescription = { ...event, values: PRESSES.map(([, word]) => word) };
    // Other words are other events of the same button, and end nothing.
    const read = (raw: unknown) => readOneOf(at(raw, "Action"), PRESSES) ?? undefined;
    const address = { service: "Button", index: String(place + 1), property: "event" };
    return property(topics, address, { read }, { members: [`Button${place + 1}`], limits, also: [] });
  });
}

/** Bit of a shutter's options that reverses its direction. */
const TURNED = 1;

const COVER = ["position", "target", "movement"] as const;
const DIRECTIONS = { opening: 1, closing: -1, stopped: 0 } as const;

/** Shutters, each moved by two relays. @param options of each shutter */
function shutterProperties(
  count: number,
  options: readonly number[],
  topics: TasmotaTopics,
  place: PlaceThings,
): MqttProperty[] {
  const things = Array.from({ length: count }, (_, at) => ({
    ...{ id: `Shutter${at + 1}`, number: at + 1, index: count === 1 ? 0 : at + 1 },
    properties: COVER.map((property) => ({ service: "Cover", property })),
  }));
  return place(things).flatMap(({ thing: { id, number }, addresses }) => {
    const isTurned = ((options[number - 1] ?? 0) & TURNED) === TURNED;
    // The state of the whole device does not contain its shutters; the command without a position reports theirs.
    const command = `ShutterPosition${number}`;
    const reported = { members: [id], question: command, also: [topics.sensor, ...topics.alsoSensors] };
    const [position, target, movement] = addresses;
    return [
      ...(position ? property(topics, position, positionCodec(isTurned, "Position"), reported) : []),
      ...(target ? property(topics, target, positionCodec(isTurned, "Target"), { ...reported, command }) : []),
      ...(movement ? property(topics, movement, movementCodec(isTurned), reported) : []),
    ];
  });
}

function positionCodec(isTurned: boolean, member: "Position" | "Target"): Codec {
  const { read, write } = shareCodec(0, 100, isTurned ? turnedRound : undefined);
  return {
    read: (raw) => (isRecord(raw) ? read(raw[member]) : null),
    write: (value) => write?.(Math.round(Number(value))),
    tolerance: 1,
  };
}

function movementCodec(isTurned: boolean): Codec {
  const { opening, closing, stopped } = DIRECTIONS;
  const pairs = [
    [stopped, "stopped"],
    [isTurned ? closing : opening, "opening"],
    [isTurned ? opening : closing, "closing"],
  ] as const;
  return { read: (raw) => (isRecord(raw) ? readOneOf(raw.Direction, pairs) : null) };
}

/** Mired of the coolest and the warmest white. */
const [COOLEST, WARMEST] = [153, 500];
const HUE_SATURATION = ["hue", "saturation"] as const;

/**
 * Level, colour and colour temperature of a light, by its number of channels.
 * @param channels 1 white, 2 white of two colours, 3 to 5 with colour, and of these 5 with white of two colours
 */
function lightProperties(channels: number, topics: TasmotaTopics): MqttProperty[] {
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

/** Whether a light with both shows white or colour, by the brightness of each; undefined when the message does not contain it. */
function modeIn({ White: white, HSBColor: colour }: Readonly<Record<string, unknown>>): Mode | undefined {
  const level = readPercent(white);
  if (typeof level !== "number") return undefined;
  if (level > 0) return "white";
  return (partOf(colour, BRIGHTNESS) ?? 0) > 0 ? "colour" : undefined;
}

/** Index of the brightness in `HSBColor`, after hue and saturation. */
const BRIGHTNESS = 2;
const HIGHEST = [360, 100, 100];

/** `HSBColor` has hue, saturation and brightness in one text. */
function partOf(raw: unknown, place: number): Read<number> {
  if (raw === undefined) return undefined;
  const parts = typeof raw === "string" ? raw.split(",") : [];
  return parts.length === HIGHEST.length ? readShare(readNumber(parts[place]), 0, HIGHEST[place] ?? 0) : null;
}

/** Each part is set by its own command. */
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
