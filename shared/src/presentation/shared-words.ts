/** Words that the log book and the answer to `why` share: the outcomes of a command, and the caller of a scene on its hub. */

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  confirmed: "confirmed",
  rejected: "rejected by the device",
  not_sent: "not sent",
  not_applied: "not applied",
  unknown: "unknown: may have happened",
};

const CALLERS: Readonly<Record<string, string>> = {
  event: ", called by its hub for a button",
  time: ", called by its hub at a set time",
  sun: ", called by its hub for sunrise or sunset",
  api: ", called by a program at home",
};

/** Follows the name of the scene in a sentence. @param by as in the cause of a change */
export function calledAtHome(by: string | undefined): string {
  return by === undefined ? "" : (CALLERS[by] ?? `, called by its hub (${by})`);
}
