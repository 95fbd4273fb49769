/** Templates of Home Assistant's discovery: the part of Jinja that publishers use, evaluated within limits and without side effects. */
import type { MessageWork } from "./budget.ts";
import { type CompiledPatterns, TemplateError } from "./python-values.ts";
import { renderStatements } from "./render.ts";
import { parseStatements } from "./statements.ts";
import { cut } from "./tokens.ts";
import { unknownNames } from "./unknown-names.ts";

export type { MessageWork } from "./budget.ts";

export type CompiledTemplate = { readonly template: Template } | { readonly problem: string };
export type Rendered = { readonly text: string } | { readonly problem: string };

export interface Template {
  /**
   * Renders with these variables: `value` and `value_json`, or for a command's template `value`, `position` and the like. At most 10,000
   * steps and 16 KiB of text. Never throws.
   * @param work shared by all templates that read the same message: they share the steps
   */
  render(variables: Readonly<Record<string, unknown>>, work?: MessageWork): Rendered;
}

/** Maximum length of a template, characters. */
const LONGEST = 16 * 1024;

/** Compiles a template once. Returns a problem in words for an invalid template. Never throws. */
export function compileTemplate(text: string): CompiledTemplate {
  if (text.length > LONGEST) return { problem: `the template is longer than ${LONGEST} characters` };
  try {
    const statements = parseStatements(cut(text));
    const [unknown] = unknownNames(statements);
    if (unknown !== undefined) return { problem: unknown };
    const patterns: CompiledPatterns = new Map();
    return {
      template: {
        render: (variables, work = { steps: 0 }) =>
          tried(() => ({ text: renderStatements(statements, variables, patterns, work) })),
      },
    };
  } catch (failure) {
    return problemOf(failure);
  }
}

function tried(render: () => Rendered): Rendered {
  try {
    return render();
  } catch (failure) {
    return problemOf(failure);
  }
}

/** An error other than `TemplateError` is a mistake of the evaluator, which must not end the processing of the message. */
function problemOf(failure: unknown): { readonly problem: string } {
  if (failure instanceof TemplateError) return { problem: failure.message };
  return { problem: `the evaluator fails: ${failure instanceof Error ? failure.message : String(failure)}` };
}
