/** Reads a scenario file: YAML in, steps out, or every mistake at once, each with its line. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import type { NodeDefinition } from "../devices/definition.ts";
import { unknownWord } from "../devices/suggestion.ts";
import { readAction, VERBS } from "./read-step.ts";
import type { ScenarioStep } from "./scenario.ts";

export type ReadScenario =
  | { readonly kind: "ok"; readonly steps: readonly ScenarioStep[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const FILE_KEYS = ["name", "steps"];
const scenarioFile = z.object({ name: z.string().optional(), steps: z.array(z.unknown()).min(1) });
/** One verb and its words: `wait: 2s`. */
const words = z.union([z.string(), z.number(), z.boolean()]);

/** @param text the file's YAML @param nodes those that it plays with */
export function readScenario(text: string, nodes: readonly NodeDefinition[]): ReadScenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (node: Node | null | undefined) => lines.linePos(node?.range?.[0] ?? 0).line;
  const [broken] = document.errors;
  if (broken) return { kind: "problems", problems: [broken.message] };
  const problems: string[] = [];
  const file = scenarioFile.safeParse(document.toJS());
  const root = document.contents;
  for (const { key } of isMap<Node>(root) ? root.items : []) {
    const name = isScalar(key) ? String(key.value) : "";
    if (!FILE_KEYS.includes(name)) problems.push(`line ${lineOf(key)}: ${unknownWord("key", name, FILE_KEYS)}`);
  }
  if (!file.success)
    problems.push(
      ...file.error.issues.map(({ path, message }) => `line 1: ${path.join(".") || "the file"}: ${message}`),
    );
  const list = isMap(root) ? root.get("steps", true) : undefined;
  const steps: ScenarioStep[] = [];
  for (const item of isSeq<Node>(list) ? list.items : []) {
    const line = lineOf(item);
    const read = readStep(item, line, nodes);
    if (typeof read === "string") problems.push(`line ${line}: ${read}`);
    else steps.push(read);
  }
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "ok", steps };
}

/** A step, or what is wrong with it. */
function readStep(item: Node, line: number, nodes: readonly NodeDefinition[]): ScenarioStep | string {
  if (!isMap<Node>(item) || item.items.length !== 1) return "a step is one verb and its words, such as wait: 2s";
  const [pair] = item.items;
  const verb = isScalar(pair?.key) ? String(pair.key.value) : "";
  // As it stands in the file: 1.0 and "on" stay what they are.
  const source = isScalar(pair?.value) ? (pair.value.source ?? pair.value.value) : undefined;
  const said = words.safeParse(source);
  if (!VERBS.includes(verb)) return unknownWord("step", verb, VERBS);
  if (!said.success) return `${verb}: its words are to stand on the same line`;
  const text = String(said.data).trim();
  const action = readAction(verb, text, nodes);
  return typeof action === "string" ? `${verb}: ${action}` : { text: `${verb} ${text}`, line, action };
}
