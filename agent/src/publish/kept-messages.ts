/** The broker's retained messages of this hub: gathered after each connect, so that outdated ones can be cleared. */
import type { BrokerConnection, Received } from "@porchlight/driver-mqtt/broker";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { z } from "zod";
import { discoveryIdIn, hubAvailabilityTopic } from "./topics.ts";

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
