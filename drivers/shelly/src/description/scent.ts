/** `cury`: two slots with a scent each. Its lamp, mode and timers are not described. */
import { at } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { call, custom, readsFlag, readsPercent } from "./properties.ts";
import type { DescribedComponent, ShellyComponent, ShellyProperty } from "./shelly-property.ts";

const SLOTS = ["left", "right"] as const;

export function scent(of: ShellyComponent): DescribedComponent {
  const there = SLOTS.filter((slot) => at(of.status, "slots", slot) !== undefined);
  return { properties: there.flatMap((slot) => slotProperties(of, slot)), isPartial: true };
}

function slotProperties(of: ShellyComponent, slot: string): ShellyProperty[] {
  const set = (member: string) => (value: Value) =>
    call("Cury.Set", { id: of.id, slot, [member]: value }, (now) => at(now, "slots", slot, member) === value);
  const percent = { type: "integer", unit: "%", min: 0, max: 100 } as const;
  return [
    ...custom(
      of,
      { property: `${slot}On`, type: "boolean" },
      { read: readsFlag("slots", slot, "on"), command: set("on") },
    ),
    ...custom(
      of,
      { property: `${slot}Intensity`, ...percent },
      { read: readsPercent("slots", slot, "intensity"), command: set("intensity") },
    ),
    ...custom(
      of,
      { property: `${slot}Vial`, type: "number", unit: "%" },
      { read: readsPercent("slots", slot, "vial", "level") },
    ),
  ];
}
