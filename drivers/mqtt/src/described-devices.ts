/** The devices that all dialects of a broker describe: one for each edgeId, by the first dialect that has it. */
import type { Work } from "@porchlight/driver-kit";
import type { KeptThings } from "./device/kept-things.ts";
import type { Dialect, Message, MqttDevice } from "./device/mqtt-device.ts";
import { topicPattern } from "./device/topic-pattern.ts";

/** Most devices of a broker. */
const MOST_DEVICES = 1000;

interface DialectStatus extends Pick<Dialect, "ignored" | "problems"> {
  readonly devices: number;
}

export class DescribedDevices {
  readonly #dialects: readonly Dialect[];
  readonly #topics: RegExp;
  readonly #renamed = new WeakMap<MqttDevice, MqttDevice>();
  /** By the dialect's name, as the devices were last looked at. */
  #status: Readonly<Record<string, DialectStatus>>;

  /** @param dialects the one that knows most of its devices first */
  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
    this.#topics = topicPattern(this.filters);
    this.#status = Object.fromEntries(dialects.map(({ name }) => [name, { devices: 0, ignored: {}, problems: [] }]));
  }

  get filters(): string[] {
    return this.#dialects.flatMap(({ filters }) => filters);
  }

  /** Whether devices are described on it. */
  has(topic: string): boolean {
    return this.#topics.test(topic);
  }

  /** True when the message describes devices, otherwise than before as far as its dialect knows. */
  take(message: Message): boolean {
    // Each: a topic can say something to two of them.
    return this.#dialects.map((dialect) => dialect.take(message)).includes(true);
  }

  /** The edgeIds of the devices that a message on the topic has described otherwise. @param kept as in `all` */
  describedOn(topic: string, kept: Pick<KeptThings, "edgeIdOf">): string[] {
    return this.#dialects.flatMap((dialect) =>
      (dialect.describedOn?.(topic) ?? []).map((device) => kept.edgeIdOf(device)),
    );
  }

  /** Makes the devices that are described now. @param kept what devices were called when they were first told */
  *look(kept: Pick<KeptThings, "edgeIdOf">): Work<{
    readonly devices: ReadonlyMap<string, MqttDevice>;
    readonly tooMany: number;
  }> {
    const all: MqttDevice[] = [];
    const status: Record<string, DialectStatus> = {};
    for (const dialect of this.#dialects) {
      const { devices, ignored, problems } = dialect.build ? yield* dialect.build() : dialect;
      all.push(...devices.values());
      status[dialect.name] = { devices: devices.size, ignored, problems };
    }
    this.#status = status;
    const devices = new Map<string, MqttDevice>();
    let tooMany = 0;
    for (const described of all) {
      // By its own address an earlier dialect may have it, whatever it was called before.
      if (devices.has(described.edgeId)) continue;
      const device = this.#asKept(described, kept);
      if (devices.has(device.edgeId)) continue;
      if (devices.size < MOST_DEVICES) devices.set(device.edgeId, device);
      else tooMany += 1;
    }
    return { devices, tooMany };
  }

  /** The device under its kept edgeId; the same object for the same one. */
  #asKept(device: MqttDevice, kept: Pick<KeptThings, "edgeIdOf">): MqttDevice {
    const edgeId = kept.edgeIdOf(device);
    if (edgeId === device.edgeId) return device;
    const known = this.#renamed.get(device);
    if (known?.edgeId === edgeId) return known;
    const renamed = { ...device, edgeId };
    this.#renamed.set(device, renamed);
    return renamed;
  }

  /** By the dialect's name: its devices, what it left aside, and what is wrong in words. */
  status(): Readonly<Record<string, DialectStatus>> {
    return this.#status;
  }
}
