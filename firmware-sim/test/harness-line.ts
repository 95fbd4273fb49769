/** porchlight.c as a line of bytes on a clock that stands still: time goes on from one thing that happens to the next. */
import { settle, type VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { Harness } from "./harness.ts";

/** Bytes handed in at once: a line of the harness holds twice as many digits. */
const AT_ONCE = 8000;

export class HarnessLine implements ByteLink {
  readonly #harness: Harness;
  readonly #clock: VirtualClock;
  readonly #jobs: (() => Promise<void>)[] = [];
  #onBytes: (bytes: Uint8Array) => void = () => undefined;

  constructor(harness: Harness, clock: VirtualClock) {
    this.#harness = harness;
    this.#clock = clock;
  }

  listen(onBytes: (bytes: Uint8Array) => void): void {
    this.#onBytes = onBytes;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.do(() => this.#handIn(bytes));
  }

  close(): void {
    this.#onBytes = () => undefined;
  }

  /** Does something with the harness, in turn with writes, while no time goes by. */
  do(job: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => job().then(resolve, reject));
    });
  }

  /** Lets time go by until a promise is settled. @throws Error when nothing is left that could settle it */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isOpen = true;
    const done = promise.finally(() => {
      isOpen = false;
    });
    done.catch(() => undefined);
    for (await settle(); isOpen; await settle(1)) {
      const job = this.#jobs.shift();
      if (job) await job();
      else await this.#goOn();
    }
    return done;
  }

  /** To the next message of the node, or the next timer. */
  async #goOn(): Promise<void> {
    const now = this.#clock.monotonic();
    const due = this.#clock.due;
    if (due === undefined) throw new Error("no timer is waiting");
    const [at = "", hex = ""] = (await this.#harness.ask(`run ${now} ${due}`)).split(" ");
    if (Number(at) > now || hex === "") await this.#clock.advance(Number(at) - now);
    this.#deliver(hex);
  }

  async #handIn(bytes: Uint8Array): Promise<void> {
    const now = this.#clock.monotonic();
    for (let at = 0; at < bytes.length; ) {
      const chunk = bytes.subarray(at, at + AT_ONCE);
      const left = Number(await this.#harness.ask(`in ${now} ${Buffer.from(chunk).toString("hex")}`));
      at += chunk.length - left;
      this.#deliver(await this.#harness.ask("out"));
    }
  }

  #deliver(hex: string): void {
    if (hex !== "") this.#onBytes(Buffer.from(hex, "hex"));
  }
}
