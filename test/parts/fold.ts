/**
 * What a consumer of the event stream makes of it: written from the documentation alone, so that it does not agree with the
 * service's own mistakes.
 */

interface Item {
  readonly id: string;
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly value: unknown;
}

interface FoldedEvent {
  readonly sequence: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of an event, whose shape depends on its type
  readonly data: any;
}

export class Fold {
  #sequence: number;
  readonly #items = new Map<string, Item>();
  /** The hub that a device was last reported to live on. */
  readonly #hubs = new Map<string, string>();

  private constructor(sequence: number) {
    this.#sequence = sequence;
  }

  /** @param snapshot the data of a `snapshot` event */
  static of(snapshot: { readonly sequence: number; readonly items: readonly Item[] }): Fold {
    const fold = new Fold(snapshot.sequence);
    for (const item of snapshot.items) fold.#put(item);
    return fold;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Value of every property, by device and address. */
  get items(): ReadonlyMap<string, unknown> {
    return new Map([...this.#items].map(([key, { value }]): [string, unknown] => [key, value]).sort());
  }

  /** @param hub the client that a device lives on, as `GET /api/devices` answered */
  knows(deviceId: string, hub: string): void {
    this.#hubs.set(deviceId, hub);
  }

  /** @throws Error when it is not the next event */
  apply({ sequence, type, data }: FoldedEvent): void {
    if (sequence !== this.#sequence + 1) throw new Error(`after ${this.#sequence} comes ${sequence}`);
    this.#sequence = sequence;
    if (type === "property.changed") this.#put(data.item);
    if (type === "device.added" || type === "device.updated") this.#hubs.set(data.id, data.clientId);
    if (type === "device.removed") this.#drop((item) => item.deviceId === data.id);
    if (type === "environment.deleted") this.#drop((item) => item.id === data.id);
    if (type === "hub.removed") this.#drop((item) => this.#hubs.get(item.deviceId) === data.id);
  }

  #put(item: Item): void {
    this.#items.set(`${item.deviceId} ${item.service}:${item.index}.${item.property}`, item);
  }

  #drop(isGone: (item: Item) => boolean): void {
    for (const [key, item] of this.#items) if (isGone(item)) this.#items.delete(key);
  }
}
