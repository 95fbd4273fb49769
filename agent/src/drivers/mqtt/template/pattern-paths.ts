/** In how many ways a regular expression can try to match from one place of a text: an estimate from above, without running it. */

/** Largest number in braces, and most signs that a pattern is long when its repetitions are written out. */
const MOST_REPEATED = 100;
const MOST_SIGNS = 1000;

interface Part {
  /** In how many ways it can match. Infinite where it grows with each character of the text. */
  readonly ways: number;
  /** Signs, with repetitions written out. */
  readonly signs: number;
}

const EMPTY: Part = { ways: 1, signs: 0 };
const SIGN: Part = { ways: 1, signs: 1 };

/**
 * A repetition of what matches in one way multiplies the ways by the length of the text; an alternative adds its own. A repetition of
 * what matches in several ways, and a reference to a group, count as infinite.
 * @param length of the text, characters
 */
export function pathsOf(pattern: string, length: number): number {
  const { ways, signs } = new PatternReader(pattern, length).alternatives();
  return signs > MOST_SIGNS ? Number.POSITIVE_INFINITY : ways;
}

class PatternReader {
  readonly #pattern: string;
  readonly #length: number;
  #at = 0;

  constructor(pattern: string, length: number) {
    this.#pattern = pattern;
    this.#length = length;
  }

  /** Until the bracket that closes, or the end. */
  alternatives(): Part {
    let all: Part | undefined;
    let branch = EMPTY;
    const close = () => (all ? { ways: all.ways + branch.ways, signs: all.signs + branch.signs } : branch);
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ")") {
      if (this.#take(/\|/y)) {
        all = close();
        branch = EMPTY;
      } else branch = inSequence(branch, this.#repeated(this.#one()));
    }
    return close();
  }

  #one(): Part {
    if (this.#take(/\\(?:[1-9]|k)/y)) return { ways: Number.POSITIVE_INFINITY, signs: 1 };
    // The first bracket in a set of characters can be one of them, as Python has it.
    if (this.#take(/\\[\s\S]?/y) || this.#take(/\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]?/y)) return SIGN;
    if (this.#take(/\((?:\?(?:P?<\w+>|<?[=!]|[a-zA-Z-]*:))?/y)) {
      const inside = this.alternatives();
      this.#at += 1;
      return inside;
    }
    this.#at += 1;
    return SIGN;
  }

  #repeated(part: Part): Part {
    const found = this.#take(/(?:[*+?]|\{(\d*)(,?)(\d*)\})[?+]?/y);
    if (!found) return part;
    const [sign = "", least = "", comma, most = ""] = found;
    if (sign.startsWith("?")) return { ways: part.ways + 1, signs: part.signs };
    if (sign.startsWith("{"))
      return this.#counted(
        part,
        Number(least),
        comma === "" ? Number(least) : Number(most || Number.POSITIVE_INFINITY),
      );
    return this.#counted(part, 0, Number.POSITIVE_INFINITY);
  }

  #counted({ ways, signs }: Part, least: number, most: number): Part {
    const isBounded = Number.isFinite(most);
    if (least > MOST_REPEATED || (isBounded && most > MOST_REPEATED)) return { ways: Number.POSITIVE_INFINITY, signs };
    const written = { signs: signs * Math.max(1, isBounded ? most : least) };
    if (ways > 1) return { ways: isBounded ? (ways + 1) ** most : Number.POSITIVE_INFINITY, ...written };
    return { ways: isBounded ? Math.max(1, most - least + 1) : this.#length + 1, ...written };
  }

  /** Takes what matches here. */
  #take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#pattern) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }
}

function inSequence(a: Part, b: Part): Part {
  return { ways: a.ways * b.ways, signs: a.signs + b.signs };
}
