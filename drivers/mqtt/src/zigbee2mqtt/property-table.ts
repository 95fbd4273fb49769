/** The properties of a device as they are added: as many as a device may have, and how many are left aside. */
import type { MqttProperty } from "../device/mqtt-device.ts";

/** Most services of a device, and properties of a service (DP6). */
const MOST = 64;

export class PropertyTable {
  readonly properties: MqttProperty[] = [];
  readonly leftAside: Record<string, number> = {};
  readonly #sizes = new Map<string, number>();

  add(properties: readonly MqttProperty[]): void {
    for (const property of properties) this.#push(property);
  }

  leave(why: string): void {
    this.leftAside[why] = (this.leftAside[why] ?? 0) + 1;
  }

  #push(property: MqttProperty): void {
    const { service, index } = property.address;
    const key = `${service}:${index}`;
    const size = this.#sizes.get(key) ?? 0;
    if (size >= MOST || (size === 0 && this.#sizes.size >= MOST)) {
      this.leave("tooMany");
      return;
    }
    this.#sizes.set(key, size + 1);
    this.properties.push(property);
  }
}
