/** The tables of settings in the operators' pages, generated from the schemas. */
import { z } from "zod";
import { fileVariableOf, flagOf, isGroup, isList, notesOf, variableOf } from "./notes.ts";

const HEAD = "| setting | flag | variable | default | meaning |\n|---|---|---|---|---|\n";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Replaces the table of these settings in a document, between its marks `<!-- settings: NAME -->` and `<!-- end: NAME -->`.
 * @throws Error when the document lacks the marks, or a setting has no meaning text
 */
export function withSettingsTable(document: string, name: string, shape: Shape): string {
  const [begin, end] = [`<!-- settings: ${name} -->\n`, `<!-- end: ${name} -->\n`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the document has no table between the marks of ${name}`);
  return `${document.slice(0, from)}${begin}\n${settingsTable(shape)}\n${document.slice(to)}`;
}

function settingsTable(shape: Shape): string {
  const rows = Object.entries(shape).map(([key, field]) => {
    const { meaning, flag, isRepeatable, byDefault, isSecret } = notesOf(key, field);
    const separator = isList(field) ? ", separated by commas" : "";
    const flagCell = flag === undefined ? "" : `\`${flagOf(key)}\`${isRepeatable ? ", several times" : separator}`;
    // A variable cannot hold a setting that consists of settings.
    const fileCell = isSecret ? `, or \`${fileVariableOf(key)}\` for [a file](settings.md#secrets)` : "";
    const variableCell = isGroup(field) ? "" : `\`${variableOf(key)}\`${separator}${fileCell}`;
    return [`\`${key}\``, flagCell, variableCell, byDefault ?? defaultOf(field), meaning];
  });
  return [HEAD, ...rows.map(tableRow)].join("");
}

function tableRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}\n`;
}

function defaultOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodOptional) return "none";
  if (!(field instanceof z.ZodDefault)) return "needed";
  const { defaultValue } = field.def;
  if (typeof defaultValue === "object") return "none";
  return typeof defaultValue === "number" ? String(defaultValue) : `\`${String(defaultValue)}\``;
}
