/** The results of a check of `doctor`: the same words for the agent, the console, the API and the portal, so they stand alone. */

export const CHECK_RESULTS = ["ok", "warning", "failed"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export const CHECK_RESULT_MEANINGS: Readonly<Record<CheckResult, string>> = {
  ok: "As it should be.",
  warning: "It works, but needs attention.",
  failed: "It does not work.",
};
