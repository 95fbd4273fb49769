/** What called a scene on its hub, in words: its own file because the log book and the answer to why say the same. */
const CALLERS: Readonly<Record<string, string>> = {
  event: ", called by its hub for a button",
  time: ", called by its hub at a set time",
  sun: ", called by its hub for sunrise or sunset",
  api: ", called by a program at home",
};

/** To go behind the name of the scene. @param by as the cause of a change has it */
export function calledAtHome(by: string | undefined): string {
  return by === undefined ? "" : (CALLERS[by] ?? `, called by its hub (${by})`);
}
