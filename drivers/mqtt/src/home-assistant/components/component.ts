/** A component of Home Assistant: a function that turns an entity's options into properties. */
import type { EntityOptions } from "../entity-options.ts";
import type { Part } from "../entity-parts.ts";

/** Never throws; it records options that it cannot use. */
export type Component = (options: EntityOptions) => readonly Part[];
