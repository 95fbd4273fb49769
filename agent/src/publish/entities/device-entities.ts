/** The entities of a device: first those of several properties, then one for each property that is left. */

import type { DeviceDescription } from "@porchlight/shared/model";
import type { PropertyTopics } from "../messages/topics.ts";
import { type ApplianceMaker, climateEntity, coverEntity, fanEntity, lockEntity, valveEntity } from "./appliances.ts";
import type { Entity, NoEntity } from "./entity.ts";
import { lightEntity } from "./lights.ts";
import { single } from "./singles.ts";
import { Unclaimed } from "./unclaimed.ts";

export interface DeviceEntities {
  readonly entities: readonly Entity[];
  /** Properties without an entity, by a name for the reason, each with how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** By the service that makes one. */
const APPLIANCES: Readonly<Record<string, ApplianceMaker>> = {
  Switch: lightEntity,
  LightLevel: lightEntity,
  Cover: coverEntity,
  Fan: fanEntity,
  Lock: lockEntity,
  Valve: valveEntity,
  Thermostat: climateEntity,
};

/** @param most entities; what comes after them has none */
export function entitiesOf(description: DeviceDescription, of: PropertyTopics, most: number): DeviceEntities {
  const unclaimed = new Unclaimed(description);
  const found: (Entity | NoEntity)[] = [];
  for (const [service, index] of unclaimed.instances) {
    const maker = Object.hasOwn(APPLIANCES, service) ? APPLIANCES[service] : undefined;
    const made = maker?.(unclaimed, index, of);
    if (made) found.push(made);
  }
  for (const property of unclaimed) found.push(single(property, of));
  const leftAside: Record<string, number> = {};
  const entities = new Map<string, Entity>();
  for (const each of found) {
    const reason = typeof each === "string" ? each : refusalOf(each, entities, most);
    if (reason) leftAside[reason] = (leftAside[reason] ?? 0) + 1;
    else if (typeof each !== "string") entities.set(`${each.component}/${each.object}`, each);
  }
  return { entities: [...entities.values()], leftAside };
}

function refusalOf(entity: Entity, others: ReadonlyMap<string, Entity>, most: number): NoEntity | undefined {
  if (others.has(`${entity.component}/${entity.object}`)) return "sameName";
  return others.size >= most ? "tooManyEntities" : undefined;
}
