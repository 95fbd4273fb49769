/** What a component of Home Assistant is here: a function that makes properties of an entity's options. */
import type { EntityOptions } from "../entities/entity-options.ts";
import type { Part } from "../entities/parts.ts";

/** Never throws; what it cannot use it notes with the options. */
export type Component = (options: EntityOptions) => readonly Part[];
