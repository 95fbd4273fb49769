/** What a command says: data on stdout, everything else on stderr, each in the form that its reader wants. */
import type { Clock } from "@porchlight/shared/kernel";
import { printable, safeJson } from "@porchlight/shared/model";
import { cell, field, fieldsOf, type Showing, valueAt } from "./cell.ts";
import { type Part, type Sink, styled, textOf, usesColour, written } from "./style.ts";
import { type Column, padded, tableLines, widthOf } from "./table.ts";

export interface OutputOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** `--json`. */
  readonly isJson: boolean;
  /** False with `--no-color`. */
  readonly colour: boolean;
}

/** Where a terminal does not say how wide it is. */
const USUAL_WIDTH = 80;

/** Tokens, which must not be in what is written beside the data. */
const TOKEN = /\b(plt_[a-z]+_)[0-9A-Za-z]{6,}/g;

export class Output {
  /** `--json`: for programs, with the API's own field names. */
  readonly isJson: boolean;
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean;
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.isJson = options.isJson;
    this.isTerminal = options.stdout.isTTY;
  }

  /** Columns of the terminal. */
  get width(): number {
    const { stdout, env } = this.#options;
    const told = stdout.columns ?? Number(env.COLUMNS);
    return Number.isInteger(told) && told > 0 ? told : USUAL_WIDTH;
  }

  /** How values are shown now. */
  get showing(): Showing {
    const { env, clock } = this.#options;
    const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
    return {
      now: clock.now(),
      isForPerson: this.isTerminal,
      isUnicode: locale === undefined || /utf-?8/i.test(locale),
    };
  }

  /** Whether stdout gets colour. */
  get isColoured(): boolean {
    const { stdout, env, colour } = this.#options;
    return usesColour(stdout, env, colour);
  }

  /** One line of data. Control characters in it are made harmless. */
  line(...parts: readonly Part[]): void {
    this.#options.stdout.write(`${written(parts, this.isColoured)}\n`);
  }

  /** One line that is no data. No token is ever in it. */
  note(...parts: readonly Part[]): void {
    const { stderr, env, colour } = this.#options;
    stderr.write(`${written(parts.map(masked), usesColour(stderr, env, colour))}\n`);
  }

  /** An answer that is no data: an error, as the API has it. No token is ever in it. */
  jsonNote(value: unknown): void {
    this.#options.stderr.write(`${withoutTokens(safeJson(value, 2))}\n`);
  }

  /** A whole answer, as the API has it. */
  json(value: unknown): void {
    this.#options.stdout.write(`${safeJson(value, 2)}\n`);
  }

  /** One of many, one a line (NDJSON). */
  jsonLine(value: unknown): void {
    this.#options.stdout.write(`${safeJson(value)}\n`);
  }

  /** A list: a table, fields with a tab between them in a pipe, or `{"items": […]}`. */
  list(columns: readonly Column[], items: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): void {
    if (this.isJson) this.json({ items, ...more });
    else if (this.isTerminal && items.length === 0) this.note("None found.");
    else if (this.isTerminal)
      for (const line of tableLines(columns, items, this.width, this.showing)) this.line(...line);
    else for (const item of items) this.#options.stdout.write(`${tabbed(columns, item, this.showing)}\n`);
  }

  /** One of many in a pipe: its fields with a tab between them. */
  tabbed(fields: readonly string[]): void {
    this.#options.stdout.write(`${fields.map(printable).join("\t")}\n`);
  }

  /** One thing with all its fields. */
  record(value: object): void {
    if (this.isJson) this.json(value);
    else this.#fields(fieldsOf(value));
  }

  #fields(fields: ReturnType<typeof fieldsOf>): void {
    const widest = Math.max(0, ...fields.map(([name]) => widthOf(name)));
    for (const [name, each] of fields)
      this.line(styled("dim", name), padded(name, widest + 2).slice(name.length), field(each, this.showing));
  }
}

/** A character of an answer that is a tab is written out, so that the tabs are those between the fields. */
function tabbed(columns: readonly Column[], item: unknown, showing: Showing): string {
  return columns.map(({ path }) => printable(textOf(cell(valueAt(item, path), showing)))).join("\t");
}

function masked(part: Part): Part {
  const text = withoutTokens(textOf(part));
  return typeof part === "string" ? text : styled(part.style, text);
}

/** The text with every token in it shortened to its kind. */
function withoutTokens(text: string): string {
  return text.replace(TOKEN, "$1…");
}
