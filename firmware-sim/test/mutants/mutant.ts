/** What a mutant is: a copy of a good program with one mistake, and the rule of the protocol document that the mistake breaks. */

/** Which text becomes which, each of them there exactly once. */
export type Edit = readonly [from: string, to: string];

/** One mistake of `firmware/porchlight.c`, and the edits that make it. */
export type BoardMutant = readonly [rule: string, mistake: string, ...edits: Edit[]];

/** One mistake of the agent's driver: a file from the root of the repository, and the edits that make it. */
export type HubMutant = readonly [rule: string, mistake: string, file: string, ...edits: Edit[]];

/** @throws Error when the file does not have a text exactly once: the mutant is out of date */
export function edited(source: string, edits: readonly Edit[], file: string): string {
  return edits.reduce((before, [from, to]) => {
    const parts = before.split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
    return parts.join(to);
  }, source);
}
