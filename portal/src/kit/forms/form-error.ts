/** Maps errors to form fields for errors that are identified by name alone. */
import { isPorchlightError, type PorchlightErrorName } from "@porchlight/sdk";

/** The error's message when it has one of these names; undefined otherwise. */
export function saysWhen(error: unknown, ...names: readonly PorchlightErrorName[]): string | undefined {
  return isPorchlightError(error) && names.includes(error.name) ? error.message : undefined;
}

/** The error, unless a field already shows it because it has one of these names. */
export function unlessNamed(error: Error | null, ...names: readonly PorchlightErrorName[]): Error | undefined {
  if (error === null) return undefined;
  return isPorchlightError(error) && names.includes(error.name) ? undefined : error;
}
