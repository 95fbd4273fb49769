/** Passwords that everybody who guesses tries first: its own file because the list has a source, and its rules are about that list. */
import { readFileSync } from "node:fs";

const LIST = new URL("common-passwords.txt", import.meta.url);
/** What stands around a common word, such as a year and an exclamation mark, adds little up to so many characters. */
const MOST_AROUND = 5;

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ "@": "a", "4": "a", "0": "o", "1": "i", "!": "i", "3": "e", $: "s", "5": "s", "7": "t" },
};

export class CommonPasswords {
  #read: ReadonlySet<string> | undefined;

  /** Read when the first password is set: some milliseconds, which no start has to wait for. */
  get #list(): ReadonlySet<string> {
    this.#read ??= new Set(readFileSync(LIST, "utf8").split("\n").filter(isWord));
    return this.#read;
  }

  /** Whether it is a common one, also with something around it, with signs in place of letters, or several times over. */
  has(password: string): boolean {
    const folded = password.normalize("NFKC").toLowerCase();
    return this.#isListed(folded) || this.#isRepeated(folded) || isSequence(folded);
  }

  #isListed(folded: string): boolean {
    if (this.#list.has(folded)) return true;
    const inner = innerOf(folded);
    return folded.length - inner.length <= MOST_AROUND && this.#list.has(core(folded));
  }

  #isRepeated(folded: string): boolean {
    // A text that is a piece several times over is found in its own double before its end.
    const piece = folded.slice(0, (folded + folded).indexOf(folded, 1));
    if (piece.length === folded.length) return false;
    return piece.length < 6 || this.#isListed(piece);
  }
}

function isWord(line: string): boolean {
  return line !== "" && !line.startsWith("#");
}

/** As the list has it: what stands between the first and the last letter, with letters for what looks like one. */
function core(folded: string): string {
  return innerOf(folded).replaceAll(/[^a-z]/g, (sign) => LOOKS_LIKE[sign] ?? sign);
}

function innerOf(folded: string): string {
  return folded.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
}

/** `0123456789`, `zyxwvutsrq`: each character is one after the one before it, or each is one before. */
function isSequence(folded: string): boolean {
  const codes = [...folded].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
