/** The result of one check of `doctor`, with what to do about it. */
import type { CheckResult } from "@porchlight/shared/api";
import type { Style } from "../render/style.ts";
import type { CheckName } from "./checks.ts";

/** How a result looks on a terminal. */
const RESULT_STYLES: Readonly<Record<string, Style>> = {
  ok: "green",
  warning: "yellow",
  failed: "red",
} satisfies Readonly<Record<CheckResult, Style>>;

/** A hub that is newer than this console can send a result of another name. */
export function resultStyle(result: CheckResult): Style {
  return (Object.hasOwn(RESULT_STYLES, result) ? RESULT_STYLES[result] : undefined) ?? "dim";
}

export interface Finding {
  readonly check: CheckName;
  readonly result: CheckResult;
  readonly detail: string;
  /** A command to run, or something else to do. */
  readonly cure?: string;
}

export function ok(check: CheckName, detail: string): Finding {
  return { check, result: "ok", detail };
}

export function warning(check: CheckName, detail: string, cure: string): Finding {
  return { check, result: "warning", detail, cure };
}

export function failed(check: CheckName, detail: string, cure: string): Finding {
  return { check, result: "failed", detail, cure };
}
