/** The caller of a scene on its hub in words: its own file because the log book and the answer to `why` share them. */
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
