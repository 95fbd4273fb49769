/** A driver whose devices do as a test says, at once or when it says so, and that keeps what was done to them. */
import type { Attempt, Driver, DriverResult } from "@porchlight/driver-kit";
import type { PropertyAddress, Value } from "@porchlight/shared/model";

export interface Touch {
  readonly what: "read" | "write";
  readonly device: string;
  readonly property: string;
  readonly value?: Value;
}

export class ScriptedDriver implements Driver {
  readonly name = "scripted";
  readonly touches: Touch[] = [];
  readonly values = new Map<string, Value>();
  /** Of the reads, in order. */
  readonly signals: (AbortSignal | undefined)[] = [];
  /** edgeIds that are live. */
  readonly live = new Set<string>();
  /** What the next writes and reads end with; the value itself when it runs out. */
  readonly next: (DriverResult | Error)[] = [];
  /** Holds every touch back until {@link release}. */
  #held: { readonly wait: Promise<void>; readonly release: () => void } | undefined;

  has(edgeId: string): boolean {
    return this.live.has(edgeId);
  }

  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { wait: promise, release: resolve };
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  async read(device: string, { property }: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    this.signals.push(attempt.signal);
    return await this.#touch(
      { what: "read", device, property },
      attempt,
      this.values.get(`${device} ${property}`) ?? null,
    );
  }

  async write(device: string, { property }: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    const result = await this.#touch({ what: "write", device, property, value }, attempt, value);
    if (result.kind === "value") this.values.set(`${device} ${property}`, result.value);
    return result;
  }

  /** What it does when it is ended. */
  ending: () => Promise<void> = async () => undefined;

  async [Symbol.asyncDispose](): Promise<void> {
    this.live.clear();
    await this.ending();
  }

  async #touch(touch: Touch, attempt: Attempt, value: Value): Promise<DriverResult> {
    try {
      attempt.touch(() => this.touches.push(touch));
    } catch {
      return { kind: "failed", name: "Hub Timeout", outcome: "not_applied", detail: "not allowed" };
    }
    await this.#held?.wait;
    const scripted = this.next.shift();
    if (scripted instanceof Error) throw scripted;
    return scripted ?? { kind: "value", value };
  }
}
