/** The driver of a broker: keeps a connection to it, hears what dialects describe, and speaks to the devices that are admitted. */
import {
  Backoff,
  type BackoffPolicy,
  type Clock,
  type Log,
  type Random,
  sleep,
  TaskSet,
  type Timer,
} from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import {
  type Admit,
  type AskClaims,
  type Attempt,
  asShared,
  Claims,
  type Driver,
  type DriverHost,
  type DriverResult,
  hostWithClaims,
  notApplied,
  SessionClaims,
} from "../kit/index.ts";
import type { BrokerConnection, OpenBroker, Received } from "./broker/broker.ts";
import { BrokerDevices } from "./broker-devices.ts";
import { DescribedDevices } from "./described-devices.ts";
import type { Dialect, Publication } from "./device/mqtt-device.ts";
import { Payload } from "./device/payload.ts";
import { FirstReads } from "./first-reads.ts";

export interface MqttDriverDeps {
  /** The broker, for people: `mqtt 127.0.0.1:1883`. */
  readonly on: string;
  readonly admit: Admit;
  /** The one that knows most of its devices first. */
  readonly dialects: readonly Dialect[];
  readonly open: OpenBroker;
  /** Published after each connection: asks publishers to describe their devices. */
  readonly birth?: Publication | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  /** Asks the cloud which devices are another hub's; left out when there is no cloud. */
  readonly askClaims?: AskClaims | undefined;
  readonly backoff?: BackoffPolicy | undefined;
}

const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };
/** Descriptions come in bursts: they are looked at this long after the first, ms. */
const GATHER_MS = 50;
/** Largest message that describes devices, bytes: that of a bridge has some kilobytes for each. */
const LARGEST_DESCRIPTION = 16 * 1024 * 1024;
/** Largest other message, bytes. */
const LARGEST_MESSAGE = 64 * 1024;
/** Filters in one subscription. */
const AT_ONCE = 100;
const NOT_HERE = notApplied("The device is not connected.");

export class MqttDriver implements Driver {
  readonly name: string;
  readonly #deps: MqttDriverDeps;
  readonly #claims: Claims;
  readonly #ending = new AbortController();
  readonly #described: DescribedDevices;
  readonly #devices: BrokerDevices;
  readonly #subscribing = new TaskSet();
  readonly #counters = {
    ...{ wrongType: 0, notUnderstood: 0, lostEvents: 0 },
    ...{ tooLarge: 0, tooManyDevices: 0, refusedSubscriptions: 0 },
  };
  readonly #opened: () => void;
  #connection: BrokerConnection | undefined;
  #failure: string | undefined;
  #gathering: Timer | undefined;
  readonly #ended: Promise<void>;

  private constructor(deps: MqttDriverDeps) {
    const { clock, log, askClaims, on, admit } = deps;
    const { signal } = this.#ending;
    this.name = on;
    this.#deps = deps;
    this.#described = new DescribedDevices(deps.dialects);
    this.#claims = new Claims({ clock, log, ask: askClaims, signal });
    const session = new SessionClaims({ clock, log, claims: this.#claims, signal, answered: () => undefined });
    const host = hostWithClaims(asShared(deps.host), session);
    const reads = new FirstReads({ clock, host, signal });
    this.#opened = () => {
      session.begin();
      host.opened(this.name);
    };
    this.#devices = new BrokerDevices({
      clock,
      host,
      admit,
      counters: this.#counters,
      transport: this.name,
      publish: (publication) => this.#publish(publication),
      subscribe: (added, removed) => this.#subscribe(added, removed),
      ask: (edgeIds) => session.ask(edgeIds),
      arrived: (device) => reads.add(device),
    });
    this.#ended = this.#run();
  }

  static start(deps: MqttDriverDeps): MqttDriver {
    return new MqttDriver(deps);
  }

  has(edgeId: string): boolean {
    return this.#devices.live(edgeId) !== undefined;
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#devices.live(device)?.read(address, attempt) ?? NOT_HERE;
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#devices.live(device)?.write(address, value, attempt) ?? NOT_HERE;
  }

  /** The cloud says that these are another hub's. */
  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    this.#devices.yield(edgeIds);
  }

  status() {
    return {
      line: this.name,
      broker: this.#connection ? "connected" : "connecting",
      brokerFailure: this.#connection ? undefined : this.#failure,
      ...this.#devices.status(),
      dialects: this.#described.status(),
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
    await this.#subscribing.idle();
  }

  /** One connection after another, until the end. */
  async #run(): Promise<void> {
    const { clock, random, log, on, backoff = BACKOFF } = this.#deps;
    const { signal } = this.#ending;
    const waits = new Backoff(backoff, random);
    while (!signal.aborted) {
      const startedAt = clock.monotonic();
      let stood = false;
      try {
        await this.#connect(signal, () => {
          stood = true;
        });
      } catch (failure) {
        this.#failure = failure instanceof Error ? failure.message : String(failure);
      }
      if (signal.aborted) return;
      log.warn({ broker: on, failure: this.#failure }, "the broker is not reached");
      const ms = waits.next(stood ? clock.monotonic() - startedAt : 0);
      await sleep(clock, "broker to be tried again", ms, signal).catch(() => undefined);
    }
  }

  /** One connection from its start to its end. @throws what the connection throws */
  async #connect(signal: AbortSignal, stands: () => void): Promise<void> {
    const { open, birth } = this.#deps;
    const stop = Promise.withResolvers<string>();
    const ended = () => stop.resolve("the driver stops");
    signal.addEventListener("abort", ended, { once: true });
    try {
      await using connection = await open((message) => this.#receive(message), signal);
      this.#connection = connection;
      stands();
      this.#opened();
      for (const filters of inParts([...this.#described.filters, ...this.#devices.topics]))
        await connection.subscribe(filters);
      this.#devices.connected();
      if (birth) await connection.publish(birth);
      this.#failure = await Promise.race([connection.closed, stop.promise]);
    } finally {
      signal.removeEventListener("abort", ended);
      this.#connection = undefined;
      this.#gathering?.cancel();
      this.#gathering = undefined;
      this.#devices.disconnected();
    }
  }

  #receive({ topic, payload, retained }: Received): void {
    if (payload.byteLength > LARGEST_DESCRIPTION) {
      this.#counters.tooLarge += 1;
      return;
    }
    const message = { topic, payload: new Payload(Buffer.from(payload).toString()), retained };
    if (this.#described.take(message)) this.#gather();
    if (payload.byteLength <= LARGEST_MESSAGE) this.#devices.take(message);
    else if (this.#devices.needs(topic)) this.#counters.tooLarge += 1;
  }

  #gather(): void {
    this.#gathering ??= this.#deps.clock.timer("descriptions of devices", GATHER_MS, () => {
      this.#gathering = undefined;
      const { devices, tooMany } = this.#described.all();
      this.#counters.tooManyDevices = tooMany;
      this.#devices.describe(devices);
    });
  }

  /** @throws Error when there is no connection */
  async #publish(publication: Publication): Promise<void> {
    if (!this.#connection) throw new Error("The hub is not connected to the broker.");
    await this.#connection.publish(publication);
  }

  #subscribe(added: readonly string[], removed: readonly string[]): void {
    const connection = this.#connection;
    // All that is needed is subscribed to when there is one again.
    if (!connection) return;
    const refused = (failure: unknown) => {
      this.#counters.refusedSubscriptions += 1;
      this.#deps.log.warn({ broker: this.#deps.on, failure: String(failure) }, "the broker refuses a subscription");
    };
    for (const topics of inParts(removed))
      void this.#subscribing.add(connection.unsubscribe(topics)).catch(() => undefined);
    for (const topics of inParts(added)) void this.#subscribing.add(connection.subscribe(topics)).catch(refused);
  }
}

function* inParts(all: readonly string[]): Iterable<string[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
