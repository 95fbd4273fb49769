/** The rule for aliases (A1.1.2): the same for setting one and for referring to one. */
import { idPrefix, NamedError } from "../kernel/index.ts";
import { printable } from "../model/index.ts";

/** Longest alias, code points. */
const MAX_LENGTH = 128;
const REFUSED = /[;/?#%\p{Cc}]|^\s|\s$/u;

/** The alias in its normal form; undefined when it is not valid. */
export function normalAlias(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  const alias = text.normalize("NFC");
  if (alias === "" || REFUSED.test(alias) || idPrefix(alias) !== undefined) return undefined;
  // A code point has at most two code units, so only lengths in between need a count.
  if (alias.length > MAX_LENGTH && [...alias].length > MAX_LENGTH) return undefined;
  return alias;
}

/**
 * The `alias` of a body: undefined leaves it unchanged, null removes it.
 * @throws "Alias Invalid"
 */
export function readAlias(given: string | null | undefined): string | null | undefined {
  if (given === undefined || given === null) return given;
  const alias = normalAlias(given);
  // Checked here and not in `normalAlias`, so that references to aliases from before this rule still work.
  if (alias === undefined || printable(alias) !== alias)
    throw new NamedError(
      "Alias Invalid",
      "An alias has 1 to 128 characters. It must not contain ; / ? # % , control characters, invisible characters or marks that change the direction of text, begin or end with a space, or have the form of an ID.",
    );
  return alias;
}
