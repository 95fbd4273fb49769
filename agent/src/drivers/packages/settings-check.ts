/** Settings of a package against the JSON Schema of its manifest. */
import { z } from "zod";
import { PackageUnusable } from "./manifest.ts";

/** @throws PackageUnusable when the schema is none that can be used */
export function checkedSchema(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new PackageUnusable(`\`porchlight.settings\` of its package.json is not a valid JSON Schema: ${why}`);
  }
}

/** What is wrong with the settings, in words without any value; undefined when nothing is. @throws PackageUnusable */
export function settingsProblem(
  schema: Readonly<Record<string, unknown>> | undefined,
  settings: unknown,
): string | undefined {
  if (!schema) return undefined;
  const { error } = checkedSchema(schema).safeParse(settings);
  const [issue] = error?.issues ?? [];
  return issue && `\`${issue.path.join(".") || "the whole"}\`: ${issue.message}`;
}
