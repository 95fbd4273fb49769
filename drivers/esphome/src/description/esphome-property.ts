/** What an ESPHome device is made of, once its entities are described: properties, what each entity's state says of them, and how they are set. */
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import type { CommandOptions, EntityState, EspHomeEntity } from "../wire/messages.ts";

/** A command that sets a property. */
export interface EspHomeCommand {
  readonly options: CommandOptions;
  /**
   * Whether a state that is told after the command says that it is so; left out for what has no state: then the device confirms that it has
   * taken the command in.
   */
  readonly isSo?: ((state: EntityState) => boolean) | undefined;
}

/** What a property is bound to. */
export interface Binding {
  /** Undefined when the state says nothing of it, `null` when it says that there is no value. Never throws. */
  readonly read?: ((state: EntityState) => Value | undefined) | undefined;
  /** What a state that is an event says. */
  readonly event?: ((state: EntityState) => Value | undefined) | undefined;
  /** Left out when it cannot be set. The value fits the description. @param state the last that is known */
  readonly command?: ((value: Value, state: EntityState | undefined) => EspHomeCommand) | undefined;
}

/** A property of an entity, before it has its index. */
export interface EntityPart extends Binding {
  readonly service: string;
  readonly description: PropertyDescription;
}

export interface EspHomeProperty extends Binding {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  readonly entity: EspHomeEntity;
}

/** A device as it is described to the hub. */
export interface EspHomeDescription {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  readonly properties: readonly EspHomeProperty[];
  /** It can hurt, or let somebody in, by a part that is of no standard class. */
  readonly isSensitive: boolean;
  /** It sleeps most of the time, and is not reached then. */
  readonly sleeps: boolean;
  /** Entities that are not described, or not in full, by their type: how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** What is described of one entity. */
export interface DescribedParts {
  readonly parts: readonly EntityPart[];
  /** Whether it can do more than that. */
  readonly isPartial?: boolean | undefined;
}

/** Describes the entities of one type. */
export type EntityComponent = (entity: EspHomeEntity) => DescribedParts;

/** An entity by what a state names it with. */
export function entityKey({ type, key, deviceId }: Pick<EspHomeEntity, "type" | "key" | "deviceId">): string {
  return `${type} ${deviceId} ${key}`;
}
