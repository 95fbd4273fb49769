/**
 * Looks at many definitions of zigbee2mqtt at once: whether each makes a valid device, and whether what can be set is confirmed by the
 * message that zigbee2mqtt publishes for it.
 */
import { type PropertyDescription, type Value, valueProblem } from "@porchlight/shared/model";
import { describedServices } from "../device/described-services.ts";
import type { Dialect, MqttDevice, MqttProperty } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

export interface Definition {
  readonly vendor: string;
  readonly model: string;
  readonly exposes: readonly unknown[];
}

export interface Sweep {
  devices: number;
  /** Properties, without link quality, which every device has. */
  properties: number;
  standard: number;
  settable: number;
  /** Of these, what was set and confirmed by its echo. */
  confirmed: number;
  readonly leftAside: Record<string, number>;
  /** What is wrong, in words. */
  readonly wrong: string[];
}

const AT_ONCE = 500;

export function sweep(definitions: readonly Definition[]): Sweep {
  const result: Sweep = {
    devices: 0,
    properties: 0,
    standard: 0,
    settable: 0,
    confirmed: 0,
    leftAside: {},
    wrong: [],
  };
  for (let from = 0; from < definitions.length; from += AT_ONCE) {
    const dialect = zigbee2mqttDialect("z");
    const part = definitions.slice(from, from + AT_ONCE);
    tell(
      dialect,
      part.map((definition, n) => described(definition, from + n)),
    );
    result.wrong.push(...dialect.problems);
    for (const [why, count] of Object.entries(dialect.ignored))
      result.leftAside[why] = (result.leftAside[why] ?? 0) + count;
    for (const device of dialect.devices.values()) look(device, result);
  }
  return result;
}

function described(definition: Definition, n: number) {
  const ieee_address = `0x${(0x00158d0000000000n + BigInt(n)).toString(16).padStart(16, "0")}`;
  return { ieee_address, type: "Router", friendly_name: `${definition.model} ${n}`.replace(/[+#]/g, "-"), definition };
}

function tell(dialect: Dialect, devices: readonly unknown[]): void {
  const payload = new Payload(JSON.stringify(devices));
  dialect.take({ topic: "z/bridge/devices", payload, retained: true });
}

function look(device: MqttDevice, result: Sweep): void {
  result.devices += 1;
  const name = `${device.about.manufacturer} ${device.about.model}`;
  for (const { service, index, properties } of describedServices(device.properties)) {
    const names = properties.map(({ property }) => property);
    if (new Set(names).size < names.length) result.wrong.push(`${name}: ${service}:${index} has a property twice`);
  }
  for (const property of device.properties) {
    const { address, description } = property;
    if (address.property === "linkquality") continue;
    result.properties += 1;
    if (address.service !== "Settings" && address.service !== "Readings") result.standard += 1;
    if (!description.access.includes("write")) continue;
    result.settable += 1;
    const why = setAndConfirm(property);
    if (why === undefined) result.confirmed += 1;
    else result.wrong.push(`${name}: ${address.service}:${address.index}.${address.property} ${why}`);
  }
}

/** Gives why it is not confirmed; undefined when it is, or when nothing says it. */
function setAndConfirm({ description, set, state, tolerance = 0 }: MqttProperty): string | undefined {
  for (const value of samples(description)) {
    const problem = valueProblem(description, value);
    if (problem !== undefined) return `has no sample: ${problem}`;
    const publication = set?.(value, () => undefined);
    if (!publication) return "cannot be set";
    if (!state) continue;
    const echo = state.read(new Payload(publication.payload));
    const isNear = typeof echo === "number" && typeof value === "number" && Math.abs(echo - value) <= tolerance + 1e-9;
    if (!isNear && JSON.stringify(echo) !== JSON.stringify(value))
      return `was set to ${JSON.stringify(value)} by ${publication.payload} and says ${JSON.stringify(echo)}`;
  }
  return undefined;
}

/** Values that a client may set: the ends of a range and something between, each word. */
function samples({ type, min, max, step, values }: PropertyDescription): readonly Value[] {
  if (values) return values;
  switch (type) {
    case "boolean":
      return [true, false];
    case "string":
      return ["text"];
    case "json":
      return [[1, 2]];
    default: {
      const from = min ?? Math.min(0, max ?? 0);
      const to = max ?? from + 100;
      const between = from + Math.floor((to - from) / 2 / (step ?? 1)) * (step ?? 1);
      return step === undefined ? [from, between, to].map(type === "integer" ? Math.round : Number) : [from, between];
    }
  }
}
