/** Discovery messages for tests: sends them to a dialect, and gives the states and the commands of its devices. */
import { addressKey, type PropertyAddress, parseSelector, type Value } from "@porchlight/shared/model";
import type { Dialect, MqttDevice, MqttProperty, Publication } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

export const SCOPE = "broker";

/** Topics without their prefix and `/config`, each with its message; a text is sent as it is. */
export type Discovery = Readonly<Record<string, unknown>>;

export function tell(dialect: Dialect, discovery: Discovery): void {
  for (const [topic, config] of Object.entries(discovery)) {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    dialect.take({ topic: `homeassistant/${topic}/config`, payload: new Payload(text), retained: true });
  }
}

export function discovered(discovery: Discovery): Dialect {
  const dialect = homeAssistantDialect("homeassistant", SCOPE);
  tell(dialect, discovery);
  return dialect;
}

/** The only device of these. @throws Error when there is none, or another */
export function onlyDevice(discovery: Discovery): MqttDevice {
  const [device, another] = discovered(discovery).devices.values();
  if (!device || another) throw new Error("there is not just one device");
  return device;
}

/** The device of one entity. */
export function deviceWith(component: string, options: Readonly<Record<string, unknown>>): MqttDevice {
  return onlyDevice({ [`${component}/it`]: options });
}

/** What has an address there, as `SERVICE:INDEX.PROPERTY`, each with its access in short. */
export function described({ properties }: MqttDevice): Record<string, string> {
  const letters = { read: "r", write: "w", notify: "n" };
  return Object.fromEntries(
    properties.map(({ address: { service, index, property }, description: { access } }) => [
      `${service}:${index}.${property}`,
      access.map((each) => letters[each]).join(""),
    ]),
  );
}

/** @throws Error when the device has no such property */
export function propertyAt(device: MqttDevice, selector: string): MqttProperty {
  const parsed = parseSelector(selector);
  const found = device.properties.find(
    ({ address }) =>
      address.service === parsed?.service &&
      address.index === (parsed.index ?? "0") &&
      address.property === parsed.property,
  );
  if (!found) throw new Error(`there is no ${selector} in ${Object.keys(described(device)).join(", ")}`);
  return found;
}

/** The value of the property in a message on its own topic. */
export function read(device: MqttDevice, selector: string, message: unknown): Value | undefined {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return propertyAt(device, selector).state?.read(new Payload(text));
}

/** What is published to set it. @param known by `SERVICE:INDEX.PROPERTY` */
export function publicationFor(
  device: MqttDevice,
  selector: string,
  value: Value,
  known: Readonly<Record<string, Value>> = {},
): Publication | undefined {
  const heard = ({ service, index, property }: PropertyAddress) => known[`${service}:${index}.${property}`];
  return propertyAt(device, selector).set?.(value, heard);
}

/** Its payload alone, as JSON where it is some. */
export function commandFor(...args: Parameters<typeof publicationFor>): unknown {
  const payload = publicationFor(...args)?.payload;
  return payload?.startsWith("{") ? JSON.parse(payload) : payload;
}

/** What its availability topics say of it, by topic. */
export function availabilityBy(device: MqttDevice, topic: string, message: string): boolean | undefined {
  return device.availability.topics.find((each) => each.topic === topic)?.read(new Payload(message));
}

/** By address, the topic that it commands; of what cannot be set the topic of its state, and of a button a message that presses it. */
export function commandTopics({ properties }: MqttDevice): Record<string, string | undefined> {
  return Object.fromEntries(
    properties.map(({ address, description: { access }, set, state }) => {
      const presses = ["button_1", "button_2", "button_3", "1_single", "2_single", "3_single"].find((word) =>
        [word, JSON.stringify({ event_type: word })].some((text) => state?.read(new Payload(text)) !== undefined),
      );
      const isButton = !access.includes("read") && !access.includes("write");
      return [addressKey(address), isButton ? presses : (set?.(1, () => undefined).topic ?? state?.topic)];
    }),
  );
}
