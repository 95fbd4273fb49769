/** The buttons that can call a scene: those of its hub. Pure. */

import { nameIn } from "../../zones/tree/forest.ts";
import type { SceneHome } from "../words/scene-home.ts";

export interface ButtonOfHub {
  readonly deviceId: string;
  /** `Button:INDEX.event` */
  readonly service: string;
  /** The device, and which of its buttons where it has several. */
  readonly name: string;
  /** What it can report. */
  readonly values: readonly string[];
}

/** The event that calls scenes (A11). */
const BUTTON = "Button";
const EVENT = "event";

export function buttonsOf({ forest, services }: SceneHome, hubId: string): readonly ButtonOfHub[] {
  return [...forest.devices.values()]
    .filter(({ clientId }) => clientId === hubId)
    .flatMap(({ id }) => {
      const own = (services.get(id)?.items ?? []).filter(({ service }) => service === BUTTON);
      return own.flatMap(({ service, index, properties }) => {
        const event = properties.find(({ property }) => property === EVENT);
        const values = (event?.values ?? []).filter((value) => typeof value === "string");
        if (!event || values.length === 0) return [];
        const name = own.length > 1 ? `${nameIn(forest, id)}, button ${index}` : nameIn(forest, id);
        return [{ deviceId: id, service: `${service}:${index}.${EVENT}`, name, values }];
      });
    });
}
