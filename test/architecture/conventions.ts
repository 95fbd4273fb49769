/** Conventions that no linter checks: how long a file is, how it opens, and where it gets time and chance from. */
import { posix } from "node:path";
import { codeOf } from "./code-of.ts";
import { importsOf, lateImportsOf } from "./imports-of.ts";

const MOST_LINES = 450;

/** Why a file is too long; undefined when it is not. */
export function sizeProblem(text: string): string | undefined {
  const lines = linesOf(text);
  if (lines <= MOST_LINES) return undefined;
  return `${lines} lines: a file past ${MOST_LINES} is two ideas, and a reader holds one; divide it where its first sentence has "and"`;
}

/** A file of fewer lines stands in the only file that uses it, if that is in the same folder. */
const FEWEST_LINES = 60;

/**
 * Files that belong into another, as `FILE belongs into FILE`: fewer than 60 lines, and imported by one file of the same folder only.
 * @param files production code by its path
 */
export function filesThatBelongInto(files: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, Set<string>>();
  const loadedLate = new Set<string>();
  for (const [path, text] of files) {
    const late = new Set(lateImportsOf(text));
    for (const { specifier } of importsOf(text)) {
      if (!specifier.startsWith(".")) continue;
      const target = posix.join(posix.dirname(path), specifier);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
      if (late.has(specifier)) loadedLate.add(target);
    }
  }
  const found: string[] = [];
  for (const [path, text] of files) {
    const [only, ...more] = importers.get(path) ?? [];
    if (only === undefined || more.length > 0 || posix.dirname(only) !== posix.dirname(path)) continue;
    if (/\/(?:index|main)\.tsx?$/.test(only) || loadedLate.has(path)) continue;
    const lines = linesOf(text);
    if (lines < FEWEST_LINES && lines + linesOf(files.get(only) ?? "") <= MOST_LINES)
      found.push(`${path} belongs into ${only}`);
  }
  return found;
}

const linesOf = (text: string): number => text.split("\n").length - 1;

/** Why the first line is not one; undefined when it is. */
export function openingProblem(text: string): string | undefined {
  const lines = text.split("\n");
  const first = lines[0]?.startsWith("#!") ? lines[1] : lines[0];
  if (first?.startsWith("/**")) return undefined;
  return "opens without a doc comment: its first sentence states what the file is and why it is its own";
}

/** What takes time or chance past the Clock and Random that are handed in, so that a virtual clock could not move it. */
const TIME_AND_CHANCE: readonly RegExp[] = [
  /(?<![\w$.])Date\b(?!\s*[?:])/g,
  /(?<![\w$.])(?:globalThis\s*\.\s*)?(?:setTimeout|setInterval)\b/g,
  /(?<![\w$.])performance\b(?!\s*[?:])/g,
  /\bMath\s*\.\s*random\b/g,
  /\bAbortSignal\s*\.\s*timeout\b/g,
  /\bprocess\s*\.\s*(?:hrtime|uptime)\b/g,
  /\b(?:randomBytes|randomInt|randomUUID|randomFillSync|getRandomValues)\b/g,
];
const TIMED_MODULES = /^node:(?:timers(?:\/promises)?|perf_hooks)$/;

/** Every place of a source that takes time or chance for itself, as `LINE: WORD`. */
export function timeAndChance(text: string): string[] {
  const { code, strings } = codeOf(text);
  const found: string[] = strings.filter((each) => TIMED_MODULES.test(each)).map((each) => `imports ${each}`);
  for (const pattern of TIME_AND_CHANCE) {
    for (const match of code.matchAll(pattern)) {
      found.push(`${code.slice(0, match.index).split("\n").length}: ${match[0]}`);
    }
  }
  return found;
}

/** Whether a source reads across tenants, through `store.service` or `store.gathered`. */
export function readsAcrossTenants(text: string): boolean {
  return /\bstore\s*\.\s*(service|gathered)\b/i.test(codeOf(text).code);
}
