/** One device of a node from its place to its leaving: described, arrived, read, ready. Apart from commands, which only wait for it. */
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
  /** How the devices of this line are reached, for people. */
  readonly transport: string;
}

/** Where a device sits and how it is asked there, for one boot of its node. */
export interface Seated {
  readonly place: number;
  readonly exchanges: Exchanges;
  /** What the node says of itself in HELLO, when the device is the node. */
  readonly about: DeviceAbout;
}

export class DeviceLife {
  readonly edgeId: string;
  /** Open when the device is described and read. */
  readonly ready: Gate;
  readonly identify: Identify;
  /** Keys of the properties of which a silent WRITE has left the value unknown. */
  readonly uncertain = new Set<string>();
  /** What its node has stated of its properties. */
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

  /** Whether it is live on this link. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** What it is, as long as it is live. */
  get described(): DescribedDevice | undefined {
    return this.#isLive ? this.#described : undefined;
  }

  /** How its reports are taken: `later` while this boot has not described it, `never` while it is another link's. */
  get takesReports(): "now" | "later" | "never" {
    if (this.#isRefused) return "never";
    return this.#isLive && this.#isCurrent ? "now" : "later";
  }

  /** A fresh boot, or a fresh place: describes and reads from `at` on; commands wait. `settled`: this has once gone well or badly. */
  begin(seated: Seated, at: number, settled: () => void): void {
    this.#seated = seated;
    this.#isCurrent = false;
    this.ready.shut();
    this.#start(at, settled);
  }

  /** Describes it afresh, at most once in 5 s; settles when that is done, at once when its turn is later. */
  async describeAgain(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    const at = Math.max(now, this.#describedAt + TIMES.describeSpacing);
    if (!this.ready.isOpen || this.#describedAt > now) return;
    const described = new Promise<void>((resolve) => this.#start(at, resolve));
    if (at === now) await described;
  }

  /** It is not on this link any more. */
  leave(): void {
    this.#run.abort();
    this.ready.shut();
    this.ready.release();
    this.#goOffline();
  }

  /** Reads one property and tells the host what it is, or that it is not known. Gives how the reading ended. */
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

  /** What a property is could not be found out (B3): the host has it read again. */
  unread(address: PropertyAddress): void {
    try {
      this.#deps.host.unread(this.edgeId, address);
    } catch (error) {
      this.#deps.log.error({ device: this.edgeId, error }, "it could not be stored that a value is not known");
    }
  }

  /** The device states something that is no value of the described type: what it stated before does not stay. */
  valueless(address: PropertyAddress): void {
    const described = this.described?.find(address.service, address.index, address.property);
    if (described && allows(described.description, "read"))
      void this.#learn({ ...described.address, device: this.edgeId, value: null });
  }

  #found({ address, description }: DescribedProperty, end: ExchangeEnd): void {
    if (end.kind !== "answered" || end.message.type !== "VALUE") {
      // A property that the device refuses to tell stays refused; after a loss of the line everything is read anyway.
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

  /** The life in order. Every wait ends with an exception when the run is over. */
  async #bringUp(at: number, settled: () => void, signal: AbortSignal): Promise<void> {
    await this.#until(at, signal);
    // Another boot may have come in the same breath.
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
      // One property that never answers must not keep the commands to the others waiting.
      if (end.kind === "silence") this.ready.open();
    }
    this.ready.open();
  }

  /** Asks until the node describes it; undefined when the node is another by now. */
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

  /** Settles when the other link lets it go; after a while in any case, also when the host has refused it. */
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
