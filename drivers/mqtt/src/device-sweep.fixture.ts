/**
 * Looks at many devices of a dialect at once: whether each is a valid device, and whether what can be set is confirmed by the message
 * that its publisher answers with.
 */
import { describedServices } from "@porchlight/driver-kit";
import { type PropertyDescription, type Value, valueProblem } from "@porchlight/shared/model";
import { confirmation } from "./device/device-commands.ts";
import type { MqttDevice, MqttProperty, Publication } from "./device/mqtt-device.ts";
import { Payload } from "./device/payload.ts";

/** What a publisher says on the topic of a property's state once it was set by a message. */
export type Echo = (set: Publication, stateTopic: string) => string;

export class DeviceSweep {
  devices = 0;
  /** Properties, without link quality, which every device has. */
  properties = 0;
  standard = 0;
  settable = 0;
  /** Of these, what was set and confirmed by its echo, or has no state. */
  confirmed = 0;
  readonly leftAside: Record<string, number> = {};
  /** What is wrong, in words. */
  readonly wrong: string[] = [];
  readonly #echo: Echo;

  constructor(echo: Echo) {
    this.#echo = echo;
  }

  /** Parts that are no properties, by a name for the reason. */
  leave(ignored: Readonly<Record<string, number>>): void {
    for (const [why, count] of Object.entries(ignored)) this.leftAside[why] = (this.leftAside[why] ?? 0) + count;
  }

  look(device: MqttDevice): void {
    this.devices += 1;
    const name = `${device.about.manufacturer} ${device.about.model}`;
    for (const { service, index, properties } of describedServices(device.properties)) {
      const names = properties.map(({ property }) => property);
      if (new Set(names).size < names.length) this.wrong.push(`${name}: ${service}:${index} has a property twice`);
    }
    for (const property of device.properties) {
      const { address, description } = property;
      if (address.property === "linkquality") continue;
      this.properties += 1;
      if (address.service !== "Settings" && address.service !== "Readings") this.standard += 1;
      if (!description.access.includes("write")) continue;
      this.settable += 1;
      const why = this.#setAndConfirm(property);
      if (why === undefined) this.confirmed += 1;
      else this.wrong.push(`${name}: ${address.service}:${address.index}.${address.property} ${why}`);
    }
  }

  /** Gives why it is not confirmed; undefined when it is, or when nothing says it. */
  #setAndConfirm(property: MqttProperty): string | undefined {
    const { description, set, state } = property;
    for (const value of samples(description)) {
      const problem = valueProblem(description, value);
      if (problem !== undefined) return `has no sample: ${problem}`;
      const publication = set?.(value, () => undefined);
      if (!publication) return "cannot be set";
      if (!state) continue;
      const stated = this.#echo(publication, state.topic);
      const echo = state.read(new Payload(stated));
      if (echo === undefined || !confirmation(property, value, undefined)(echo))
        return `was set to ${JSON.stringify(value)} by ${publication.payload} on ${publication.topic}, and ${stated} says ${JSON.stringify(echo)}`;
    }
    return undefined;
  }
}

/** Values that a client may set: the ends of a range and something between, each word. */
function samples({ type, min, max, step, values }: PropertyDescription): readonly Value[] {
  if (values) return values;
  switch (type) {
    case "boolean":
      return [true, false];
    case "string":
      return ["text"];
    case "json":
      return [[1, 2]];
    default: {
      const from = min ?? Math.min(0, max ?? 0);
      const to = max ?? from + 100;
      const between = from + Math.floor((to - from) / 2 / (step ?? 1)) * (step ?? 1);
      return step === undefined ? [from, between, to].map(type === "integer" ? Math.round : Number) : [from, between];
    }
  }
}
