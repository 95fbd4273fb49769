/** All that a device behind a broker can be asked and told. */
import { identifyOnly } from "@porchlight/driver-kit";
import { withTargets } from "./cover-targets.ts";
import type { MqttDevice, MqttProperty } from "./mqtt-device.ts";

/** Its properties, and `Identify` where it can show itself. */
export function allProperties({ properties, identify }: MqttDevice): readonly MqttProperty[] {
  const all = withTargets(properties);
  return identify ? [...all, ...identifyOnly().map((each) => ({ ...each, set: () => identify }))] : all;
}
