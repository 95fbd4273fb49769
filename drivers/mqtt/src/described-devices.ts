/** The devices that all dialects of a broker describe: one device for each edgeId, from the first dialect that describes it. */
import type { Work } from "@porchlight/driver-kit";
import type { KeptThings } from "./device/kept-things.ts";
import type { Dialect, Message, MqttDevice } from "./device/mqtt-device.ts";

/** Maximum number of devices of a broker. */
const MOST_DEVICES = 1000;

interface DialectStatus extends Pick<Dialect, "ignored" | "problems"> {
  readonly devices: number;
}

export class DescribedDevices {
  readonly #dialects: readonly Dialect[];
  readonly #topics: RegExp;
  readonly #renamed = new WeakMap<MqttDevice, MqttDevice>();
  /** By the dialect's name, from the last look at the devices. */
  #status: Readonly<Record<string, DialectStatus>>;

  /** @param dialects the dialect that knows most of its devices first */
  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
    this.#topics = topicPattern(this.filters);
    this.#status = Object.fromEntries(dialects.map(({ name }) => [name, { devices: 0, ignored: {}, problems: [] }]));
  }

  get filters(): string[] {
    return this.#dialects.flatMap(({ filters }) => filters);
  }

  /** Whether the topic describes devices. */
  has(topic: string): boolean {
    return this.#topics.test(topic);
  }

  /** True when the message changes the description of devices, as far as its dialect knows. */
  take(message: Message): boolean {
    // Every dialect takes the message: a topic can concern two of them.
    return this.#dialects.map((dialect) => dialect.take(message)).includes(true);
  }

  /** The edgeIds of the devices whose descriptions a message on the topic has changed. @param kept see `look` */
  describedOn(topic: string, kept: Pick<KeptThings, "edgeIdOf">): string[] {
    return this.#dialects.flatMap((dialect) =>
      (dialect.describedOn?.(topic) ?? []).map((device) => kept.edgeIdOf(device)),
    );
  }

  /** Builds the devices that are described now. @param kept the edgeIds under which devices were first announced */
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
      // An earlier dialect may have the device under its described edgeId, which can differ from its first one.
      if (devices.has(described.edgeId)) continue;
      const device = this.#asKept(described, kept);
      if (devices.has(device.edgeId)) continue;
      if (devices.size < MOST_DEVICES) devices.set(device.edgeId, device);
      else tooMany += 1;
    }
    return { devices, tooMany };
  }

  /** The device under its kept edgeId; the same object for the same device. */
  #asKept(device: MqttDevice, kept: Pick<KeptThings, "edgeIdOf">): MqttDevice {
    const edgeId = kept.edgeIdOf(device);
    if (edgeId === device.edgeId) return device;
    const known = this.#renamed.get(device);
    if (known?.edgeId === edgeId) return known;
    const renamed = { ...device, edgeId };
    this.#renamed.set(device, renamed);
    return renamed;
  }

  /** By the dialect's name: its devices, the number of ignored messages, and problems in words. */
  status(): Readonly<Record<string, DialectStatus>> {
    return this.#status;
  }
}

/** Whether a topic matches a filter (MQTT 5, section 4.7). */

export function topicPattern(filters: readonly string[]): RegExp {
  const all = filters.map((filter) =>
    filter
      .split("/")
      .map(levelPattern)
      .join("/")
      .replace(/\/\.\*$/, "(?:/.*)?"),
  );
  return new RegExp(`^(?:${all.join("|") || "(?!)"})$`, "s");
}

function levelPattern(level: string): string {
  if (level === "+") return "[^/]*";
  return level === "#" ? ".*" : level.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
