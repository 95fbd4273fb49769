/** What a test knows of a program that publishes discovery messages. */
import type { Discovery } from "../discovery.fixture.ts";

/** A device as the program describes it by its documentation, and what is true of that device. */
export interface Publisher {
  readonly discovery: Discovery;
  readonly edgeId: string;
  readonly about: object;
  readonly properties: Readonly<Record<string, string>>;
  /** Property, message on its topic, value. */
  readonly says: readonly (readonly [string, unknown, unknown])[];
  /** Property, value, topic, command. */
  readonly takes: readonly (readonly [string, string | number | boolean, string, unknown])[];
  /** Topic, message, whether it is there. */
  readonly isThere: readonly (readonly [string, string, boolean | undefined])[];
}
