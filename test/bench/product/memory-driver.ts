/** A driver whose devices live in memory and answer at once: what is left of a command is the hub and the cloud. */
import type { Driver, DriverHost } from "@porchlight/driver-kit";
import { addressKey, CATALOGUE, type DeviceDescription, type Value } from "@porchlight/shared/model";

const LIGHT: DeviceDescription = [
  { service: "LightColor", index: "0", properties: [...(CATALOGUE.get("LightColor") ?? [])] },
];

const IN_FLIGHT = 2048;
/** What every property is at first: a value that no benchmark sets or reports, so that each of theirs is a change. */
const FIRST = 100;

/** edgeId of the n-th device of a hub. */
export function edgeIdOf(hub: number, device: number): string {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  const text = `02${hex(hub, 4)}${hex(device, 6)}`;
  return (text.match(/../g) ?? []).join("-");
}

export interface MemoryDriver extends Driver {
  /** Reports `count` changes, many under way at a time, since a hub waits up to 50 ms to commit them together; settles when the last is committed on the hub. */
  report(count: number): Promise<void>;
}

export function memoryDriver(host: DriverHost, hub: number, devices: number): MemoryDriver {
  const edgeIds = Array.from({ length: devices }, (_, device) => edgeIdOf(hub, device));
  const values = new Map<string, Value>();
  const known = new Set(edgeIds);
  let seq = 0;
  for (const edgeId of edgeIds) {
    host.arrived({ edgeId, description: LIGHT, about: { model: "In memory" }, transport: "memory" });
    for (const property of ["hue", "saturation"])
      void host.learned({ device: edgeId, service: "LightColor", index: "0", property, value: FIRST });
  }
  return {
    name: "memory",
    has: (edgeId) => known.has(edgeId),
    async read(device, address) {
      return { kind: "value", value: values.get(`${device} ${addressKey(address)}`) ?? FIRST };
    },
    async write(device, address, value, attempt) {
      attempt.touch(() => values.set(`${device} ${addressKey(address)}`, value));
      return { kind: "value", value };
    },
    async report(count) {
      let next = 0;
      const work = async () => {
        while (next < count) {
          const n = next++;
          const device = edgeIds[n % devices] ?? "";
          const value = (n % 990) / 10;
          await host.reported(
            { device, service: "LightColor", index: "0", property: "hue", value },
            { node: device, boot: 1, seq: seq++ % 65_536 },
          );
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
