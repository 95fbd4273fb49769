/** Every way in which one module names another, read from its source. */
import { codeOf } from "./code-of.ts";

export interface Import {
  /** As written; empty for a specifier that is computed at run time, which no rule can judge. */
  readonly specifier: string;
  /** `import type` and `export type`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

const NAMES = String.raw`\{[^{}]*\}|\*(?:\s*as\s+[\w$]+)?`;
const CLAUSE = String.raw`(?:[\w$]+\s*,\s*)?(?:${NAMES}|[\w$]+)\s*from`;
const STATIC = new RegExp(
  String.raw`(?<![\w$.])(?:import|export)\s*(type\b(?!\s+from\b)(?!\s*,))?\s*(?:${CLAUSE})?\s*"(\d+)"`,
  "g",
);
const DYNAMIC = /(?<![\w$.])import\s*\(\s*(?:"(\d+)"\s*[,)])?/g;
const BESIDE = /(?<![\w$.])new\s+URL\s*\(\s*"(\d+)"\s*,\s*import\.meta\.url/g;
const REQUIRE = /(?<![\w$.])(?:createRequire|require)\s*\(/g;

export function importsOf(text: string): Import[] {
  const { code, strings } = codeOf(text);
  const found: Import[] = [];
  for (const [, type, index] of code.matchAll(STATIC)) {
    found.push({ specifier: strings[Number(index)] ?? "", typeOnly: type !== undefined });
  }
  for (const specifier of lateImportsOf(text)) found.push({ specifier, typeOnly: false });
  for (const [, index] of code.matchAll(BESIDE)) {
    const specifier = strings[Number(index)] ?? "";
    if (/\.[cm]?[jt]s$/.test(specifier)) found.push({ specifier, typeOnly: false });
  }
  for (const _ of code.matchAll(REQUIRE)) found.push({ specifier: "", typeOnly: false });
  return found;
}

/** The specifiers of `import(…)`, which are loaded on demand. Empty for one that is computed at run time. */
export function lateImportsOf(text: string): string[] {
  const { code, strings } = codeOf(text);
  return Array.from(code.matchAll(DYNAMIC), ([, index]) => (index === undefined ? "" : (strings[Number(index)] ?? "")));
}
