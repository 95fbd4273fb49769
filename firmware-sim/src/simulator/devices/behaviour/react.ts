/** Properties that follow others at once: a thermostat's activity, a lamp's power, a battery that is low, a sensor that comes to rest. */
import { type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import { type Behaviour, type DeviceAction, type DeviceView, isSame } from "./behaviour.ts";

export interface Regulation {
  readonly mode: PropertyAddress;
  readonly target: PropertyAddress;
  readonly measured: PropertyAddress;
  readonly activity: PropertyAddress;
  /** How far from the target it begins, °C; it goes on to the target. */
  readonly band: number;
}

/** Heats below the target, cools above it, as far as its mode allows. */
export function regulateBehaviour(regulation: Regulation): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    const looks = happening.kind === "begun" || happening.kind === "changed";
    return { next: behaviour, actions: looks ? regulated(regulation, view) : [] };
  };
  return behaviour;
}

function regulated({ mode, target, measured, activity, band }: Regulation, view: DeviceView): DeviceAction[] {
  const [wanted, celsius, allowed, doing] = [target, measured, mode, activity].map((where) => view.read(where));
  if (typeof wanted !== "number" || typeof celsius !== "number") return [];
  const heats = (allowed === "heat" || allowed === "auto") && celsius < wanted - (doing === "heating" ? 0 : band);
  const cools = (allowed === "cool" || allowed === "auto") && celsius > wanted + (doing === "cooling" ? 0 : band);
  return [{ kind: "become", where: activity, value: heats ? "heating" : cools ? "cooling" : "idle" }];
}

/** A property that is what another makes it. @param made undefined when it says nothing of that value */
export function followBehaviour(
  property: PropertyAddress,
  of: PropertyAddress,
  made: (value: Value) => Value | undefined,
): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    const looks = happening.kind === "begun" || (happening.kind === "changed" && isSame(happening.where, of));
    const value = looks ? made(view.read(of)) : undefined;
    return { next: behaviour, actions: value === undefined ? [] : [{ kind: "become", where: property, value }] };
  };
  return behaviour;
}

/** A property that goes back to a value so long after it was changed last, as a motion sensor does. */
export function backBehaviour(property: PropertyAddress, to: Value, afterMs: number): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    if (happening.kind === "due") return { next: behaviour, actions: [{ kind: "become", where: property, value: to }] };
    const left =
      happening.kind === "changed" && isSame(happening.where, property) && !valuesEqual(view.read(property), to);
    return { next: behaviour, dueIn: left ? afterMs : undefined };
  };
  return behaviour;
}
