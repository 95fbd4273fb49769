/** Reads a scenario file: YAML in, steps out, or every mistake at once, each with its line. */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { z } from "zod";
import type { NodeDefinition } from "../devices/definition.ts";
import { salvage } from "../devices/file/schema-problems.ts";
import { unknownWord } from "../devices/file/suggestion.ts";
import { type FileProblem, readYaml, withLines } from "../devices/file/yaml-file.ts";
import { readAction, VERBS } from "./read-step.ts";
import type { ScenarioStep } from "./scenario.ts";

export type ReadScenario =
  | { readonly kind: "ok"; readonly steps: readonly ScenarioStep[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const scenarioFile = z.strictObject({ name: z.string().optional(), steps: z.array(z.unknown()).min(1) });
/** One verb and its words: `wait: 2s`. */
const words = z.union([z.string(), z.number(), z.boolean()]);

/** @param text the file's YAML @param nodes those that it plays with */
export function readScenario(text: string, nodes: readonly NodeDefinition[]): ReadScenario {
  const read = readYaml(text);
  if (read.kind === "problems") return read;
  const { file } = read;
  const problems: FileProblem[] = [];
  salvage(scenarioFile, file.value, [], (problem) => void problems.push(problem));
  const list = isMap(file.root) ? file.root.get("steps", true) : undefined;
  const steps: ScenarioStep[] = [];
  for (const [at, item] of (isSeq<Node>(list) ? list.items : []).entries()) {
    const step = readStep(item, file.lineOf(item), nodes);
    if (typeof step === "string") problems.push({ path: ["steps", at], text: step });
    else steps.push(step);
  }
  return problems.length > 0 ? { kind: "problems", problems: withLines(file, problems) } : { kind: "ok", steps };
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
  if (!said.success) return `${verb}: its words must stand on the same line`;
  const text = String(said.data).trim();
  const action = readAction(verb, text, nodes);
  return typeof action === "string" ? `${verb}: ${action}` : { text: `${verb} ${text}`, line, action };
}
