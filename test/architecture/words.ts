/** Words that name no actor, or stand for a verb of the field, in comments, identifiers and titles of tests: counted by package. */
import { codeOf } from "./code-of.ts";
import { vagueWordsIn } from "./prose.ts";
import { folderOf, isTest } from "./rules.ts";

/** A title of a test, and not a name or a value. */
const SENTENCE = /\S+ \S+ \S+/;

/**
 * Most of these words that a package may have, its tests included; "" is `test`, `bench` and the rest of the root. They may only become
 * fewer: names of the API, of metrics and of stored data keep theirs.
 */
export const MOST_VAGUE: Readonly<Record<string, number>> = {
  "": 43,
  agent: 3,
  cloud: 26,
  console: 9,
  "drivers/esphome": 6,
  "drivers/matter": 2,
  "drivers/shelly": 5,
  "drivers/zwave": 2,
  packaging: 2,
  portal: 5,
  sdk: 2,
  shared: 7,
};

/** Number of vague words of each package. */
export function vagueWords(files: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [path, text] of files) {
    const { code, strings, comments } = codeOf(text);
    const titles = isTest(path) ? strings.filter((each) => SENTENCE.test(each)) : [];
    const count = [code, ...comments, ...titles].flatMap((each) => vagueWordsIn(separated(each))).length;
    counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + count);
  }
  return counts;
}

/** The text with the words of an identifier apart. */
function separated(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_\d]/g, " ");
}
