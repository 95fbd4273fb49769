/** What commands of the Zigbee Cluster Library do to a device's attributes. Transitions take no time. */
import type { Values } from "./channel.ts";

/** The attributes of a cluster. */
type AttributesOf = (cluster: string) => Values;
type Changes = Readonly<Record<string, Values>>;

/** Color modes of `lightingColorCtrl`. */
const [HUE_AND_SATURATION, XY, COLOR_TEMPERATURE] = [0, 1, 2];

const EFFECTS: Readonly<Record<string, (payload: Values, of: AttributesOf) => Changes>> = {
  "genOnOff.on": () => ({ genOnOff: { onOff: 1 } }),
  "genOnOff.off": () => ({ genOnOff: { onOff: 0 } }),
  "genOnOff.offWithEffect": () => ({ genOnOff: { onOff: 0 } }),
  "genOnOff.toggle": (_, of) => ({ genOnOff: { onOff: of("genOnOff").onOff === 1 ? 0 : 1 } }),
  "genLevelCtrl.moveToLevel": ({ level }) => ({ genLevelCtrl: { currentLevel: level } }),
  "genLevelCtrl.moveToLevelWithOnOff": ({ level }) => ({
    genLevelCtrl: { currentLevel: level },
    genOnOff: { onOff: level === 0 ? 0 : 1 },
  }),
  "lightingColorCtrl.moveToColor": ({ colorx, colory }) => ({
    lightingColorCtrl: { currentX: colorx, currentY: colory, colorMode: XY },
  }),
  "lightingColorCtrl.moveToColorTemp": ({ colortemp }) => ({
    lightingColorCtrl: { colorTemperature: colortemp, colorMode: COLOR_TEMPERATURE },
  }),
  "lightingColorCtrl.moveToHueAndSaturation": ({ hue, saturation }) => ({
    lightingColorCtrl: { currentHue: hue, currentSaturation: saturation, colorMode: HUE_AND_SATURATION },
  }),
  "closuresDoorLock.lockDoor": () => ({ closuresDoorLock: { lockState: 1 } }),
  "closuresDoorLock.unlockDoor": () => ({ closuresDoorLock: { lockState: 2 } }),
  "genIdentify.identify": () => ({}),
  "genIdentify.triggerEffect": () => ({}),
  // The answer to a zone that asks to be enrolled.
  "ssIasZone.enrollRsp": () => ({ ssIasZone: { zoneState: 1 } }),
};

/** The attributes that a command changes, by cluster; undefined for a command that no simulated device knows. */
export function effectOf(
  cluster: string,
  command: string,
  payload: unknown,
  of: AttributesOf,
): ReadonlyMap<string, Values> | undefined {
  const effect = EFFECTS[`${cluster}.${command}`];
  const values = typeof payload === "object" && payload !== null ? Object.fromEntries(Object.entries(payload)) : {};
  return effect && new Map(Object.entries(effect(values, of)));
}
