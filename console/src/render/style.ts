/** Styled text, kept apart from its control sequences until output, so that only this file can produce them. */
import { printable } from "@porchlight/shared/model";

/** SGR parameters: on and off. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
} as const;

export type Style = keyof typeof STYLES;

interface Styled {
  readonly style: Style;
  readonly text: string;
}

/** A piece of a line: text from any source, or styled text. */
export type Part = string | Styled;

export function styled(style: Style, text: string): Styled {
  return { style, text };
}

export function textOf(part: Part): string {
  return typeof part === "string" ? part : part.text;
}

/** The line for output; unprintable characters are escaped. */
export function written(parts: readonly Part[], inColour: boolean): string {
  return parts
    .map((part) => {
      const text = printable(textOf(part));
      if (typeof part === "string" || !inColour || text === "") return text;
      const [on, off] = STYLES[part.style];
      return `\u001b[${on}m${text}\u001b[${off}m`;
    })
    .join("");
}

/** A destination of text. */
export interface Sink {
  readonly isTTY: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): void;
  /** Calls `listener` whenever the terminal's size changes. @returns a function that stops it */
  onResize?(listener: () => void): () => void;
}

/** Whether a sink gets colour (no-color.org, force-color.org). @param asked false with `--no-color` */
export function usesColour(sink: Sink, env: Readonly<Record<string, string | undefined>>, asked: boolean): boolean {
  if (!asked || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return env.FORCE_COLOR !== "0";
  return sink.isTTY && env.TERM !== "dumb";
}
