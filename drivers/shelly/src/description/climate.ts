/** `thermostat`: power, mode (heat or cool, whichever the device is configured for), target temperature and current activity. */
import { at } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  call,
  type DescribedComponent,
  has,
  readsFlag,
  readsNumber,
  type ShellyComponent,
  type StatusReader,
  standard,
} from "./shelly-property.ts";

const TARGETS = { min: 5, max: 35 };

/** @param others types of the device's other components: if one of them is a temperature sensor, it reports the temperature */
export function thermostat(of: ShellyComponent, others: ReadonlySet<string>): DescribedComponent {
  const { id, config } = of;
  const [mode, activity] = config.type === "cooling" ? (["cool", "cooling"] as const) : (["heat", "heating"] as const);
  const isOn: StatusReader = readsFlag("enable");
  const words = (read: StatusReader, on: string, off: string): StatusReader => {
    return (status) => {
      const now = read(status);
      return now === true ? on : now === false ? off : now;
    };
  };
  const setMode = (value: Value) => {
    const enable = value === mode;
    return call("Thermostat.SetConfig", { id, config: { enable } }, (status) => status.enable === enable);
  };
  const setTarget = (value: Value) =>
    call("Thermostat.SetConfig", { id, config: { target_C: value } }, (status) => status.target_C === value);
  return {
    properties: [
      ...standard(
        of,
        "Thermostat.mode",
        { read: words(isOn, mode, "off"), command: setMode, isConfigured: true },
        { values: ["off", mode] },
      ),
      ...standard(of, "Thermostat.target", { read: readsNumber(["target_C"]), command: setTarget }, TARGETS),
      ...standard(
        of,
        "Thermostat.activity",
        { read: words(readsFlag("output"), activity, "idle"), isConfigured: true },
        { values: ["idle", activity] },
      ),
      ...(has(of, "current_C") && !others.has("temperature")
        ? standard(of, "Temperature.celsius", { read: readsNumber(["current_C"]) })
        : []),
    ],
    isPartial: at(of.config, "schedules") !== undefined || has(of, "schedules"),
  };
}
