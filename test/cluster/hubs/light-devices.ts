/** The devices of a light hub: lamps in memory that take their time, and report how bright it is around them. Before each touch it asks whether the touch may still be. */
import type { StoredResult } from "@porchlight/agent/state/index.ts";
import { type Clock, KeyedQueue, type Random, sleep } from "@porchlight/shared/kernel";
import { CATALOGUE, type Value } from "@porchlight/shared/model";
import type { CommandFrame, Describe } from "@porchlight/shared/tunnel";
import { type HubBook, keyOf, type PropertyTarget } from "./hub-book.ts";
import type { Truth } from "./truth.ts";

/** Leave to touch a device for a command. */
export interface Leave {
  /** On the monotonic clock, ms. */
  readonly deadline: number;
  /** Whether the connection by which it came stands and its lease is live. */
  mayTouch(): boolean;
  readonly signal: AbortSignal;
  readonly epoch: number;
}

export interface LightDevicesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly hub: string;
  readonly edgeIds: readonly string[];
  readonly book: HubBook;
  readonly truth: Truth;
}

const SERVICES = ["LightColor", "LightLevel", "Illuminance"] as const;
/** Longest that a lamp needs before it is touched, and then to answer, ms. */
const SLOWEST_MS = 15;

const LUX = { service: "Illuminance", index: "0", property: "lux" };

export class LightDevices {
  readonly #deps: LightDevicesDeps;
  readonly #queue = new KeyedQueue();
  #hold: PromiseWithResolvers<void> | undefined;
  #held = 0;

  constructor(deps: LightDevicesDeps) {
    this.#deps = deps;
    // What the first reader finds: each lamp is dark and red.
    for (const device of deps.edgeIds)
      for (const { service, index, properties } of services())
        for (const { property } of properties) {
          const target = { device, service, index, property };
          deps.book.write({ kind: "value", ...target, value: 0, observedAt: deps.clock.now(), cause: "report" });
        }
  }

  get edgeIds(): readonly string[] {
    return this.#deps.edgeIds;
  }

  description(edgeId: string): Describe {
    const state = { digest: "light", arrival: 1, online: true };
    return { edgeId, ...state, about: { model: "Light" }, part: 0, parts: 1, services: services() };
  }

  /** Carries a command out in its property's turn, at most once. */
  command(frame: CommandFrame, leave: Leave): Promise<StoredResult> {
    return this.#queue.run(keyOf(frame), () => this.#act(frame, leave));
  }

  read(targets: readonly PropertyTarget[]): { items: object[] } {
    return {
      items: targets.map(
        (target) =>
          this.#deps.book.held(target) ?? {
            failure: { name: "Device Unreachable", detail: "There is no such thing." },
          },
      ),
    };
  }

  /** From now on commands wait before they touch a lamp. @returns what lets them go on */
  hold(): () => void {
    const hold = Promise.withResolvers<void>();
    this.#hold = hold;
    return () => {
      this.#hold = undefined;
      hold.resolve();
    };
  }

  /** How many commands {@link hold} keeps waiting. */
  get held(): number {
    return this.#held;
  }

  /** A lamp reports by itself how bright it is. @param lux another value each time */
  report(device: string, lux: number): void {
    const { book, clock, truth } = this.#deps;
    const target = { device, ...LUX };
    const { n } = book.write({ kind: "value", ...target, value: lux, observedAt: clock.now(), cause: "report" });
    truth.reports.push({ device, property: "Illuminance.lux", value: lux, n, at: clock.monotonic() });
  }

  async #act(frame: CommandFrame, leave: Leave): Promise<StoredResult> {
    const { clock, random, book, truth, hub } = this.#deps;
    const { id: commandId, value, device, service, property } = frame;
    const before = book.endOf(commandId) ?? this.#refusal(frame, leave);
    if (before) return before;
    await this.#released();
    await sleep(clock, "lamp", random.fraction() * SLOWEST_MS);
    const refused = this.#refusal(frame, leave);
    if (refused) return refused;
    const at = clock.monotonic();
    truth.acts.push({ hub, device, property: `${service}.${property}`, commandId, value, at, epoch: leave.epoch });
    const result = book.write({ ...ended(frame, clock.now()), outcome: "confirmed", value: value as Value });
    book.end(result);
    await sleep(clock, "lamp", random.fraction() * SLOWEST_MS);
    return result;
  }

  async #released(): Promise<void> {
    const hold = this.#hold;
    if (hold === undefined) return;
    this.#held += 1;
    await hold.promise;
    this.#held -= 1;
  }

  /** Undefined when the device may be touched now. */
  #refusal(frame: CommandFrame, { deadline, mayTouch, signal }: Leave): StoredResult | undefined {
    const { clock } = this.#deps;
    const why = signal.aborted
      ? "no caller waits any more"
      : clock.monotonic() >= deadline
        ? "its time was over"
        : mayTouch()
          ? undefined
          : "the lease was over";
    if (why === undefined) return undefined;
    const failure = { name: "Hub Timeout", detail: why } as const;
    return { ...ended(frame, clock.now()), outcome: "not_applied", failure, n: 0 };
  }
}

function ended(frame: CommandFrame, observedAt: number): Omit<StoredResult, "n" | "outcome"> {
  const { id: command, device, service, index, property, value } = frame;
  return { kind: "result", command, device, service, index, property, requested: value as Value, observedAt };
}

function services(): Describe["services"] {
  return SERVICES.map((service) => ({
    service,
    index: "0",
    properties: (CATALOGUE.get(service) ?? []).map((property) => ({
      ...property,
      access: [...property.access],
      values: property.values === undefined ? undefined : [...property.values],
    })),
  }));
}
