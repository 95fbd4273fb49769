/** A compiled regular expression, apart from what compiles it: values know the type, and patterns need values. */
import type { RE2JS } from "re2js";

export interface CompiledPattern {
  readonly expression: RE2JS;
  /** The number of each named group. */
  readonly names: ReadonlyMap<string, number>;
  /** How far beyond its end a match can have looked, characters. */
  readonly reach: number;
}

/** Patterns of one template, ready for its next message. */
export type CompiledPatterns = Map<string, CompiledPattern>;
