/** Templates of discovery messages, made ready once: what a message says by one, and what a command is by one. */
import type { Payload } from "../../device/payload.ts";
import { compileTemplate } from "../../template/index.ts";
import { directRead, NOT_DIRECT } from "./direct-path.ts";

/** What a message says; undefined when it says nothing. Never throws. */
export type TextReader = (payload: Payload) => string | undefined;
/** The text of a command. @throws Error when the template fails for these variables */
export type TextWriter = (variables: Readonly<Record<string, unknown>>) => string;

/** @param template undefined: the message is the value */
export function textReader(template: string | undefined): TextReader | { readonly problem: string } {
  if (template === undefined) return ({ text }) => text;
  const direct = directRead(template);
  if (!direct) return rendering(template);
  // Made when a message first needs it, which few ever do.
  let rendered: TextReader | undefined;
  return (payload) => {
    const read = direct(payload);
    if (read !== NOT_DIRECT) return read;
    rendered ??= readerOrNothing(rendering(template));
    return rendered(payload);
  };
}

function rendering(template: string): TextReader | { readonly problem: string } {
  const compiled = compileTemplate(template);
  if ("problem" in compiled) return compiled;
  return ({ text: value, json, work }) => {
    const variables = { value, entity_id: "", this: {}, ...(json === undefined ? {} : { value_json: json }) };
    const result = compiled.template.render(variables, work);
    return "text" in result ? result.text : undefined;
  };
}

function readerOrNothing(made: TextReader | { readonly problem: string }): TextReader {
  return "problem" in made ? () => undefined : made;
}

/** @param template undefined: the variable `value` is the command */
export function textWriter(template: string | undefined): TextWriter | { readonly problem: string } {
  if (template === undefined) return ({ value }) => String(value);
  const compiled = compileTemplate(template);
  if ("problem" in compiled) return compiled;
  return (variables) => {
    const result = compiled.template.render({ entity_id: "", this: {}, ...variables });
    if ("problem" in result) throw new Error(`The command's template fails: ${result.problem}`);
    return result.text;
  };
}
