/** A setting that cannot be printed by accident: JSON, logs and `inspect` show only a placeholder. */
import { z } from "zod";
import { type SettingNotes, setting } from "./notes.ts";

const SHOWN = "[secret]";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: call it only where the value is used. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  /** The output of `console.log` and `util.inspect`. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return SHOWN;
  }
}

/** Schema of a {@link Secret} setting: any non-empty text. */
export function secret() {
  return z
    .string()
    .min(1, "must be a text that is not empty")
    .transform((value) => new Secret(value));
}

/** An optional secret setting. @param schema of its text @param notes `isSecret` defaults to true */
export function secretSetting(schema: z.ZodType<string, string>, notes: SettingNotes) {
  return setting(schema.transform((text) => new Secret(text)).optional(), { isSecret: true, ...notes });
}

/** Whether an address contains a password, as `user:password@` or as a parameter. */
export function hasPassword(address: string): boolean {
  return /^[a-z]+:\/\/[^/?#\s]*:[^/?#\s]*@/i.test(address) || /[?&]password=/i.test(address);
}
