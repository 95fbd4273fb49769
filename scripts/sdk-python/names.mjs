// Names and lines of Python: its own file because types and operations are written with the same ones.

/** Longest line of the client's Python files. */
const LINE = 120;

/** Words of the language, which are no names in it. */
export const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** `listDevices` as `list_devices`, `x-current-password` as `current_password`, and `from`, a word of the language, as `from_`. */
export function snake(name) {
  const plain = name
    .replace(/^x-/, "")
    .replaceAll("-", "_")
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/^_/, "");
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
}

/** `listDevices` as `ListDevices`. */
export function pascal(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * What goes between the brackets on one line where it fits, and otherwise each part on a line of its own.
 * @param parts each a text, or `{ before, parts, after }` with brackets of its own
 */
export function bracketed(before, parts, after, indent, end = "") {
  const line = `${indent}${before}${parts.map(flat).join(", ")}${after}${end}`;
  if (line.length <= LINE) return [line];
  const inner = `${indent}    `;
  const lines = parts.flatMap((part) =>
    typeof part === "string" ? [`${inner}${part},`] : bracketed(part.before, part.parts, part.after, inner, ","),
  );
  return [`${indent}${before}`, ...lines, `${indent}${after}${end}`];
}

function flat(part) {
  return typeof part === "string" ? part : `${part.before}${part.parts.map(flat).join(", ")}${part.after}`;
}

/** A comment over as many lines as it takes. */
export function comment(text, indent) {
  return wrapped(text, LINE - indent.length - 2).map((line) => `${indent}# ${line}`);
}

/** @returns lines of a doc string, with the quotes */
export function docString(paragraphs, indent) {
  const [first = [], ...rest] = paragraphs.map((text) => wrapped(escaped(text), LINE - indent.length - 6));
  if (rest.length === 0 && first.length === 1) return [`${indent}"""${first[0]}"""`];
  const more = rest.flatMap((lines) => ["", ...lines]);
  const [head, ...tail] = [...first, ...more, '"""'];
  return [`${indent}"""${head}`, ...tail.map((line) => (line === "" ? "" : `${indent}${line}`))];
}

function escaped(text) {
  return text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
}

function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    if (lines[last] === "") lines[last] = word;
    else if (lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
