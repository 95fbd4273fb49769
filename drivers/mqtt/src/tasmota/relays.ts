/** Switches, lights, shutters and buttons of a Tasmota device, from the numbers of its configuration. */
import { at, readOneOf } from "@porchlight/driver-kit";
import { type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { booleanCodec } from "../device/codec.ts";
import type { DevicePlaces, PlaceThings } from "../device/device-places.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { lightProperties } from "./lights.ts";
import { shutterProperties } from "./shutters.ts";
import type { TasmotaConfig } from "./tasmota-schemas.ts";
import { property, type TasmotaTopics } from "./topics.ts";

const [NONE, SWITCH, LIGHT, SHUTTER] = [0, 1, 2, 3];
/** Of an input to which nothing is connected. */
const NO_INPUT = -1;

export interface RelayProperties {
  readonly properties: readonly MqttProperty[];
  /** Parts that are not among them, by why. */
  readonly leftAside: Readonly<Record<string, number>>;
}

export function relayProperties(config: TasmotaConfig, topics: TasmotaTopics, places: DevicePlaces): RelayProperties {
  const { rl, lt_st: channels, so, swc } = config;
  const lights = rl.filter((kind) => kind === LIGHT).length;
  const shutterRelays = rl.filter((kind) => kind === SHUTTER).length;
  // With option 68 each channel is a light of its own, and the level of none is told as `Dimmer`.
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
    // What one command answers, another one would not tell.
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
    // A device with one relay does not number it in what it tells.
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
