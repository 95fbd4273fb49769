/** Output of the commands. Text of boards, hubs, files and other programs is untrusted, and must not move a cursor or forge a line. */
import { printable, printableLines } from "@porchlight/shared/model";

/** One line on stdout. */
export function printLine(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** One line on stderr. */
export function noteLine(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Output of another program, on stderr, with its line breaks. */
export function noteOutput(text: string): void {
  process.stderr.write(printableLines(text));
}
