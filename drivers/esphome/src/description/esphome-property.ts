/** Properties of a described ESPHome device: how each is read from an entity's state, and the command that sets it. */
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import type { CommandOptions, EntityState, EspHomeEntity } from "../wire/messages.ts";

/** A command that sets a property. */
export interface EspHomeCommand {
  readonly options: CommandOptions;
  /**
   * Whether a state reported after the command confirms it. Left out for an entity without a state; then the device only confirms that it
   * has received the command.
   */
  readonly isSo?: ((state: EntityState) => boolean) | undefined;
}

/** Connects a property to its entity. */
export interface Binding {
  /** Undefined when the state does not contain the property, `null` when it has no value. Never throws. */
  readonly read?: ((state: EntityState) => Value | undefined) | undefined;
  /** Value of a state that is an event. */
  readonly event?: ((state: EntityState) => Value | undefined) | undefined;
  /** Left out for a read-only property. The value has already been validated against the description. @param state the last known one */
  readonly command?: ((value: Value, state: EntityState | undefined) => EspHomeCommand) | undefined;
}

/** A property of an entity before it gets its index. */
export interface EntityPart extends Binding {
  readonly service: string;
  readonly description: PropertyDescription;
}

export interface EspHomeProperty extends Binding {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  readonly entity: EspHomeEntity;
}

/** A device as described to the hub. */
export interface EspHomeDescription {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  readonly properties: readonly EspHomeProperty[];
  /** A part without a standard class can injure people or admit intruders. */
  readonly isSensitive: boolean;
  /** It sleeps most of the time, and cannot be reached then. */
  readonly sleeps: boolean;
  /** Number of entities that are not described, or only in part, by type. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Properties of one entity. */
export interface DescribedParts {
  readonly parts: readonly EntityPart[];
  /** Whether the entity has functions that are not described. */
  readonly isPartial?: boolean | undefined;
}

/** Describes the entities of one type. */
export type EntityComponent = (entity: EspHomeEntity) => DescribedParts;

/** Key of an entity, from the fields that identify it in a state. */
export function entityKey({ type, key, deviceId }: Pick<EspHomeEntity, "type" | "key" | "deviceId">): string {
  return `${type} ${deviceId} ${key}`;
}
