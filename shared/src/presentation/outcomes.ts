/** How a command ended, in words: its own file because the log book and the answer to why say the same. */
export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  confirmed: "confirmed",
  rejected: "rejected by the device",
  not_sent: "not sent",
  not_applied: "not applied",
  unknown: "unknown: may have happened",
};
