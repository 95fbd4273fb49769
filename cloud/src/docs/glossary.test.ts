import { expect, test } from "vitest";
import { plainMeaning, words, wordsIn } from "./docs.ts";

test("each row of the table is a word, with an address of its own and its meaning in plain text", () => {
  const table =
    "# Glossary\n\n| word | meaning |\n|---|---|\n| node (of the cloud) | One `process`. ([T1](a.md#T1)) |\n";
  const [word, ...more] = wordsIn(table);
  expect([word, more]).toEqual([
    { id: "node-of-the-cloud", word: "node (of the cloud)", meaning: "One `process`. ([T1](a.md#T1))" },
    [],
  ]);
  expect(word && plainMeaning(word)).toBe("One process.");
});

test("the words that the portal explains are in it", async () => {
  const known = await words();
  expect(known.map(({ id }) => id)).toEqual(expect.arrayContaining(["edgeid", "lease", "agent"]));
  expect(new Set(known.map(({ id }) => id)).size).toBe(known.length);
});
