/** Definitions of zigbee2mqtt, as its own dialect describes them. */
import { Payload } from "../device/payload.ts";
import { DeviceSweep } from "../device-sweep.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

export interface Definition {
  readonly vendor: string;
  readonly model: string;
  readonly exposes: readonly unknown[];
}

const AT_ONCE = 500;

/** zigbee2mqtt answers with just what was set. */
export function sweepDefinitions(definitions: readonly Definition[]): DeviceSweep {
  const sweep = new DeviceSweep(({ payload }) => payload);
  for (let from = 0; from < definitions.length; from += AT_ONCE) {
    const dialect = zigbee2mqttDialect("z");
    const listed = definitions.slice(from, from + AT_ONCE).map((definition, n) => described(definition, from + n));
    dialect.take({ topic: "z/bridge/devices", payload: new Payload(JSON.stringify(listed)), retained: true });
    sweep.wrong.push(...dialect.problems);
    sweep.leave(dialect.ignored);
    for (const device of dialect.devices.values()) sweep.look(device);
  }
  return sweep;
}

function described(definition: Definition, n: number) {
  const ieee_address = `0x${(0x00158d0000000000n + BigInt(n)).toString(16).padStart(16, "0")}`;
  return { ieee_address, type: "Router", friendly_name: `${definition.model} ${n}`.replace(/[+#]/g, "-"), definition };
}
