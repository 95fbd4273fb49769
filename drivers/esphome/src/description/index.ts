/** Maps each type of entity to its description. */
import type { EspHomeEntity } from "../wire/messages.ts";
import { describeClimate } from "./climates.ts";
import { describeCover } from "./covers.ts";
import type { EntityComponent } from "./esphome-property.ts";
import { describeFan } from "./fans.ts";
import { describeLight } from "./lights.ts";
import { describeButton, describeLock, describeSiren, describeSwitch, describeValve } from "./outputs.ts";
import { textTrait } from "./parts.ts";
import { alarmPanel, mediaPlayer } from "./players.ts";
import { describeBinarySensor, describeEvent, describeSensor, describeTextSensor } from "./sensors.ts";
import { describeNumber, describeSelect, describeText } from "./settings.ts";

/** Not described: cameras, dates and times, updates, water heaters, infrared. */
export const ENTITY_COMPONENTS: ReadonlyMap<string, EntityComponent> = new Map([
  ["alarm_control_panel", alarmPanel],
  ["binary_sensor", describeBinarySensor],
  ["button", describeButton],
  ["climate", describeClimate],
  ["cover", describeCover],
  ["event", describeEvent],
  ["fan", describeFan],
  ["light", describeLight],
  ["lock", describeLock],
  ["media_player", mediaPlayer],
  ["number", describeNumber],
  ["select", describeSelect],
  ["sensor", describeSensor],
  ["siren", describeSiren],
  ["switch", describeSwitch],
  ["text", describeText],
  ["text_sensor", describeTextSensor],
  ["valve", describeValve],
]);

/** Covers that can admit intruders or injure people. */
const SENSITIVE_COVERS: ReadonlySet<string> = new Set(["door", "garage", "gate"]);

/** Locks and valves are sensitive by their standard class. */
export function isSensitive(entity: EspHomeEntity): boolean {
  if (entity.type === "siren" || entity.type === "alarm_control_panel") return true;
  return entity.type === "cover" && SENSITIVE_COVERS.has(textTrait(entity, "deviceClass"));
}
