/** What the hub learns, as it is stored: of each commit the properties that have changed, and every event, in order. */
import type { Value } from "@porchlight/shared/model";
import type { Home, PropertyTarget, State, StoredRecord } from "../../state/index.ts";

export interface ChangesDeps {
  readonly state: Pick<State, "listen" | "pending" | "lastNumber"> & { readonly home: Pick<Home, "listenToNames"> };
  /** The inventory, or what the cloud calls a device, has changed. */
  readonly devices: () => void;
  /** A property was told: as a value that is stored by now, or as an event with this one. */
  readonly told: (target: PropertyTarget, value: Value) => void;
}

/** Records read at once, and about how many bytes of them. */
const AT_ONCE = 256;
const BYTES = 256 * 1024;

export class Changes implements Disposable {
  readonly #deps: ChangesDeps;
  readonly #stop: readonly (() => void)[];
  #after: number;
  #isOver = false;

  /** Follows from now on. */
  constructor(deps: ChangesDeps) {
    const { state, devices } = deps;
    this.#deps = deps;
    this.#after = state.lastNumber;
    this.#stop = [state.listen({ devices, records: () => this.#read() }), state.home.listenToNames(devices)];
  }

  /** Nothing is read any more, also not for a commit that was made already. Safe to repeat. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const stop of this.#stop) stop();
  }

  /** Right after the commit: nothing can have been acknowledged, and so forgotten, by then. */
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
    this.#deps.told({ device, service, index, property }, value);
  }
}
