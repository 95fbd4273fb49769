/** The driver of a broker: keeps a connection, receives the descriptions of its dialects, and communicates with admitted devices. */
import {
  type Admissions,
  type Admit,
  type AskClaims,
  type Attempt,
  admission,
  asShared,
  Claims,
  type Driver,
  type DriverHost,
  type DriverResult,
  type FoundDevice,
  hostWithClaims,
  LoopTurns,
  notApplied,
  SessionClaims,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
  type Work,
} from "@porchlight/driver-kit";
import { aborted, type BackoffPolicy, type Clock, type Log, type Random, TaskSet } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type BrokerConnection, keepConnected, type OpenBroker, type Received } from "./broker/index.ts";
import { BrokerDevices } from "./broker-devices.ts";
import { DescribedDevices } from "./described-devices.ts";
import { type BrokerDevice, NotUnderstood } from "./device/broker-device.ts";
import { KeptThings } from "./device/kept-things.ts";
import type { Dialect, Message, Publication } from "./device/mqtt-device.ts";
import { type MqttSetup, SetupTopics } from "./device/mqtt-setup.ts";
import { Payload } from "./device/payload.ts";
import { FirstReads } from "./first-reads.ts";
import { Gathering } from "./gathering.ts";
import { type Pace, TopicPace } from "./topic-pace.ts";

export interface MqttDriverDeps {
  /** The broker, for people: `mqtt 127.0.0.1:1883`. */
  readonly on: string;
  readonly admit: Admit;
  /** Devices that people have admitted in addition to `admit`. */
  readonly admissions?: Admissions | undefined;
  /** Stored facts about devices, shared with the dialects. Absent: nothing outlives the driver. */
  readonly kept?: KeptThings | undefined;
  /** Setups for the programs behind the broker. */
  readonly setups?: readonly MqttSetup[] | undefined;
  /** The dialect that knows most of its devices first. */
  readonly dialects: readonly Dialect[];
  readonly open: OpenBroker;
  /** Published after each connection: asks publishers to describe their devices. */
  readonly birth?: Publication | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  /** Asks the cloud which devices belong to another hub; absent when there is no cloud. */
  readonly askClaims?: AskClaims | undefined;
  readonly backoff?: BackoffPolicy | undefined;
}

/** Largest message that describes devices, bytes: a bridge's message has some kilobytes for each device. */
const LARGEST_DESCRIPTION = 16 * 1024 * 1024;
/** Largest other message, bytes. */
const LARGEST_MESSAGE = 64 * 1024;
/** Number of characters of a description that are parsed in one step; larger descriptions are parsed when devices are built. */
const CHARACTERS_OF_STEP = 50;
/** No device changes faster for long. */
const VALUES: Pace = { intervalMs: 50, burst: 100 };
const NOT_HERE = notApplied("The device is not connected.");

export class MqttDriver implements Driver {
  readonly name: string;
  readonly #deps: MqttDriverDeps;
  readonly #claims: Claims;
  readonly #ending = new AbortController();
  readonly #described: DescribedDevices;
  readonly #kept: KeptThings;
  readonly #devices: BrokerDevices;
  readonly #subscriptions: Subscriptions;
  readonly #setupTopics = new SetupTopics({
    subscribe: async (topics) => this.#reached().subscribe(topics),
    unsubscribe: (topics) => this.#subscriptions.change([], topics),
  });
  readonly #turns: MessageTurns;
  readonly #looks = new LoopTurns();
  readonly #values: TopicPace<Message>;
  readonly #gathering: Gathering;
  readonly #counters = {
    ...{ wrongType: 0, notUnderstood: 0, lostEvents: 0 },
    ...{ tooLarge: 0, tooFast: 0, tooManyDevices: 0, refusedSubscriptions: 0 },
  };
  readonly #notUnderstood = new NotUnderstood();
  readonly #opened: () => void;
  #connection: BrokerConnection | undefined;
  #failure: string | undefined;
  readonly #failing = Promise.withResolvers<Error>();
  readonly #ended: Promise<void>;
  /** Settles when the stored facts about devices cannot be read. */
  readonly failed = this.#failing.promise;

  private constructor(deps: MqttDriverDeps) {
    const { clock, log, askClaims, on, admit, admissions } = deps;
    const { signal } = this.#ending;
    this.name = on;
    this.#deps = deps;
    this.#described = new DescribedDevices(deps.dialects);
    this.#kept = deps.kept ?? new KeptThings(undefined);
    this.#claims = new Claims({ clock, log, ask: askClaims, signal });
    const session = new SessionClaims({ clock, log, claims: this.#claims, signal, answered: () => undefined });
    const host = hostWithClaims(asShared(deps.host), session);
    const reads = new FirstReads({ clock, host, signal });
    this.#opened = () => {
      session.begin();
      host.opened(this.name);
    };
    this.#subscriptions = new Subscriptions({
      connection: () => this.#connection,
      refused: (failure) => {
        this.#counters.refusedSubscriptions += 1;
        log.warn({ broker: on, failure: String(failure) }, "the broker rejects a subscription");
      },
    });
    this.#devices = new BrokerDevices({
      clock,
      host,
      admit: (candidate) => admission(admit, candidate, admissions),
      ...{ counters: this.#counters, notUnderstood: this.#notUnderstood },
      transport: this.name,
      publish: async (publication) => this.#reached().publish(publication),
      subscribe: (added, removed) => {
        this.#values.forget(removed);
        this.#subscriptions.change(added, removed);
      },
      ask: (edgeIds) => session.ask(edgeIds),
      admitted: (device) => this.#kept.keepAddresses(device),
      arrived: (device) => {
        reads.add(device);
        this.#kept.keepIdentity(device.described);
      },
    });
    const replaced = () => {
      this.#counters.tooFast += 1;
    };
    this.#turns = new MessageTurns(replaced);
    const take = this.#turns.taking((message) => this.#devices.take(message));
    this.#values = new TopicPace({ ...VALUES, clock, replaced, take });
    this.#gathering = new Gathering({
      ...{ clock, replaced, turns: (takeOne) => this.#turns.taking(takeOne) },
      take: (message) => this.#hearDescription(message),
      taken: () => this.#turns.done(),
      look: () => this.#describe(),
      looked: () => this.#looks.done(),
    });
    const unlisten = admissions?.listen(() => this.#describe());
    signal.addEventListener("abort", () => unlisten?.(), { once: true });
    this.#ended = this.#run();
  }

  static start(deps: MqttDriverDeps): MqttDriver {
    return new MqttDriver(deps);
  }

  has(edgeId: string): boolean {
    return this.#devices.live(edgeId) !== undefined;
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#command(device, (live) => live.read(address, attempt));
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#command(device, (live) => live.write(address, value, attempt));
  }

  /** The cloud reports that these devices belong to another hub. */
  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    this.#devices.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return this.#devices.found();
  }

  problem(): string | undefined {
    if (this.#connection) return undefined;
    return `The broker cannot be reached (${this.#failure ?? "it has not answered yet"}); its devices are offline.`;
  }

  /** Empty while there is no connection to the broker. */
  setups(): readonly SetupKind[] {
    return this.#connection ? (this.#deps.setups ?? []) : [];
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    const { setups = [], clock } = this.#deps;
    const found = setups.find((each) => each.kind === kind);
    if (!found) throw new SetupFailed("The driver does not offer this setup.");
    const publish = async (publication: Publication) => this.#reached().publish(publication);
    await found.run(talk, { clock, publish, listen: (topics, take) => this.#setupTopics.listen(topics, take) });
  }

  status() {
    return {
      line: this.name,
      broker: this.#connection ? "connected" : "connecting",
      brokerFailure: this.#connection ? undefined : this.#failure,
      ...this.#devices.status(),
      dialects: this.#described.status(),
      partsNotUnderstood: this.#notUnderstood.sentences,
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
    await this.#subscriptions.idle();
  }

  /** Runs one connection after another, until the end. */
  async #run(): Promise<void> {
    const why = await this.#kept.load().then(() => undefined, String);
    // Without the stored facts, things would get addresses that belonged to others.
    if (why !== undefined) return this.#failing.resolve(new Error(`What is kept of devices is unreadable: ${why}`));
    const failed = (failure: string) => {
      this.#failure = failure;
    };
    const use = (connection: BrokerConnection, end: AbortSignal) => this.#use(connection, end);
    const received = (message: Received) => this.#receive(message);
    await keepConnected({ ...this.#deps, broker: this.name, received, use, failed }, this.#ending.signal);
  }

  /** Uses one connection from its start to its end. @throws the connection's errors */
  async #use(connection: BrokerConnection, end: AbortSignal): Promise<void> {
    this.#connection = connection;
    try {
      this.#opened();
      const all = [...this.#described.filters, ...this.#devices.topics, ...this.#setupTopics.topics];
      await this.#subscriptions.begin(all);
      this.#devices.connected();
      if (this.#deps.birth) await connection.publish(this.#deps.birth);
      await aborted(end);
    } finally {
      this.#connection = undefined;
      for (const each of [this.#gathering, this.#looks, this.#turns, this.#values]) each.clear();
      this.#devices.disconnected();
    }
  }

  #receive({ topic, payload, retained }: Received): void {
    if (payload.byteLength > LARGEST_DESCRIPTION) {
      this.#counters.tooLarge += 1;
      return;
    }
    const message = { topic, payload: Payload.of(payload), retained };
    this.#setupTopics.take(message);
    if (this.#described.has(topic)) this.#gathering.take(message);
    if (!this.#devices.needs(topic)) return;
    if (payload.byteLength <= LARGEST_MESSAGE) this.#values.take(message);
    else this.#counters.tooLarge += 1;
  }

  /** Runs a command by the current descriptions: a topic may have changed to another device a moment ago. */
  async #command(device: string, work: (live: BrokerDevice) => Promise<DriverResult>): Promise<DriverResult> {
    const looking = this.#gathering.lookNow();
    if (looking !== undefined) await looking;
    const live = this.#devices.live(device);
    return live ? work(live) : NOT_HERE;
  }

  *#hearDescription(message: Message): Work<boolean> {
    const isOther = this.#described.take(message);
    if (isOther) this.#devices.hold(this.#described.describedOn(message.topic, this.#kept));
    yield Math.min(message.payload.text.length, LARGEST_MESSAGE) / CHARACTERS_OF_STEP;
    return isOther;
  }

  #describe(): void {
    // A look that has not begun covers this change too.
    if (this.#looks.waiting === 0) this.#looks.run(this.#look());
  }

  *#look(): Work {
    this.#devices.beginLook();
    const { devices, tooMany } = yield* this.#described.look(this.#kept);
    this.#counters.tooManyDevices = tooMany;
    yield* this.#devices.describe(devices);
  }

  /** @throws Error when there is no connection */
  #reached(): BrokerConnection {
    if (!this.#connection) throw new Error("The hub is not connected to the broker.");
    return this.#connection;
  }
}

/** The hub's subscriptions, requested in groups: brokers limit the number of filters in one request. */
interface SubscriptionsDeps {
  /** Undefined while there is no connection. */
  readonly connection: () => BrokerConnection | undefined;
  /** The broker refuses a subscription. */
  readonly refused: (failure: unknown) => void;
}

const AT_ONCE = 100;

class Subscriptions {
  readonly #deps: SubscriptionsDeps;
  readonly #changing = new TaskSet();

  constructor(deps: SubscriptionsDeps) {
    this.#deps = deps;
  }

  /** Subscribes to everything on a new connection. @throws the connection's errors */
  async begin(filters: readonly string[]): Promise<void> {
    const connection = this.#deps.connection();
    for (const part of inParts(filters)) await connection?.subscribe(part);
  }

  /** Without a connection it does nothing: `begin` subscribes to everything on the next one. */
  change(added: readonly string[], removed: readonly string[]): void {
    const connection = this.#deps.connection();
    if (!connection) return;
    for (const part of inParts(removed)) void this.#changing.add(connection.unsubscribe(part)).catch(() => undefined);
    for (const part of inParts(added)) void this.#changing.add(connection.subscribe(part)).catch(this.#deps.refused);
  }

  /** Settles when no request is pending. */
  idle(): Promise<void> {
    return this.#changing.idle();
  }
}

function* inParts(all: readonly string[]): Iterable<string[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}

/** Number of characters of a message that are read in one step. */
const MESSAGE_CHARACTERS_OF_STEP = 250;
/** Maximum number of characters of waiting messages, not counting the last one. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * Shares the event loop between messages: one message costs at most what its templates may cost, and several messages at once are read in
 * several turns.
 *
 * Invariants: messages are read in the order in which they come; waiting messages are bounded in size.
 */
export class MessageTurns {
  readonly #dropped: () => void;
  readonly #turns = new LoopTurns();
  #waitingLength = 0;

  /** @param dropped called when a message is dropped because too many wait */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** Wraps a function that reads messages: it runs in this turn of the loop or in a later one. */
  taking(look: (message: Message) => Work): (message: Message) => void {
    return (message) => {
      if (this.#waitingLength > MOST_WAITING) {
        this.#dropped();
        return;
      }
      this.#waitingLength += message.payload.text.length;
      this.#turns.run(this.#work(message, look));
    };
  }

  /** See `LoopTurns.done`. */
  done(): Promise<void> | undefined {
    return this.#turns.done();
  }

  /** The connection is lost: waiting messages are obsolete. */
  clear(): void {
    this.#turns.clear();
    this.#waitingLength = 0;
  }

  *#work(message: Message, look: (message: Message) => Work): Work {
    const { length } = message.payload.text;
    this.#waitingLength -= length;
    yield* look(message);
    yield length / MESSAGE_CHARACTERS_OF_STEP;
  }
}
