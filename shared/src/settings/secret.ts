/** A setting that must not be read by accident: in JSON, in a log and in `inspect` it is only a placeholder. */
import { z } from "zod";
import { type SettingNotes, setting } from "./notes.ts";

const SHOWN = "[secret]";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: only for the very call that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  /** What `console.log` and `util.inspect` show. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return SHOWN;
  }
}

/** Schema of a setting that is a {@link Secret}: any text that is not empty. */
export function secret() {
  return z
    .string()
    .min(1, "must be a text that is not empty")
    .transform((value) => new Secret(value));
}

/** A secret setting, which need not be given. @param schema of its text @param notes its `isSecret` is true when left out */
export function secretSetting(schema: z.ZodType<string, string>, notes: SettingNotes) {
  return setting(schema.transform((text) => new Secret(text)).optional(), { isSecret: true, ...notes });
}

/** Whether an address holds a password, as `user:password@` or as a parameter. */
export function hasPassword(address: string): boolean {
  return /^[a-z]+:\/\/[^/?#\s]*:[^/?#\s]*@/i.test(address) || /[?&]password=/i.test(address);
}
