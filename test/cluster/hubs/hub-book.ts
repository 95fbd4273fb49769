/** What a light hub remembers from connection to connection: values, its history until acknowledged, and which commands it has begun. In memory, since it never dies. */
import type { StoredRecord, StoredResult } from "@porchlight/agent/state/index.ts";
import type { Value } from "@porchlight/shared/model";

export interface PropertyTarget {
  readonly device: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

/** A property's last report, and its number. */
export interface Held {
  readonly n: number;
  readonly value: Value;
  /** Wall clock, ms. */
  readonly observedAt: number;
}

/** A record without its number. */
type Unnumbered = StoredRecord extends infer R ? (R extends StoredRecord ? Omit<R, "n"> : never) : never;

export class HubBook {
  readonly logId: string;
  readonly #values = new Map<string, Held>();
  readonly #journal = new Map<string, StoredResult>();
  #records: StoredRecord[] = [];
  #lastNumber = 0;
  #acknowledged = 0;

  constructor(logId: string) {
    this.logId = logId;
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Records that the cloud has not acknowledged. */
  get queued(): number {
    return this.#records.length;
  }

  held(target: PropertyTarget): Held | undefined {
    return this.#values.get(keyOf(target));
  }

  /** Takes a record into the history, and its value for the property's; gives it with its number. */
  write<R extends Unnumbered>(record: R): R & { readonly n: number } {
    this.#lastNumber += 1;
    const n = this.#lastNumber;
    const written = { ...record, n };
    this.#records.push(written as StoredRecord);
    if (record.kind !== "presence" && record.value !== undefined)
      this.#values.set(keyOf(record), { n, value: record.value, observedAt: record.observedAt });
    return written;
  }

  /** How a command ended that has touched its device: what a repeated one is answered. */
  endOf(commandId: string): StoredResult | undefined {
    return this.#journal.get(commandId);
  }

  end(result: StoredResult): void {
    this.#journal.set(result.command, result);
  }

  /** JSON of the records after that number, oldest first, within bounds. */
  pendingTexts(after: number, most: number): { readonly texts: readonly string[]; readonly last: number } {
    const from = this.#records.findIndex(({ n }) => n > after);
    const records = from < 0 ? [] : this.#records.slice(from, from + most);
    return { texts: records.map((record) => JSON.stringify(record)), last: records.at(-1)?.n ?? after };
  }

  /** The cloud has everything up to that number. */
  acknowledge(n: number): void {
    if (n <= this.#acknowledged) return;
    this.#acknowledged = n;
    this.#records = this.#records.filter((record) => record.n > n);
  }
}

export function keyOf({ device, service, index, property }: PropertyTarget): string {
  return `${device} ${service}:${index}.${property}`;
}
