/** Problems that a schema finds in a file, as sentences with their places. */
import { closestKey, sentence } from "@porchlight/shared/settings";
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";

type Issue = z.core.$ZodIssue;

/** The readable part, and the problems of the rest. */
export interface Salvaged<Shape> {
  readonly entry: Partial<Shape>;
  /** Keys whose values are invalid. */
  readonly broken: ReadonlySet<string>;
}

/**
 * Parses each key of an object on its own, so that an invalid value does not hide problems of the other keys.
 * @param at path of the object @param found called for each problem
 */
export function salvage<Shape extends Readonly<Record<string, z.ZodType>>>(
  schema: z.ZodObject<Shape>,
  value: unknown,
  at: Path,
  found: (problem: FileProblem) => void,
): Salvaged<z.infer<z.ZodObject<Shape>>> {
  const read = schema.safeParse(value);
  if (read.success) return { entry: read.data, broken: new Set() };
  for (const problem of schemaProblems(schema, read.error.issues, value))
    found({ ...problem, path: [...at, ...problem.path] });
  const given = isObject(value) ? value : {};
  const entry: Record<string, unknown> = {};
  const broken = new Set<string>();
  for (const [key, part] of Object.entries(schema.shape)) {
    const one = part.safeParse(given[key]);
    if (one.success) entry[key] = one.data;
    else broken.add(key);
  }
  return { entry: entry as Partial<z.infer<z.ZodObject<Shape>>>, broken };
}

/** @param value the value that the schema parsed */
function schemaProblems(schema: z.ZodType, issues: readonly Issue[], value: unknown): FileProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        text: unknownWord("key", key, keysOf(schema, issue.path)),
      }));
    if (issue.code === "invalid_union") {
      const deeper = issue.errors.filter((errors) => !errors.some(({ path }) => path.length === 0));
      const [only] = deeper;
      if (only && deeper.length === 1)
        return schemaProblems(
          schema,
          only.map((error) => ({ ...error, path: [...issue.path, ...error.path] })),
          value,
        );
    }
    const isMissing =
      (issue.code === "invalid_type" || issue.code === "invalid_union") && valueAt(value, issue.path) === undefined;
    const name = issue.path.findLast((part) => typeof part === "string");
    const text = isMissing ? "is missing" : sentence(issue);
    return { path: issue.path, text: name === undefined ? `this ${text}` : `${String(name)} ${text}` };
  });
}

/** The valid keys at a path, for suggestions. */
function keysOf(schema: z.ZodType, path: Path): readonly string[] {
  const at = path.reduce<z.ZodType | undefined>((inside, part) => stepInto(bare(inside), part), schema);
  const object = bare(at);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function stepInto(schema: z.ZodType | undefined, part: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(part)];
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

/** The schema without its default; for a union, its object. */
function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodUnion)) return schema;
  return (schema.options as readonly z.ZodType[]).map(bare).find((option) => option instanceof z.ZodObject);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, part) => (isObject(inside) ? inside[String(part)] : undefined), value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Path of a value in a YAML file, which is read with the line of each of its parts. */
export type Path = readonly PropertyKey[];

/** A problem at one place of a file. */
export interface FileProblem {
  readonly path: Path;
  readonly text: string;
}

interface YamlFile {
  /** The value in JSON types. */
  readonly value: unknown;
  readonly root: Node | null;
  /** Line of a node of the document, counted from 1. */
  lineOf(node: Node | null | undefined): number;
}

type ReadYaml =
  | { readonly kind: "ok"; readonly file: YamlFile }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @returns every syntax error with its line when the text is not YAML */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      kind: "problems",
      problems: document.errors.map(({ pos, message }) => `line ${lines.linePos(pos[0]).line}: ${message}`),
    };
  const lineOf = (node: Node | null | undefined) => lines.linePos(node?.range?.[0] ?? 0).line;
  return { kind: "ok", file: { value: document.toJS(), root: document.contents, lineOf } };
}

/** The problems in the order of their lines, each with its line: `line 7: …`. */
export function withLines({ root, lineOf }: YamlFile, problems: readonly FileProblem[]): string[] {
  const placed = problems.map(({ path, text }) => ({ line: lineOf(nodeAt(root, path)), text }));
  return [...new Set(placed.sort((a, b) => a.line - b.line).map(({ line, text }) => `line ${line}: ${text}`))];
}

/**
 * The node at the path; for a missing key, its container. Returns the key itself, not its value, because the key has the line of
 * interest.
 */
function nodeAt(root: Node | null, path: Path): Node | null {
  let at = root;
  let found = root;
  for (const part of path) {
    if (isMap<Node, Node>(at)) {
      const pair = at.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return found;
      found = pair.key;
      at = isNode(pair.value) ? pair.value : null;
    } else if (isSeq<Node>(at)) {
      const item = at.items[Number(part)];
      if (!item) return found;
      found = item;
      at = item;
    } else return found;
  }
  return found;
}

/** A sentence about an unknown word, with the most similar known one when it is close enough. */
export function unknownWord(what: string, wrong: string, known: readonly string[]): string {
  const near = closestKey(wrong, known);
  return near === undefined
    ? `${what} "${wrong}" is not known; known are ${known.join(", ")}`
    : `${what} "${wrong}" is not known: did you mean "${near}"?`;
}
