/** The devices that all dialects of a broker describe: one for each edgeId, by the first dialect that has it. */
import type { Dialect, Message, MqttDevice } from "./device/mqtt-device.ts";

/** Most devices of a broker. */
const MOST_DEVICES = 1000;

export class DescribedDevices {
  readonly #dialects: readonly Dialect[];

  /** @param dialects the one that knows most of its devices first */
  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  get filters(): string[] {
    return this.#dialects.flatMap(({ filters }) => filters);
  }

  /** True when the message describes devices. */
  take(message: Message): boolean {
    // Each: a topic can say something to two of them.
    return this.#dialects.map((dialect) => dialect.take(message)).includes(true);
  }

  all(): { readonly devices: ReadonlyMap<string, MqttDevice>; readonly tooMany: number } {
    const devices = new Map<string, MqttDevice>();
    let tooMany = 0;
    for (const [edgeId, device] of this.#dialects.flatMap((dialect) => [...dialect.devices])) {
      if (devices.has(edgeId)) continue;
      if (devices.size < MOST_DEVICES) devices.set(edgeId, device);
      else tooMany += 1;
    }
    return { devices, tooMany };
  }

  /** By the dialect's name: its devices, what it left aside, and what is wrong in words. */
  status() {
    return Object.fromEntries(
      this.#dialects.map(({ name, devices, ignored, problems }) => [
        name,
        { devices: devices.size, ignored, problems },
      ]),
    );
  }
}
