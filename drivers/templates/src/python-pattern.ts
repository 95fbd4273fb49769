/**
 * Translates a regular expression of Python to RE2's syntax. The output is explicit, so that RE2 reads it exactly as this file does: a
 * brace that is no repetition becomes `\{`. Features that RE2 lacks are refused by name.
 */
import { TemplateError } from "./python-values.ts";

export interface Re2Pattern {
  readonly source: string;
  /** The number of each named group. */
  readonly names: ReadonlyMap<string, number>;
  /** Number of signs, with repetitions expanded: it bounds the size of RE2's program. */
  readonly signs: number;
}

/** Maximum number of signs of a pattern, with repetitions expanded. */
const MOST_SIGNS = 1000;
/** RE2 refuses groups that are nested deeper than this, but only after it has read them. */
const DEEPEST = 100;
const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";
const UNSUPPORTED_GROUPS: readonly (readonly [string, string])[] = [
  ["(?=", "look-ahead (?=…)"],
  ["(?!", "look-ahead (?!…)"],
  ["(?<=", "look-behind (?<=…)"],
  ["(?<!", "look-behind (?<!…)"],
  ["(?P=", "a back reference (?P=…)"],
  ["(?P>", "a recursive group"],
  ["(?>", "an atomic group (?>…)"],
  ["(?(", "a conditional group (?(…)…)"],
];

/** @throws TemplateError for an invalid pattern, for a feature that RE2 lacks, and for a pattern that is too long when expanded */
export function inRe2(pattern: string): Re2Pattern {
  return new Translation(pattern).whole();
}

function invalid(): TemplateError {
  return new TemplateError("the pattern is not valid");
}

function unsupported(what: string): TemplateError {
  return new TemplateError(`the pattern has ${what}, which is not supported`);
}

class Translation {
  readonly #pattern: string;
  readonly #names = new Map<string, number>();
  #at = 0;
  #groups = 0;
  #depth = 0;
  #source = "";

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): Re2Pattern {
    // Flags for the whole pattern stand at its start.
    const flags = this.#take(/\(\?([aiLmsux]+)\)/y)?.[1];
    if (flags !== undefined) this.#source += flagged(flags, ")");
    const signs = this.#alternatives();
    if (this.#at < this.#pattern.length) throw invalid();
    return { source: this.#source, names: this.#names, signs };
  }

  /** Reads up to the closing bracket or the end. Returns the number of signs. */
  #alternatives(): number {
    let signs = 1;
    /** Signs of the item that a repetition here would repeat; zero where there is nothing to repeat. */
    let last = 0;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ")") {
      if (this.#take(/\(\?#[^)]*\)/y)) continue;
      const times = this.#repetition();
      if (times === undefined) {
        last = this.#one();
        signs += Math.max(1, last);
      } else {
        if (last === 0) throw invalid();
        signs += last * (times - 1);
        last = 0;
      }
      if (signs > MOST_SIGNS) throw new TemplateError("the pattern is too long");
    }
    return signs;
  }

  /**
   * The maximum number of repetitions, or the number just above the minimum when there is no maximum; undefined when no repetition stands
   * here.
   */
  #repetition(): number | undefined {
    const found = this.#take(/(?:[*+?]|\{(?!\})(\d*)(,?)(\d*)\})([?+]?)/y);
    if (!found) return undefined;
    const [whole = "", least = "", comma, most = "", mode = ""] = found;
    if (mode === "+") throw unsupported("a possessive repetition");
    if (!whole.startsWith("{")) {
      this.#source += whole;
      return 2;
    }
    const from = Number(least);
    const to = comma === "" ? from : most === "" ? undefined : Number(most);
    if (to !== undefined && to < from) throw invalid();
    this.#source += `{${from},${to ?? ""}}${mode}`;
    return Math.max(1, to ?? from + 1);
  }

  /** Reads one item and returns its signs; zero for an anchor or `|`, which cannot be repeated. */
  #one(): number {
    if (this.#take(/[|^$]/y, (sign) => sign)) return 0;
    if (this.#pattern.startsWith("\\", this.#at)) return this.#escape();
    if (this.#take(/\[/y)) return this.#set();
    if (this.#pattern.startsWith("(", this.#at)) return this.#group();
    const [character = ""] = this.#take(/[\s\S]/uy) ?? [];
    this.#source += /[{}\]]/.test(character) ? `\\${character}` : character;
    return 1;
  }

  #group(): number {
    for (const [start, what] of UNSUPPORTED_GROUPS)
      if (this.#pattern.startsWith(start, this.#at)) throw unsupported(what);
    const found = this.#take(/\((?:\?(?:P<([A-Za-z_]\w*)>|([aiLmsux]*(?:-[imsx]+)?):))?(?!\?)/y);
    if (!found) throw invalid();
    const [, name, flags] = found;
    if (flags === undefined) {
      this.#groups += 1;
      if (name !== undefined && this.#names.has(name)) throw invalid();
      if (name !== undefined) this.#names.set(name, this.#groups);
      this.#source += "(";
    } else this.#source += flagged(flags, ":");
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new TemplateError("the pattern is nested too deep");
    const signs = this.#alternatives();
    if (!this.#take(/\)/y, (sign) => sign)) throw invalid();
    this.#depth -= 1;
    return signs + 2;
  }

  #set(): number {
    const from = this.#source.length;
    this.#source += "[";
    this.#take(/\^/y, (sign) => sign);
    // A closing bracket at the start of a set is one of its characters.
    this.#take(/\]/y, () => "\\]");
    while (!this.#take(/\]/y, (sign) => sign)) {
      if (this.#pattern.startsWith("\\", this.#at)) this.#escapeInSet();
      else if (!this.#take(/\[/y, () => "\\[") && !this.#take(/[\s\S]/uy, (sign) => sign)) throw invalid();
    }
    return this.#source.length - from;
  }

  #escape(): number {
    if (this.#take(/\\[AbB]/y, (sign) => sign) || this.#take(/\\Z/y, () => "\\z")) return 0;
    if (/^\\(?:[1-9](?![0-7]{2})|[89])/.test(this.#pattern.slice(this.#at))) throw unsupported("a back reference");
    if (this.#take(/\\s/y, () => `[${SPACES}]`) || this.#take(/\\S/y, () => `[^${SPACES}]`)) return 1;
    this.#character();
    return 1;
  }

  #escapeInSet(): void {
    if (this.#take(/\\b/y, () => "\\x08") || this.#take(/\\s/y, () => SPACES)) return;
    // RE2's `[^\S]` has fewer spaces than Python's.
    if (this.#take(/\\S/y, (sign) => sign)) return;
    this.#character();
  }

  /** Reads a character by its number or letter, or a class of characters. */
  #character(): void {
    const isTaken =
      this.#take(/\\[dDwWafnrtv]/y, (sign) => sign) ||
      this.#take(/\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y, (sign) => `\\x{${sign.slice(2)}}`) ||
      this.#take(
        /\\(?:0[0-7]{0,2}|[1-3][0-7]{2})/y,
        (sign) => `\\x{${Number.parseInt(sign.slice(1), 8).toString(16)}}`,
      ) ||
      this.#take(/\\[^A-Za-z\d]/uy, (sign) => (/[!-/:-@[-`{-~]$/.test(sign) ? sign : sign.slice(1)));
    if (!isTaken) throw invalid();
  }

  /** Consumes a match at the current position, and appends its RE2 form. */
  #take(sticky: RegExp, written: (found: string) => string = () => ""): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#pattern) ?? undefined;
    if (!found) return undefined;
    this.#at += found[0].length;
    this.#source += written(found[0]);
    return found;
  }
}

/** RE2 supports three of Python's flags; `a` and `u` have no effect here. */
function flagged(flags: string, end: string): string {
  if (/[xL]/.test(flags)) throw unsupported("a flag x or L");
  const [on = "", off] = flags.split("-");
  const known = on.replace(/[au]/g, "");
  if (known === "" && off === undefined) return end === ":" ? "(?:" : "";
  return `(?${known}${off === undefined ? "" : `-${off}`}${end}`;
}
