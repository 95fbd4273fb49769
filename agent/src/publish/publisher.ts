/**
 * Publishes the hub's own devices on a broker by Home Assistant's discovery, and accepts commands there: the connection, the full
 * announcement after each connect, and the updates on changes.
 *
 * Invariants: a value is published after it is stored; topics of a removed device or property are cleared, even if it was removed while
 * the hub was down.
 */
import { type BrokerConnection, keepConnected, type OpenBroker, type Received } from "@porchlight/driver-mqtt/broker";
import { type Clock, IdMaker, type Log, orAborted, type Random, sleep, type Timer } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { Commands } from "../commands/index.ts";
import type { Home, PropertyTarget, State, StoredRecord } from "../state/index.ts";
import { hubConfig } from "./discovery-configs.ts";
import { PublishQueue } from "./publish-queue.ts";
import { PublishedDevices } from "./published-devices.ts";
import { DevicePublisher, KeptMessages } from "./retained-messages.ts";
import { SetMessages } from "./set-messages.ts";
import { configFilter, deviceOfTopic, discoveryId, hubAvailabilityTopic, keptFilters, setFilter } from "./topics.ts";

export interface PublisherDeps {
  readonly random: Random;
  readonly log: Log;
  readonly state: State;
  readonly commands: Pick<Commands, "command">;
  /** The hub's own edgeId. */
  readonly edgeId: string;
  /** Whether the hub may control devices: not while another agent with its identity is online. */
  readonly mayTouch: () => boolean;
  /** The broker, for people: `mqtt 127.0.0.1:1883`. */
  readonly broker: string;
  /** Opens a connection, with the hub's availability as its last will. */
  readonly open: OpenBroker;
  /** The prefix of the discovery topics, normally `homeassistant`. */
  readonly prefix: string;
}

/** Maximum delay of the announcement after Home Assistant has started, ms: random, so that not all publishers send at once. */
const BIRTH_MS = 1000;
/** How long the end may take, ms. */
const LEAVING_MS = 1000;

export class Publisher implements AsyncDisposable {
  /** The publisher's name, for people. */
  readonly name: string;
  readonly #deps: PublisherDeps;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #queue = new PublishQueue();
  readonly #published: PublishedDevices;
  readonly #devices: DevicePublisher;
  readonly #sets: SetMessages;
  /** Devices that another hub announces, and that are not live here. */
  readonly #elsewhere = new Set<string>();
  readonly #ended: Promise<void>;
  /** The retained messages of the broker, while they are gathered. */
  #kept: KeptMessages | undefined;
  #isConnected = false;
  #failure: string | undefined;
  /** Follows changes, from the first complete announcement on. */
  #changes: Changes | undefined;
  #birth: Timer | undefined;
  /** Home Assistant has started since the last announcement. */
  #isBirthDue = false;
  #wake: () => void = () => undefined;

  private constructor(deps: PublisherDeps) {
    const { random, log, state, commands, edgeId: hub, mayTouch, broker, open, prefix } = deps;
    const clock = state.time;
    const published = (edgeId: string) => (this.#elsewhere.has(edgeId) ? undefined : this.#published.all.get(edgeId));
    this.name = `publish ${broker}`;
    this.#deps = deps;
    this.#clock = clock;
    this.#published = new PublishedDevices({ state, hub, prefix });
    this.#devices = new DevicePublisher({ hub, state, queue: this.#queue, published });
    this.#sets = new SetMessages({
      ...{ clock, log, hub, commands, mayTouch, published },
      ids: new IdMaker(clock, random),
      tellAgain: (target) => this.#devices.value(target, true),
    });
    this.#ended = keepConnected(
      {
        ...{ broker, clock, random, log, open },
        received: (message) => this.#receive(message),
        use: (connection, end) => this.#use(connection, end),
        failed: (why) => {
          this.#failure = why;
        },
      },
      this.#ending.signal,
    );
  }

  static start(deps: PublisherDeps): Publisher {
    return new Publisher(deps);
  }

  status() {
    const devices = [...this.#published.all.values()];
    const leftAside: Record<string, number> = {};
    for (const device of devices)
      for (const [reason, count] of Object.entries(device.leftAside))
        leftAside[reason] = (leftAside[reason] ?? 0) + count;
    return {
      publishes: this.#isConnected ? "connected" : "connecting",
      publishFailure: this.#isConnected ? undefined : this.#failure,
      devices: devices.length - this.#elsewhere.size,
      elsewhere: [...this.#elsewhere],
      entities: devices.reduce((sum, { configTopics }) => sum + configTopics.size, 0),
      leftAside,
      counters: { ...this.#queue.counters, ...this.#sets.counters },
    };
  }

  /** Ends the publisher; from the call on the state is not read any more. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#changes?.[Symbol.dispose]();
    this.#ending.abort(new Error("the hub stops"));
    await this.#ended;
  }

  /** Uses one connection from its start to its end. @throws what the connection throws */
  async #use(connection: BrokerConnection, end: AbortSignal): Promise<void> {
    const { edgeId: hub } = this.#deps;
    this.#isConnected = true;
    this.#queue.attach(connection);
    try {
      await connection.subscribe([setFilter(hub), this.#birthTopic]);
      while (!end.aborted) {
        await this.#announce(connection, end);
        await this.#nextBirth(end);
      }
    } finally {
      this.#isConnected = false;
      this.#birth?.cancel();
      this.#birth = undefined;
      this.#changes?.[Symbol.dispose]();
      this.#changes = undefined;
      this.#kept = undefined;
      this.#queue.detach();
      if (this.#ending.signal.aborted) await this.#leave(connection);
    }
  }

  /** Publishes everything again, and clears outdated retained messages. @throws Error when the connection is gone; the signal's reason */
  async #announce(connection: BrokerConnection, end: AbortSignal): Promise<void> {
    const { edgeId: hub, prefix } = this.#deps;
    const kept = await this.#gather(connection, end);
    // No `await` from here on, so that no change can intervene.
    this.#changes ??= this.#follow();
    this.#published.refresh();
    this.#elsewhere.clear();
    for (const { edgeId, online } of this.#published.all.values())
      if (!online && kept.described.has(discoveryId(edgeId))) this.#elsewhere.add(edgeId);
    const published = [...this.#published.all.values()].filter(({ edgeId }) => !this.#elsewhere.has(edgeId));
    this.#queue.forget();
    const [hubTopic, config] = hubConfig(prefix, hub);
    this.#queue.keep(hubTopic, config);
    for (const device of published) this.#devices.all(device);
    this.#queue.keep(hubAvailabilityTopic(hub), "online");
    for (const topic of kept.own) if (!this.#queue.hasSent(topic)) this.#queue.clear(topic);
  }

  /** Gathers the broker's retained messages of this hub: of the devices that are published now, and of earlier ones. */
  async #gather(connection: BrokerConnection, end: AbortSignal): Promise<KeptMessages> {
    const { edgeId: hub, prefix } = this.#deps;
    const kept = new KeptMessages(hub, prefix);
    this.#kept = kept;
    try {
      await kept.gather(connection, keptFilters(hub), this.#clock, end);
      this.#published.refresh();
      const devices = new Set(this.#published.all.keys());
      for (const topic of kept.own) devices.add(deviceOfTopic(hub, topic) ?? hub);
      await kept.gather(
        connection,
        [...devices].filter((each) => each !== hub).map((edgeId) => configFilter(prefix, edgeId)),
        this.#clock,
        end,
      );
      return kept;
    } finally {
      this.#kept = undefined;
    }
  }

  #follow(): Changes {
    const { state } = this.#deps;
    return new Changes({
      state,
      devices: () => this.#refresh(),
      reported: (target, value) => this.#devices.reported(target, value),
    });
  }

  #refresh(): void {
    for (const change of this.#published.refresh()) {
      const { edgeId, online } = change.now ?? { edgeId: change.before?.edgeId ?? "", online: false };
      const wasElsewhere = this.#elsewhere.has(edgeId);
      // Another hub publishes the device until it is live here.
      if (wasElsewhere && !online && change.now) continue;
      this.#elsewhere.delete(edgeId);
      if (wasElsewhere && !change.now) continue;
      this.#devices.change(wasElsewhere ? { ...change, before: undefined } : change);
    }
  }

  #receive(message: Received): void {
    if (this.#sets.take(message)) return;
    const isBirth = message.topic === this.#birthTopic && Buffer.from(message.payload).toString() === "online";
    if (isBirth && !message.retained) this.#wait();
    else this.#kept?.take(message);
  }

  get #birthTopic(): string {
    return `${this.#deps.prefix}/status`;
  }

  #wait(): void {
    const { random } = this.#deps;
    this.#birth ??= this.#clock.timer("everything published again", random.fraction() * BIRTH_MS, () => {
      this.#birth = undefined;
      this.#isBirthDue = true;
      this.#wake();
    });
  }

  async #nextBirth(end: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (!this.#isBirthDue) await orAborted(promise, end).catch(() => undefined);
    this.#isBirthDue = false;
  }

  /** Publishes that the hub is offline: after a regular disconnect, some brokers send no last will. */
  async #leave(connection: BrokerConnection): Promise<void> {
    const left = new AbortController();
    const topic = hubAvailabilityTopic(this.#deps.edgeId);
    const late = sleep(this.#clock, "the last word at the broker", LEAVING_MS, left.signal).catch(() => undefined);
    const last = connection.publish({ topic, payload: "offline", qos: 1, retain: true }).catch(() => undefined);
    await Promise.race([last, late]);
    left.abort();
  }
}

/** Reads new records as they are stored: from each commit the changed properties, and every event, in order. */
interface ChangesDeps {
  readonly state: Pick<State, "listen" | "pending" | "lastNumber"> & { readonly home: Pick<Home, "listenToNames"> };
  /** The inventory, or the cloud's name of a device, has changed. */
  readonly devices: () => void;
  /** A property was reported: as a value that is stored by now, or as an event with this value. */
  readonly reported: (target: PropertyTarget, value: Value) => void;
}

/** Records read at once, and their approximate bytes. */
const AT_ONCE = 256;
const BYTES = 256 * 1024;

export class Changes implements Disposable {
  readonly #deps: ChangesDeps;
  readonly #stop: readonly (() => void)[];
  #after: number;
  #isOver = false;

  /** Follows changes from now on. */
  constructor(deps: ChangesDeps) {
    const { state, devices } = deps;
    this.#deps = deps;
    this.#after = state.lastNumber;
    this.#stop = [state.listen({ devices, records: () => this.#read() }), state.home.listenToNames(devices)];
  }

  /** Stops reading, even if a commit was made already. Safe to repeat. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const stop of this.#stop) stop();
  }

  /** Reads right after the commit: no record can have been acknowledged, and so deleted, by then. */
  #read(): void {
    if (this.#isOver) return;
    const { state } = this.#deps;
    for (let records = this.#next(); records.length > 0; records = this.#next()) {
      this.#after = records.at(-1)?.n ?? state.lastNumber;
      for (const record of records) this.#tell(record);
    }
  }

  #next(): StoredRecord[] {
    return this.#deps.state.pending(this.#after, AT_ONCE, BYTES);
  }

  #tell(record: StoredRecord): void {
    if (record.kind === "presence" || record.value === undefined) return;
    const { device, service, index, property, value } = record;
    this.#deps.reported({ device, service, index, property }, value);
  }
}
