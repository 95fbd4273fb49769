/** A settings file: parses YAML into values with their lines, and reports every key that the schema does not have. */
import { readFileSync } from "node:fs";
import { type Document, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { z } from "zod";
import { closestKey, unwrap } from "./notes.ts";
import type { SettingsProblem } from "./secret-files.ts";

export interface SettingsFile {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly SettingsProblem[];
  /** `FILE:LINE` of the value at a path, or of the object around it. */
  source(path: readonly PropertyKey[]): string;
}

/** Reads the file; the result contains every problem. */
export function readSettingsFile(file: string, schema: z.ZodObject): SettingsFile {
  try {
    return parseSettingsFile(file, readFileSync(file, "utf8"), schema);
  } catch (cause) {
    const message = `cannot be read (${cause instanceof Error && "code" in cause ? cause.code : cause})`;
    return { values: new Map(), problems: [{ source: file, key: "", message }], source: () => file };
  }
}

/** @param file its name, for messages */
function parseSettingsFile(file: string, text: string, schema: z.ZodObject): SettingsFile {
  const lines = new LineCounter();
  // Pretty errors would quote the line, which may contain a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const source = (path: readonly PropertyKey[]) => {
    const offset = offsetOf(document, path);
    return offset === undefined ? file : at(offset);
  };
  const values = new Map<string, unknown>();
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({ source: at(pos[0]), key: "", message }));
    return { values, problems, source };
  }
  if (document.contents === null) return { values, problems: [], source };
  if (!isMap(document.contents)) {
    const message = "the file must be a list of `key: value` lines";
    return { values, problems: [{ source: at(document.contents.range[0]), key: "", message }], source };
  }
  const root: unknown = document.toJS({ mapAsMap: false });
  for (const [key, value] of Object.entries(root ?? {})) {
    if (Object.hasOwn(schema.shape, key)) values.set(key, value);
  }
  const problems = unknownKeys(schema, root, []).map(({ path, known }) => {
    const wrong = String(path.at(-1));
    const meant = closestKey(wrong, known);
    const hint = meant ? `did you mean \`${meant}\`?` : `known here: ${known.join(", ")}`;
    return { source: source(path), key: path.join("."), message: `unknown key \`${path.join(".")}\`; ${hint}` };
  });
  return { values, problems, source };
}

interface UnknownKey {
  readonly path: readonly (string | number)[];
  readonly known: readonly string[];
}

function unknownKeys(schema: z.core.$ZodType, value: unknown, path: readonly (string | number)[]): UnknownKey[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, index) => unknownKeys(inner.element, entry, [...path, index]));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const known = Object.keys(inner.shape);
  return Object.entries(value).flatMap(([key, entry]) => {
    const below = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined;
    if (below) return unknownKeys(below, entry, [...path, key]);
    // When a schema accepts any key, the schema itself reports an invalid one.
    return isOpen(inner) ? [] : [{ path: [...path, key], known }];
  });
}

function isOpen({ def: { catchall } }: z.ZodObject): boolean {
  return catchall !== undefined && !(catchall instanceof z.ZodNever);
}

/** Offset in the text of the last key of `path`; for a missing key, that of its nearest parent. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  let node: ParsedNode | null = document.contents;
  let offset = node?.range[0];
  for (const step of path) {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return offset;
      offset = pair.key.range?.[0];
      node = pair.value;
    } else if (isSeq<ParsedNode>(node)) {
      node = node.items[Number(step)] ?? null;
      offset = node?.range[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}
