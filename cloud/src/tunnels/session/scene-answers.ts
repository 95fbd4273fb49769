/** The answer to `scene.call` taken apart: what it says of each command, as the answer to that command alone would. */
import type { CommandAnswer, SceneCallAnswer } from "@porchlight/shared/tunnel";
import type { HubCommand } from "./hub-listener.ts";

/** In the order of the commands; undefined when it is no answer to them. */
export function sceneAnswersOf(
  commands: readonly HubCommand[],
  { results }: SceneCallAnswer,
): readonly CommandAnswer[] | undefined {
  if (results.length !== commands.length) return undefined;
  const answers: CommandAnswer[] = [];
  for (const [at, { command, ...result }] of results.entries()) {
    const asked = commands[at];
    if (asked?.id !== command) return undefined;
    const { id: _id, value: requested, ...target } = asked;
    answers.push({ kind: "result", command, ...target, requested, ...result });
  }
  return answers;
}
