/** Outcomes of a command in words: its own file because the log book and the answer to `why` share them. */
export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  confirmed: "confirmed",
  rejected: "rejected by the device",
  not_sent: "not sent",
  not_applied: "not applied",
  unknown: "unknown: may have happened",
};
