/** What an alias may be (A1.1.2): the same rule where one is given and where one is referred to. */
import { idPrefix, NamedError } from "../../kernel/index.ts";
import { printable } from "../../model/index.ts";

/** Longest alias, code points. */
const MAX_LENGTH = 128;
const REFUSED = /[;/?#%\p{Cc}]|^\s|\s$/u;

/** The alias in its normal form, or undefined when it cannot be one. */
export function normalAlias(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  const alias = text.normalize("NFC");
  if (alias === "" || REFUSED.test(alias) || idPrefix(alias) !== undefined) return undefined;
  // A code point is at most two units: only what lies between needs counting.
  if (alias.length > MAX_LENGTH && [...alias].length > MAX_LENGTH) return undefined;
  return alias;
}

/**
 * The `alias` of a body: undefined leaves it as it is, null takes it away.
 * @throws "Alias Invalid"
 */
export function readAlias(given: string | null | undefined): string | null | undefined {
  if (given === undefined || given === null) return given;
  const alias = normalAlias(given);
  // An alias of before this rule can still be referred to.
  if (alias === undefined || printable(alias) !== alias)
    throw new NamedError(
      "Alias Invalid",
      "An alias has 1 to 128 characters. It must not contain ; / ? # % , control characters, invisible characters or marks that change the direction of text, begin or end with a space, or have the form of an ID.",
    );
  return alias;
}
