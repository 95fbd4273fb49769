/** `--types`: the option for types of events, under one name in every command. */
import type { Args } from "../../session/args.ts";
import type { Option } from "../../session/command.ts";

/** @param formerNames by which the command knew it before */
export function typesOption(...formerNames: readonly string[]): Option {
  return {
    name: "types",
    value: "TYPE,…",
    summary: "Only these event types, or `prefix.*`: device.*,command.completed (all)",
    isRepeatable: true,
    ...(formerNames.length > 0 && { formerNames }),
  };
}

/** Types and patterns, from one option or several; undefined when none is given. */
export function typesOf(args: Args): readonly string[] | undefined {
  const types = args.all("types").flatMap((text) => text.split(",").map((type) => type.trim()));
  return types.length === 0 ? undefined : types;
}
