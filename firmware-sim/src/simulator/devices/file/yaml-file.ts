/** A YAML file as a person wrote it: its value, and the line of each of its parts. */
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

export type Path = readonly PropertyKey[];

/** What is wrong at one place of a file. */
export interface FileProblem {
  readonly path: Path;
  readonly text: string;
}

export interface YamlFile {
  /** As JSON would have it. */
  readonly value: unknown;
  readonly root: Node | null;
  /** Of a node of the document, counted from 1. */
  lineOf(node: Node | null | undefined): number;
}

export type ReadYaml =
  | { readonly kind: "ok"; readonly file: YamlFile }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @returns every mistake of its syntax, each with its line, when it is no YAML */
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

/** The problems in the order of their lines, each with its own: `line 7: …`. */
export function withLines({ root, lineOf }: YamlFile, problems: readonly FileProblem[]): string[] {
  const placed = problems.map(({ path, text }) => ({ line: lineOf(nodeAt(root, path)), text }));
  return [...new Set(placed.sort((a, b) => a.line - b.line).map(({ line, text }) => `line ${line}: ${text}`))];
}

/** What stands at the path; of a key that is not there, what would hold it. A key itself, not its value, tells where a value is. */
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
