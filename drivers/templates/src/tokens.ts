/** The tokens of one piece of code, consumed one after another. */
import type { Token } from "./lexer.ts";
import { TemplateError } from "./python-values.ts";

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
