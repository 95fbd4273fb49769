/** Lamps and plugs: the switch, level and colour of one index form one endpoint. */
import { DEVICE_TYPES } from "../parts/device-types.ts";
import type { DeviceType, Part } from "../parts/part.ts";
import type { Unclaimed } from "../parts/unclaimed.ts";
import { type Coloured, colourCluster } from "./colour.ts";
import { levelCluster, onOffCluster } from "./level.ts";

/** A device with only a switch becomes a plug, because the hub does not know the load of a relay. */
export function lights(unclaimed: Unclaimed): Part[] {
  const classes = ["Switch", "LightLevel", "LightColor", "LightTemperature"];
  const indexes = new Set(classes.flatMap((service) => unclaimed.indexes(service)));
  return [...indexes].flatMap((index) => lightOf(unclaimed, index) ?? []);
}

function lightOf(unclaimed: Unclaimed, index: string): Part | undefined {
  const on = unclaimed.settable("Switch", index, "on");
  const level = unclaimed.settable("LightLevel", index, "level");
  // Matter has no type for a lamp without a switch and a level.
  if (!on && !level) return undefined;
  const hue = unclaimed.settable("LightColor", index, "hue");
  const saturation = unclaimed.settable("LightColor", index, "saturation");
  // Matter requires a level for coloured lamps.
  const colour = level && hue && saturation ? { hue, saturation } : undefined;
  const kelvin = level && unclaimed.settable("LightTemperature", index, "kelvin");
  const startUp = on && unclaimed.look("Switch", index, "startUp");
  const lamp = { on, level, colour, kelvin, startUp };
  unclaimed.claim(on, level, hue, saturation, kelvin, startUp);
  return {
    key: `light:${index}`,
    type: typeOf(lamp),
    hasGroups: true,
    clusters: [
      onOffCluster(lamp),
      ...(level ? [levelCluster({ ...lamp, level })] : []),
      ...(colour || kelvin ? [colourCluster(lamp)] : []),
    ],
  };
}

function typeOf({ level, colour, kelvin }: Coloured): DeviceType {
  if (colour) return DEVICE_TYPES.colorLight;
  if (kelvin) return DEVICE_TYPES.temperatureLight;
  return level ? DEVICE_TYPES.dimmableLight : DEVICE_TYPES.onOffPlug;
}
