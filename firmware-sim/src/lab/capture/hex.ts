/** Bytes out of what a person has at hand: hex with or without spaces, 0x, C arrays, escapes of a string, dumps. */

export type ReadHex =
  | { readonly kind: "ok"; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly problem: string };

/** A line of `hexdump -C`, and one of `xxd`: an offset before the bytes, letters after them. */
const HEXDUMP = /^[0-9a-f]{7,8} {1,2}((?:[0-9a-f]{2} {1,2})*[0-9a-f]{2})? *(?:\|.*\|)?$/i;
const XXD = /^[0-9a-f]{6,8}: ((?:[0-9a-f]{2,4} )*[0-9a-f]{2,4})(?: {2}.*)?$/i;

/** What a person writes between bytes. */
const BETWEEN = /[\s,;:|\-"'`{}[\]()]+/;

/** Reads the bytes of a text; the problem names the line. */
export function readHex(text: string): ReadHex {
  const bytes: number[] = [];
  const isDump = /^[0-9a-f]{7,8}(:| {1,2}[0-9a-f]{2} ).*/im.test(text) && /\|.*\||^[0-9a-f]{6,8}: /im.test(text);
  const lines = withoutComments(text).split("\n");
  for (const [at, line] of lines.entries()) {
    const plain = isDump ? dumped(line.trim()) : declared(line);
    for (const word of plain.replace(/\\x/gi, " ").split(BETWEEN)) {
      const digits = word.replace(/^0x/i, "");
      if (digits === "") continue;
      if (!/^[0-9a-f]+$/i.test(digits)) return problem(at, `"${word}" is no hex`);
      // A lone digit is a byte only where it cannot be half of one.
      if (digits.length % 2 === 1 && !/^0x.$/i.test(word)) return problem(at, `"${word}" has an odd number of digits`);
      bytes.push(...Buffer.from(digits.padStart(2, "0"), "hex"));
    }
  }
  if (bytes.length === 0) return { kind: "problem", problem: "there are no bytes" };
  return { kind: "ok", bytes: Uint8Array.from(bytes) };
}

function problem(at: number, what: string): ReadHex {
  return { kind: "problem", problem: `line ${at + 1}: ${what}` };
}

/** Comments of C as nothing; the lines stay where they are. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " ")).replace(/\/\/.*$/gm, "");
}

/** A line without the name and type of an array or a string, and without the letter of a byte string. */
function declared(line: string): string {
  return line.replace(/^.*=/, "").replace(/\bb(?=["'])/g, "");
}

function dumped(line: string): string {
  return XXD.exec(line)?.[1] ?? HEXDUMP.exec(line)?.[1] ?? (/^[0-9a-f]{7,8}$/i.test(line) ? "" : line);
}

/** Bytes as the protocol document writes them: `C0 82 0B`. */
export function spaced(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}
