/** Somebody at home: every now and then one of the things that a person does at a device. */
import { randomInteger } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Behaviour, DeviceAction, DeviceView } from "./behaviour.ts";

export type Act =
  | { readonly kind: "press" | "set"; readonly where: PropertyAddress; readonly value: Value }
  /** Turns a boolean round. */
  | { readonly kind: "toggle"; readonly where: PropertyAddress };

/**
 * @param acts one of them at a time, each equally likely
 * @param everyMs on average; never sooner than half of it, never later than one and a half
 */
export function personBehaviour(acts: readonly Act[], everyMs: number): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    if (happening.kind === "begun") return { next: behaviour, dueIn: pause(everyMs, view) };
    if (happening.kind !== "due") return { next: behaviour };
    const act = acts[randomInteger(view.random, acts.length)];
    return { next: behaviour, actions: act ? [deed(act, view)] : [], dueIn: pause(everyMs, view) };
  };
  return behaviour;
}

function pause(everyMs: number, { random }: DeviceView): number {
  return everyMs * (0.5 + random.fraction());
}

function deed(act: Act, view: DeviceView): DeviceAction {
  switch (act.kind) {
    case "press":
      return { kind: "press", where: act.where, value: act.value };
    case "set":
      return { kind: "become", where: act.where, value: act.value };
    case "toggle":
      return { kind: "become", where: act.where, value: view.read(act.where) !== true };
  }
}
