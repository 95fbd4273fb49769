/**
 * Notes that a setting carries beside its schema: its flag, and its text in the operators' documents, whose tables are generated from them.
 */
import { z } from "zod";

export interface SettingNotes {
  /** What the setting means, in Markdown. */
  readonly meaning: string;
  /** Placeholder of the value in `--help`, such as `<dir>`; a setting without it has no flag. */
  readonly flag?: string;
  /** Text in `--help` when it differs from `meaning`. */
  readonly help?: string;
  /** The flag of this list is repeated once for each entry; other lists take all entries in one flag. */
  readonly isRepeatable?: boolean;
  /** The default in words, in Markdown, when the schema does not have it. */
  readonly byDefault?: string;
  /**
   * Whether a value is secret: always, or depending on its text, such as an address with a password. A secret setting also accepts a
   * file; a secret value on the command line, which every user of the machine can read, causes a warning.
   */
  readonly isSecret?: boolean | ((text: string) => boolean);
}

/** A command-line flag, in the form that the parser takes. */
export interface SettingFlag {
  /** Key of the setting. */
  readonly key: string;
  /** `--data <dir>`. */
  readonly flags: string;
  readonly help: string;
  readonly isRepeatable: boolean;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const NOTES = z.registry<SettingNotes>();

/** A setting: its schema with its notes. */
export function setting<S extends z.ZodType>(schema: S, notes: SettingNotes): S {
  NOTES.add(schema, notes);
  return schema;
}

/** The flags of the settings that have one, in the order of the schema. */
export function settingFlags(shape: Shape): SettingFlag[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const notes = NOTES.get(field);
    if (notes?.flag === undefined) return [];
    const { flag, help = notes.meaning, isRepeatable = false, isSecret } = notes;
    const elsewhere = `; a password belongs into ${variableOf(key)} or the file that ${fileVariableOf(key)} names`;
    return { key, flags: `${flagOf(key)} ${flag}`, help: isSecret ? `${help}${elsewhere}` : help, isRepeatable };
  });
}

/** @throws Error for a setting that was declared without `setting()` */
function notesOf(key: string, field: z.core.$ZodType): SettingNotes {
  const notes = NOTES.get(field);
  if (!notes) throw new Error(`the setting ${key} does not say what it means`);
  return notes;
}

/** Whether a setting is declared as secret, at least for some values. */
export function isSecretSetting(field: z.core.$ZodType): boolean {
  return Boolean(NOTES.get(field)?.isSecret);
}

/** Whether this value of the setting is secret. */
export function isSecretText(field: z.core.$ZodType, text: string): boolean {
  const { isSecret = false } = NOTES.get(field) ?? {};
  return typeof isSecret === "boolean" ? isSecret : isSecret(text);
}

/** Whether a setting consists of nested settings: such a setting can stand only in the file. */
export function isGroup(field: z.core.$ZodType): boolean {
  return unwrap(field) instanceof z.ZodObject;
}

/** Whether a setting takes several entries. */
function isList(field: z.core.$ZodType): boolean {
  const inner = unwrap(field);
  return inner instanceof z.ZodArray || (inner instanceof z.ZodUnion && inner.options.some(isList));
}

type Schema = z.core.$ZodType;

/**
 * Converts the text of a variable or flag to the type that its schema expects. Text that cannot be converted stays text, and the schema
 * rejects it. @param text as in the environment or on the command line
 */
export function coerce(schema: Schema, text: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) return number(text);
  if (inner instanceof z.ZodBoolean) return boolean(text);
  if (inner instanceof z.ZodArray) return list(text).map((entry) => coerce(inner.element, entry));
  if (inner instanceof z.ZodLiteral) return literal(inner, text);
  if (inner instanceof z.ZodUnion) return firstThatFits(inner.options, text);
  return text;
}

/** The schema without its wrappers (defaults, options, transforms and the like). */
export function unwrap(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  ) {
    return unwrap(schema.def.innerType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.def.in) : schema;
}

function number(text: string): unknown {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;
}

function boolean(text: string): unknown {
  if (text === "true") return true;
  return text === "false" ? false : text;
}

/** Splits a list at commas and line ends and trims its entries; an empty text has no entry. */
function list(text: string): string[] {
  return text.trim() === "" ? [] : text.split(/[,\n]/).map((entry) => entry.trim());
}

function literal(schema: z.ZodLiteral, text: string): unknown {
  return [...schema.values].find((value) => String(value) === text) ?? text;
}

function firstThatFits(options: readonly Schema[], text: string): unknown {
  for (const option of options) {
    const candidate = coerce(option, text);
    if (z.safeParse(option, candidate).success) return candidate;
  }
  return text;
}

const HUMP = /([a-z0-9])([A-Z])/g;

/** The environment variable of a key: `publicUrl` is `PORCHLIGHT_PUBLIC_URL`, `lan.admit` is `PORCHLIGHT_LAN_ADMIT`. */
export function variableOf(key: string): string {
  return `PORCHLIGHT_${key.replace(HUMP, "$1_$2").replace(".", "_").toUpperCase()}`;
}

/** The variable that names a file with the value of a secret: that of `smtp` is `PORCHLIGHT_SMTP_FILE`. */
export function fileVariableOf(key: string): string {
  return `${variableOf(key)}_FILE`;
}

/** The flag of a key: `publicUrl` is `--public-url`, `lan.admit` is `--lan-admit`. */
export function flagOf(key: string): string {
  return `--${key.replace(HUMP, "$1-$2").replace(".", "-").toLowerCase()}`;
}

/** The key under which the command-line parser reports a flag: `lanAdmit` for `lan.admit`. */
export function parsedFlagOf(key: string): string {
  return key.replace(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The known key that is closest to a mistyped one; undefined when none is close enough. */
export function closestKey(wrong: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  for (const key of known) {
    const distance = plain(key) === plain(wrong) ? 0 : editDistance(key.toLowerCase(), wrong.toLowerCase());
    if (distance < bestDistance) {
      best = key;
      bestDistance = distance;
    }
  }
  return best;
}

/** Normal form for comparison: `public-url`, `PUBLIC_URL` and `publicUrl` are equal in it. */
function plain(key: string): string {
  return key.replace(/[-_]/g, "").toLowerCase();
}

/** Edit distance: single characters to insert, delete, replace or swap with a neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const changed = (last[column - 1] ?? 0) + (same ? 0 : 1);
      let cost = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

const HEAD = "| setting | flag | variable | default | meaning |\n|---|---|---|---|---|\n";

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
