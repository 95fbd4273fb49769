/** The life of one device of a node: described, arrived, read, ready, left. Apart from commands, which only wait for it. */
import { acceptedValue, allows, Gate, type Observation, type SharedHost, worthOf } from "@porchlight/driver-kit";
import { type Clock, LinkedAbort, type Log, sleep } from "@porchlight/shared/kernel";
import { addressKey, type DeviceAbout, type PropertyAddress } from "@porchlight/shared/model";
import { TIMES, wireAddress } from "@porchlight/shared/wire";
import type { ExchangeEnd } from "../exchange/exchange-state.ts";
import type { Exchanges } from "../exchange/exchanges.ts";
import { failureOfRequest } from "../exchange/results.ts";
import type { LineCounters } from "../line/line-counters.ts";
import { describeDevice } from "./describe.ts";
import { type DescribedDevice, type DescribedProperty, IDENTIFY } from "./described-device.ts";
import { Identify } from "./identify.ts";
import { READS_AGAIN, Statements } from "./statements.ts";

export interface LifeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: SharedHost;
  readonly counters: LineCounters;
  /** The path to the devices of this line, for people. */
  readonly transport: string;
}

/** A device's place and the exchanges with its node, for one boot of that node. */
export interface Seated {
  readonly place: number;
  readonly exchanges: Exchanges;
  /** The node's facts from HELLO, when the device is the node itself. */
  readonly about: DeviceAbout;
}

export class DeviceLife {
  readonly edgeId: string;
  /** Open when the device is described and read. */
  readonly ready: Gate;
  readonly identify: Identify;
  /** Keys of the properties whose value is unknown after an unanswered WRITE. */
  readonly uncertain = new Set<string>();
  /** The order of its node's statements about its properties. */
  readonly statements = new Statements();
  readonly #deps: LifeDeps;
  #seated: Seated;
  #run = new AbortController();
  #described: DescribedDevice | undefined;
  #describedAt = Number.NEGATIVE_INFINITY;
  #isCurrent = false;
  #isLive = false;
  #isRefused = false;

  constructor(edgeId: string, seated: Seated, deps: LifeDeps) {
    this.edgeId = edgeId;
    this.#seated = seated;
    this.#deps = deps;
    this.ready = new Gate(deps.clock);
    this.identify = new Identify(deps.clock, (value) => void this.#learn({ ...IDENTIFY, device: edgeId, value }));
  }

  get seated(): Seated {
    return this.#seated;
  }

  /** Whether the device is live on this link. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** The description, as long as the device is live. */
  get described(): DescribedDevice | undefined {
    return this.#isLive ? this.#described : undefined;
  }

  /** How its reports are handled: `later` while it is not described in this boot, `never` while it belongs to another link. */
  get takesReports(): "now" | "later" | "never" {
    if (this.#isRefused) return "never";
    return this.#isLive && this.#isCurrent ? "now" : "later";
  }

  /**
   * Starts a new boot or a new place: describes and reads the device from `at` on; commands wait. `settled`: called once the first try
   * has succeeded or failed.
   */
  begin(seated: Seated, at: number, settled: () => void): void {
    this.#seated = seated;
    this.#isCurrent = false;
    this.ready.shut();
    this.#start(at, settled);
  }

  /** Describes the device again, at most once in 5 s; settles when that is done, and at once when it is postponed. */
  async describeAgain(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    const at = Math.max(now, this.#describedAt + TIMES.describeSpacing);
    if (!this.ready.isOpen || this.#describedAt > now) return;
    const described = new Promise<void>((resolve) => this.#start(at, resolve));
    if (at === now) await described;
  }

  /** The device has left this link. */
  leave(): void {
    this.#run.abort();
    this.ready.shut();
    this.ready.release();
    this.#goOffline();
  }

  /** Reads one property and reports its value to the host, or that it is not known. Resolves with the end of the exchange. */
  async find(property: DescribedProperty): Promise<ExchangeEnd> {
    const { address } = property;
    for (let again = 0; ; again++) {
      const { place, exchanges } = this.#seated;
      const watch = this.statements.watch(addressKey(address));
      const end = await exchanges.request({
        make: (seq) => ({ type: "READ", seq, ...wireAddress(place, address) }),
        answer: "VALUE",
        watch,
      });
      if (!this.#isLive) return end;
      if (watch.isOvertaken && again < READS_AGAIN) continue;
      if (watch.isOvertaken) this.unread(address);
      else this.#found(property, end);
      return end;
    }
  }

  /** A property could not be read (B3): the host has it read again. */
  unread(address: PropertyAddress): void {
    try {
      this.#deps.host.unread(this.edgeId, address);
    } catch (error) {
      this.#deps.log.error({ device: this.edgeId, error }, "it could not be stored that a value is not known");
    }
  }

  /** The device has sent a value of another type than described: its previous value ends. */
  valueless(address: PropertyAddress): void {
    const described = this.described?.find(address.service, address.index, address.property);
    if (described && allows(described.description, "read"))
      void this.#learn({ ...described.address, device: this.edgeId, value: null });
  }

  #found({ address, description }: DescribedProperty, end: ExchangeEnd): void {
    if (end.kind !== "answered" || end.message.type !== "VALUE") {
      // A property that the device refuses to read stays refused; after a loss of the line everything is read anyway.
      if (end.kind !== "answered" && end.kind !== "lost" && failureOfRequest(end).outcome !== "rejected")
        this.unread(address);
      return;
    }
    const { value } = end.message;
    const worth = worthOf(description, value);
    if (worth === "wrong_type") {
      this.#deps.counters.wrongType += 1;
      this.valueless(address);
    } else {
      if (worth === "out_of_range") this.#deps.counters.outOfRange += 1;
      this.uncertain.delete(addressKey(address));
      void this.#learn({ ...address, device: this.edgeId, value: acceptedValue(address, description, value) });
    }
  }

  #start(at: number, settled: () => void): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#describedAt = at;
    const { signal } = this.#run;
    this.#bringUp(at, settled, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#deps.log.error({ device: this.edgeId, error }, "a device could not be started");
      })
      .finally(settled);
  }

  /** Runs the device's life in order. Every wait ends with an exception when the run is aborted. */
  async #bringUp(at: number, settled: () => void, signal: AbortSignal): Promise<void> {
    await this.#until(at, signal);
    // A new boot may have begun in the same turn.
    signal.throwIfAborted();
    const described = await this.#describe(settled, signal);
    if (!described) return;
    if (this.#isLive && this.#described && !this.#described.equals(described)) this.#goOffline();
    const isFresh = !this.#isCurrent || !this.#isLive;
    this.#described = described;
    while (!this.#isLive && !this.#arrive(described)) {
      settled();
      await this.#free(signal);
    }
    this.#isCurrent = true;
    if (isFresh) this.identify.reset();
    if (this.ready.isOpen) settled();
    for (const property of described.readable()) {
      const end = await this.find(property);
      signal.throwIfAborted();
      // One property that never answers must not block commands to the others.
      if (end.kind === "silence") this.ready.open();
    }
    this.ready.open();
  }

  /** Requests the description until the node sends it; undefined when the node has been replaced. */
  async #describe(settled: () => void, signal: AbortSignal): Promise<DescribedDevice | undefined> {
    const { clock, log, counters } = this.#deps;
    for (;;) {
      this.#describedAt = clock.monotonic();
      const result = await describeDevice(this.#seated);
      signal.throwIfAborted();
      if (result.kind === "lost") return undefined;
      if (result.kind === "described") {
        counters.leftOut += result.leftOut;
        if (result.leftOut > 0)
          log.warn(
            { device: this.edgeId, leftOut: result.leftOut, problems: result.problems },
            "parts of a description are invalid, and are not used",
          );
        return result.device;
      }
      log.warn({ device: this.edgeId, reason: result.reason }, "a device could not be described");
      this.#goOffline();
      settled();
      await sleep(clock, "device to be described again", TIMES.describeSpacing, signal);
    }
  }

  #arrive({ description, about }: DescribedDevice): boolean {
    const { host, log, transport } = this.#deps;
    const answer = host.arrived({ edgeId: this.edgeId, description, about, transport });
    this.#isLive = answer === "admitted";
    if (answer === "refused" && !this.#isRefused)
      log.warn({ device: this.edgeId, transport }, "a device is live on another link: it is not used on this one");
    this.#isRefused = answer === "refused";
    return this.#isLive;
  }

  /** Settles when the other link releases the device, and after a while in any case, also when the host has refused it. */
  async #free(signal: AbortSignal): Promise<void> {
    const either = new LinkedAbort(signal);
    const forget = this.#deps.host.whenFree(this.edgeId, () => either.abort());
    try {
      await sleep(this.#deps.clock, "device of another link", TIMES.describeSpacing, either.signal);
    } catch {
      signal.throwIfAborted();
    } finally {
      forget();
      either.end();
    }
  }

  async #until(at: number, signal: AbortSignal): Promise<void> {
    const left = at - this.#deps.clock.monotonic();
    if (left > 0) await sleep(this.#deps.clock, "description of a link", left, signal);
  }

  #goOffline(): void {
    this.identify.stop();
    this.uncertain.clear();
    this.statements.clear();
    this.#isRefused = false;
    if (!this.#isLive) return;
    this.#isLive = false;
    try {
      this.#deps.host.left(this.edgeId);
    } catch (error) {
      this.#deps.log.error({ device: this.edgeId, error }, "it could not be stored that a device has left");
    }
  }

  async #learn(observation: Observation): Promise<void> {
    try {
      await this.#deps.host.learned(observation);
    } catch (error) {
      this.#deps.log.error({ device: this.edgeId, error }, "a value that was read could not be stored");
    }
  }
}
