/** Which field of a form an error belongs to: some errors name it by their name alone. */
import { isPorchlightError, type PorchlightErrorName } from "@porchlight/sdk";

/** What the error says, when it has one of these names; undefined otherwise. */
export function saysWhen(error: unknown, ...names: readonly PorchlightErrorName[]): string | undefined {
  return isPorchlightError(error) && names.includes(error.name) ? error.message : undefined;
}

/** The error, unless there is none, or it has one of these names and so is said at a field. */
export function unlessNamed(error: Error | null, ...names: readonly PorchlightErrorName[]): Error | undefined {
  if (error === null) return undefined;
  return isPorchlightError(error) && names.includes(error.name) ? undefined : error;
}
