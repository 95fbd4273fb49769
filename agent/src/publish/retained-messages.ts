/**
 * The hub's retained messages on the broker: those of its devices with their events, and those of earlier connections, gathered so that
 * outdated ones can be cleared.
 */

import type { BrokerConnection, Received } from "@porchlight/driver-mqtt/broker";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { z } from "zod";
import type { PropertyTarget, State } from "../state/index.ts";
import { colourPayload, payloadOf } from "./payloads.ts";
import type { PublishQueue } from "./publish-queue.ts";
import { colourAddress, isKept, type PublishedChange, type PublishedDevice } from "./published-devices.ts";
import { deviceAvailabilityTopic, discoveryIdIn, hubAvailabilityTopic } from "./topics.ts";

/** Publishes the topics of the hub's devices: descriptions, availability, values and events. */
interface DevicePublisherDeps {
  readonly hub: string;
  readonly state: Pick<State, "value">;
  readonly queue: PublishQueue;
  readonly published: (edgeId: string) => PublishedDevice | undefined;
}

export class DevicePublisher {
  readonly #deps: DevicePublisherDeps;

  constructor(deps: DevicePublisherDeps) {
    this.#deps = deps;
  }

  /** Publishes all topics of a device. */
  all(device: PublishedDevice): void {
    for (const [topic, config] of device.configs()) this.#deps.queue.keep(topic, config);
    this.availability(device);
    for (const { service, index, property } of device.properties.values())
      this.value({ device: device.edgeId, service, index, property });
  }

  availability({ edgeId, online }: PublishedDevice): void {
    this.#deps.queue.keep(deviceAvailabilityTopic(this.#deps.hub, edgeId), online ? "online" : "offline");
  }

  /** Publishes a changed device, and clears the topics that it no longer has. */
  change({ before, now }: PublishedChange): void {
    const { queue } = this.#deps;
    if (before) for (const topic of gone(before, now)) queue.clear(topic);
    if (!now) return;
    if (before?.configs === now.configs) this.availability(now);
    else this.all(now);
  }

  /** Publishes the stored value of a property, if there is one, and the colour that it is part of. @param again also if it is unchanged */
  value(target: PropertyTarget, again = false): void {
    const { queue, published } = this.#deps;
    const device = published(target.device);
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
  reported(target: PropertyTarget, value: Value): void {
    const device = this.#deps.published(target.device);
    const property = device?.properties.get(addressKey(target));
    if (!device || !property) return;
    if (property.readable) this.value(target);
    else if (property.description.access.includes("notify") && property.description.type !== "json")
      this.#deps.queue.happen(device.topics.state(target), payloadOf(target, value));
  }

  #stored({ edgeId }: PublishedDevice, { service, index, property }: PropertyAddress): Value | undefined {
    return this.#deps.state.value({ device: edgeId, service, index, property })?.value;
  }
}

function* gone(before: PublishedDevice, now: PublishedDevice | undefined): Iterable<string> {
  for (const topic of before.configTopics) if (!now?.configTopics.has(topic)) yield topic;
  for (const topic of before.stateTopics) if (!now?.stateTopics.has(topic)) yield topic;
}

/** The broker does not mark the last retained message: after this silence it counts as received, ms. */
const QUIET_MS = 500;
/** Maximum time for all retained messages, ms. */
const LONGEST_MS = 15_000;
const MOST_TOPICS = 100_000;
/** Filters in one subscription. */
const AT_ONCE = 100;

/** Maximum bytes of a discovery message that is parsed; a hub's own are far smaller. */
const LARGEST_CONFIG = 64 * 1024;

const config = z.looseObject({
  state_topic: z.string().optional(),
  availability: z.array(z.looseObject({ topic: z.string() })).optional(),
});

export class KeptMessages {
  readonly #hub: string;
  readonly #prefix: string;
  readonly #own = new Set<string>();
  readonly #described = new Set<string>();
  #came = 0;

  /** @param prefix of the discovery topics */
  constructor(hub: string, prefix: string) {
    this.#hub = hub;
    this.#prefix = prefix;
  }

  /** Topics with retained messages of this hub. */
  get own(): ReadonlySet<string> {
    return this.#own;
  }

  /** Devices that another hub announces, by their discovery IDs. */
  get described(): ReadonlySet<string> {
    return this.#described;
  }

  take({ topic, payload, retained }: Received): void {
    if (!retained || payload.byteLength === 0 || this.#own.size >= MOST_TOPICS) return;
    this.#came += 1;
    const id = discoveryIdIn(this.#prefix, topic);
    if (id === undefined || this.#isOwn(payload)) this.#own.add(topic);
    else if (this.#described.size < MOST_TOPICS) this.#described.add(id);
  }

  /**
   * Requests the retained messages on topics of these filters, and waits until they are received.
   * @throws Error when the connection is gone; the signal's reason
   */
  async gather(
    connection: BrokerConnection,
    filters: readonly string[],
    clock: Clock,
    end: AbortSignal,
  ): Promise<void> {
    for (const part of inParts(filters)) await connection.subscribe(part);
    const until = clock.monotonic() + LONGEST_MS;
    for (let seen = -1; seen !== this.#came && clock.monotonic() < until; ) {
      seen = this.#came;
      await sleep(clock, "what the broker has kept", QUIET_MS, end);
    }
    for (const part of inParts(filters)) await connection.unsubscribe(part);
  }

  /** Whether a discovery message belongs to this hub; another hub may have had the same device. */
  #isOwn(payload: Uint8Array): boolean {
    const own = hubAvailabilityTopic(this.#hub);
    const read = config.safeParse(payload.byteLength > LARGEST_CONFIG ? undefined : parsed(payload));
    if (!read.success) return false;
    const { state_topic, availability = [] } = read.data;
    return state_topic === own || availability.some((each) => each.topic === own);
  }
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString());
  } catch {
    return undefined;
  }
}

function* inParts(all: readonly string[]): Iterable<string[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
