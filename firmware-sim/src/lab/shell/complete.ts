/** Completion by the tab key: a command, then a device or a property. */
import { addressKey } from "@porchlight/shared/model";
import type { DeclaredDevice } from "../conform/node-bench.ts";
import { SHELL_COMMANDS } from "./command.ts";

/** The words that can replace the last one of the line, and that last word. */
export function completions(line: string, devices: readonly DeclaredDevice[]): [string[], string] {
  const words = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const known = words.length === 1 ? Object.keys(SHELL_COMMANDS) : wordsOf(words[0] ?? "", devices);
  return [known.filter((word) => word.startsWith(last)).map((word) => `${word} `), last];
}

function wordsOf(verb: string, devices: readonly DeclaredDevice[]): string[] {
  if (!Object.hasOwn(SHELL_COMMANDS, verb)) return [];
  const { words } = SHELL_COMMANDS[verb as keyof typeof SHELL_COMMANDS];
  const places = words.includes("DEVICE") ? devices.map(({ place }) => String(place)) : [];
  const properties = words.includes("PROPERTY") ? devices.flatMap(propertyNames) : [];
  return [...places, ...new Set(properties)];
}

function propertyNames({ services }: DeclaredDevice): string[] {
  return services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => {
      const key = addressKey({ service, index, property });
      return index === "0" ? key.replace(":0.", ".") : key;
    }),
  );
}
