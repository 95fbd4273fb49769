/** The retained messages and events of the hub's devices on the broker. */
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import type { PropertyTarget, State } from "../state/index.ts";
import { colourPayload, payloadOf } from "./payloads.ts";
import { deviceAvailabilityTopic } from "./topics.ts";
import type { PublishQueue } from "./publish-queue.ts";
import { colourAddress, isKept, type ToldChange, type ToldDevice } from "./told-devices.ts";

/** Publishes the topics of the hub's devices: descriptions, availability, values and events. */
interface DevicePublisherDeps {
  readonly hub: string;
  readonly state: Pick<State, "value">;
  readonly queue: PublishQueue;
  readonly told: (edgeId: string) => ToldDevice | undefined;
}

export class DevicePublisher {
  readonly #deps: DevicePublisherDeps;

  constructor(deps: DevicePublisherDeps) {
    this.#deps = deps;
  }

  /** Publishes all topics of a device. */
  all(device: ToldDevice): void {
    for (const [topic, config] of device.configs()) this.#deps.queue.keep(topic, config);
    this.availability(device);
    for (const { service, index, property } of device.properties.values())
      this.value({ device: device.edgeId, service, index, property });
  }

  availability({ edgeId, online }: ToldDevice): void {
    this.#deps.queue.keep(deviceAvailabilityTopic(this.#deps.hub, edgeId), online ? "online" : "offline");
  }

  /** Publishes a changed device, and clears the topics that it no longer has. */
  change({ before, now }: ToldChange): void {
    const { queue } = this.#deps;
    if (before) for (const topic of gone(before, now)) queue.clear(topic);
    if (!now) return;
    if (before?.configs === now.configs) this.availability(now);
    else this.all(now);
  }

  /** Publishes the stored value of a property, if there is one, and the colour that it is part of. @param again also if it is unchanged */
  value(target: PropertyTarget, again = false): void {
    const { queue, told } = this.#deps;
    const device = told(target.device);
    const property = device?.properties.get(addressKey(target));
    if (!device || !property || !isKept(property)) return;
    const value = this.#stored(device, target);
    if (value === undefined) return;
    queue.keep(device.topics.state(target), payloadOf(target, value), again);
    const pair = device.colours.get(addressKey(target));
    if (!pair) return;
    const colour = colourPayload(this.#stored(device, pair.hue), this.#stored(device, pair.saturation));
    if (colour !== "") queue.keep(device.topics.state(colourAddress(pair)), colour, again);
  }

  /** Publishes a report of a property: an event of a notify-only property; of any other, its stored value. */
  told(target: PropertyTarget, value: Value): void {
    const device = this.#deps.told(target.device);
    const property = device?.properties.get(addressKey(target));
    if (!device || !property) return;
    if (property.readable) this.value(target);
    else if (property.description.access.includes("notify") && property.description.type !== "json")
      this.#deps.queue.happen(device.topics.state(target), payloadOf(target, value));
  }

  #stored({ edgeId }: ToldDevice, { service, index, property }: PropertyAddress): Value | undefined {
    return this.#deps.state.value({ device: edgeId, service, index, property })?.value;
  }
}

function* gone(before: ToldDevice, now: ToldDevice | undefined): Iterable<string> {
  for (const topic of before.configTopics) if (!now?.configTopics.has(topic)) yield topic;
  for (const topic of before.stateTopics) if (!now?.stateTopics.has(topic)) yield topic;
}
