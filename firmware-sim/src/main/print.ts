/** How the commands print: text of boards, hubs, files and other programs is foreign, and nothing of it may move a cursor or forge a line. */
import { printable, printableLines } from "@porchlight/shared/model";

/** One line on stdout. */
export function printLine(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** One line on stderr. */
export function noteLine(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** What another program has written, on stderr, with its lines. */
export function noteOutput(text: string): void {
  process.stderr.write(printableLines(text));
}
