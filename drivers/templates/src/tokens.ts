/** Splits a template into plain text and code, and code into tokens, which are consumed one after another. */
import { TemplateError } from "./python-values.ts";

export type Chunk =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression" | "statement"; readonly tokens: readonly Token[] };

type Token =
  | { readonly kind: "name" | "operator"; readonly text: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number"; readonly value: number; readonly isFloat: boolean };

const OPEN = /\{([{%#])([-+])?/g;
const CLOSE = { "{": "}}", "%": "%}", "#": "#}" } as const;

/** @throws TemplateError for code without an end, or with an invalid character */
export function cut(template: string): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  let trimsNext = false;
  const addText = (raw: string, trimsEnd: boolean) => {
    const begun = trimsNext ? raw.trimStart() : raw;
    const text = trimsEnd ? begun.trimEnd() : begun;
    if (text !== "") chunks.push({ kind: "text", text });
  };
  for (;;) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(template);
    if (!open) break;
    const [mark, kind = "", control] = open;
    addText(template.slice(at, open.index), control === "-");
    const from = open.index + mark.length;
    const closing = kind === "{" || kind === "%" || kind === "#" ? CLOSE[kind] : "";
    const end = kind === "#" ? template.indexOf(closing, from) : endOfCode(template, from, closing);
    if (end < 0) throw new TemplateError(`there is no ${closing}`);
    const code = template.slice(from, end);
    trimsNext = code.endsWith("-");
    if (kind !== "#") {
      const tokens = tokenize(/[-+]$/.test(code) ? code.slice(0, -1) : code);
      chunks.push({ kind: kind === "{" ? "expression" : "statement", tokens });
    }
    at = end + closing.length;
  }
  addText(template.slice(at), false);
  return chunks;
}

/** The end of the code; closing characters inside quotes do not count. */
function endOfCode(template: string, from: number, closing: string): number {
  let depth = 0;
  for (let at = from; at < template.length; at++) {
    const character = template[at] ?? "";
    if (character === "'" || character === '"') {
      at = endOfString(template, at);
      if (at < 0) return -1;
    } else if (depth === 0 && template.startsWith(closing, at)) return at;
    else if (character === "{") depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
  }
  return -1;
}

/** The index of the closing quote; negative when there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[from]) return at;
  }
  return -1;
}

const TOKEN =
  /\s+|(?<name>[A-Za-z_]\w*)|(?<based>0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)|(?<number>\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<operator>\/\/|\*\*|[=!<>]=|[-+*/%~<>()[\]{}.,:|=])/y;

/** Maximum number of tokens in one piece of code: each operator is one level deeper for the evaluator. */
const MOST_TOKENS = 1000;

function tokenize(code: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length; ) {
    if (tokens.length > MOST_TOKENS) throw new TemplateError("the code is too long");
    if (code[at] === "'" || code[at] === '"') {
      const end = endOfString(code, at);
      if (end < 0) throw new TemplateError("a text is not closed");
      tokens.push({ kind: "string", value: unescaped(code.slice(at + 1, end)) });
      at = end + 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(code);
    if (!found) throw new TemplateError(`the character ${code[at]} has no meaning here`);
    const { name, based, number, operator } = found.groups ?? {};
    if (name !== undefined) tokens.push({ kind: "name", text: name });
    if (based !== undefined) tokens.push(numberToken(Number(based), false));
    if (number !== undefined) tokens.push(numberToken(Number(number.replaceAll("_", "")), /[.eE]/.test(number)));
    if (operator !== undefined) tokens.push({ kind: "operator", text: operator });
    at += found[0].length;
  }
  return tokens;
}

function numberToken(value: number, isFloat: boolean): Token {
  if (!isFloat && !Number.isSafeInteger(value)) throw new TemplateError("the number is too large");
  return { kind: "number", value, isFloat };
}

const ESCAPED: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", f: "\f", v: "\v" },
};

function unescaped(text: string): string {
  const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;
  return text.replace(escapes, (_, byte, unit, point, octal, character) => {
    const code = octal === undefined ? Number.parseInt(byte ?? unit ?? point, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff) throw new TemplateError("there is no such character");
    if (!Number.isNaN(code)) return String.fromCodePoint(code);
    if (character === "\n") return "";
    if (character === "\\" || character === "'" || character === '"') return character;
    return ESCAPED[character] ?? `\\${character}`;
  });
}

/** Maximum nesting depth of code. */
const DEEPEST = 100;

export class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Whether the next token, or the one `ahead` of it, is this word or operator. */
  is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token !== undefined && "text" in token && token.text === text;
  }

  /** Consumes the next token when it is one of these. */
  take<Text extends string>(...texts: readonly Text[]): Text | undefined {
    const found = texts.find((text) => this.is(text));
    if (found !== undefined) this.#at += 1;
    return found;
  }

  /** Consumes the next token. @throws TemplateError when it is another one */
  expect(text: string): void {
    if (this.take(text) === undefined) throw new TemplateError(`${text} is missing before ${this.#shown()}`);
  }

  /** @throws TemplateError at the end */
  next(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw new TemplateError("something is missing at the end of the code");
    this.#at += 1;
    return token;
  }

  /** Consumes the next token when it is a string literal. */
  string(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "string") return undefined;
    this.#at += 1;
    return token.value;
  }

  /** @throws TemplateError when the next token is no name */
  name(): string {
    const token = this.next();
    if (token.kind !== "name") throw new TemplateError("a name is missing");
    return token.text;
  }

  /** @throws TemplateError when tokens are left */
  end(): void {
    if (!this.isAtEnd) throw new TemplateError(`${this.#shown()} is not allowed here`);
  }

  /** Parses nested code. @throws TemplateError when it is nested too deep */
  inside<T>(parse: () => T): T {
    if (++this.#depth > DEEPEST) throw new TemplateError("the template is nested too deep");
    const parsed = parse();
    this.#depth -= 1;
    return parsed;
  }

  #shown(): string {
    const token = this.#tokens[this.#at];
    if (!token) return "the end";
    return "text" in token ? token.text : JSON.stringify(token.value);
  }
}
