/** Output of a command: data on stdout, everything else on stderr, in the form that fits the reader. */
import type { Clock } from "@porchlight/shared/kernel";
import { printable, safeJson } from "@porchlight/shared/model";
import { cell, field, fieldsOf, type Showing, valueAt } from "./cell.ts";
import { type Part, type Sink, styled, textOf, usesColour, written } from "./style.ts";
import { type Column, padded, tableLines, widthOf } from "./table.ts";

interface OutputOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** `--json`. */
  readonly isJson: boolean;
  /** False with `--no-color`. */
  readonly colour: boolean;
}

/** Width when the terminal does not report one. */
const USUAL_WIDTH = 80;

/** Matches tokens, which must not appear in output other than data. */
const TOKEN = /\b(plt_[a-z]+_)[0-9A-Za-z]{6,}/g;

export class Output {
  /** `--json`: for programs, with the API's own field names. */
  readonly isJson: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.isJson = options.isJson;
    this.isTerminal = options.stdout.isTTY;
  }

  /** Width of the terminal, columns. */
  get width(): number {
    const { stdout, env } = this.#options;
    const reported = stdout.columns ?? Number(env.COLUMNS);
    return Number.isInteger(reported) && reported > 0 ? reported : USUAL_WIDTH;
  }

  /** How to format values now. */
  get showing(): Showing {
    const { env, clock } = this.#options;
    const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
    return {
      now: clock.now(),
      isForPerson: this.isTerminal,
      isUnicode: locale === undefined || /utf-?8/i.test(locale),
    };
  }

  /** Whether stdout supports colour. */
  get isColoured(): boolean {
    const { stdout, env, colour } = this.#options;
    return usesColour(stdout, env, colour);
  }

  /** Prints one line of data. Control characters in it are escaped. */
  line(...parts: readonly Part[]): void {
    this.#options.stdout.write(`${written(parts, this.isColoured)}\n`);
  }

  /** Prints one line that is not data. Tokens in it are shortened. */
  note(...parts: readonly Part[]): void {
    const { stderr, env, colour } = this.#options;
    stderr.write(`${written(parts.map(masked), usesColour(stderr, env, colour))}\n`);
  }

  /** Prints an answer that is not data: an error in the API's form. Tokens in it are shortened. */
  jsonNote(value: unknown): void {
    this.#options.stderr.write(`${withoutTokens(safeJson(value, 2))}\n`);
  }

  /** Prints a complete answer in the API's form. */
  json(value: unknown): void {
    this.#options.stdout.write(`${safeJson(value, 2)}\n`);
  }

  /** Prints one of many objects, one on each line (NDJSON). */
  jsonLine(value: unknown): void {
    this.#options.stdout.write(`${safeJson(value)}\n`);
  }

  /** Prints a list: a table, tab-separated fields in a pipe, or `{"items": […]}`. */
  list(columns: readonly Column[], items: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): void {
    if (this.isJson) this.json({ items, ...more });
    else if (this.isTerminal && items.length === 0) this.note("None found.");
    else if (this.isTerminal)
      for (const line of tableLines(columns, items, this.width, this.showing)) this.line(...line);
    else for (const item of items) this.#options.stdout.write(`${tabbed(columns, item, this.showing)}\n`);
  }

  /** Prints one of many objects in a pipe: its fields, separated by tabs. */
  tabbed(fields: readonly string[]): void {
    this.#options.stdout.write(`${fields.map(printable).join("\t")}\n`);
  }

  /** Prints one object with all its fields. */
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

/** Escapes a tab within a field, so that tabs only separate fields. */
function tabbed(columns: readonly Column[], item: unknown, showing: Showing): string {
  return columns.map(({ path }) => printable(textOf(cell(valueAt(item, path), showing)))).join("\t");
}

function masked(part: Part): Part {
  const text = withoutTokens(textOf(part));
  return typeof part === "string" ? text : styled(part.style, text);
}

/** The text with every token shortened to its kind. */
function withoutTokens(text: string): string {
  return text.replace(TOKEN, "$1…");
}
