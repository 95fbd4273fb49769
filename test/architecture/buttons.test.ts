/** Buttons of one meaning have one look in the portal: each combination of variant and colour stands for a meaning, and there are no others. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);

/** Variant and colour; an empty one is not given. */
const MEANINGS: Readonly<Record<string, string>> = {
  "filled ": "the primary action of a page or dialog, of which there is one",
  "default ": "any other action",
  "subtle gray": "an action in a row, or one that only clears or shows something",
  "outline bad": "an action that destroys something, which opens a dialog",
  "subtle bad": "the same in a row",
  "filled bad": "the action of that dialog",
};
/** Where a dialog's action that destroys may stand. */
const DIALOGS = /^portal\/src\/kit\/forms\//;

const tag = /<(?:Button|ActionIcon)\b/g;

/** The opening tags of buttons in a file, whole. */
function buttonsOf(text: string): string[] {
  return [...text.matchAll(tag)].map(({ index }) => {
    let depth = 0;
    let at = index;
    for (; at < text.length && (depth > 0 || text[at] !== ">"); at += 1) {
      if (text[at] === "{") depth += 1;
      else if (text[at] === "}") depth -= 1;
    }
    return text.slice(index, at);
  });
}

/** The looks that a button can have; one whose look comes in as a property has none of its own. */
function looksOf(button: string): string[] {
  const color = /\bcolor="([^"]*)"/.exec(button)?.[1] ?? "";
  const [, fixed, chosen] = /\bvariant=(?:"([^"]*)"|\{([^}]*)\})/.exec(button) ?? [];
  const variants = chosen ? [...chosen.matchAll(/"([^"]+)"/g)].map(([, each]) => each) : [fixed ?? "filled"];
  return variants.map((variant) => `${variant} ${color}`);
}

/** The faults of a file's buttons. */
function faults(path: string, text: string): string[] {
  const looks = buttonsOf(text).flatMap(looksOf);
  const odd = looks.filter((look) => MEANINGS[look] === undefined).map((look) => `${path}: "${look}" has no meaning`);
  const destroys = looks.includes("filled bad") && !DIALOGS.test(path);
  const cancels = /^\s*Cancel\s*$/m.test(text) && /<Button[^>]*(?:setAsking|onClose|close)/.test(text);
  return [
    ...odd,
    ...(destroys ? [`${path}: filled red stands in dialogs only: use Confirm or FormModal`] : []),
    ...(cancels && !path.endsWith("/cancel-button.tsx") ? [`${path}: use CancelButton`] : []),
  ];
}

it.each([
  ['<Button color="blue" onClick={() => a > 1}>', ['a.tsx: "filled blue" has no meaning']],
  ['<Button variant={isOn ? "light" : "default"}>', ['a.tsx: "light " has no meaning']],
  ['<Button color="bad">', ["a.tsx: filled red stands in dialogs only: use Confirm or FormModal"]],
  ['<Button variant="default" onClick={onClose}>\n  Cancel\n</Button>', ["a.tsx: use CancelButton"]],
  ['<Button onClick={() => save({ color: "bad" })}>', []],
])("%s", (text, found) => {
  expect(faults("a.tsx", text)).toEqual(found);
});

it("each button of the portal has the look of its meaning", () => {
  const files = globSync("portal/src/**/*.tsx", { cwd: ROOT });
  const texts = files.map((path) => [path, readFileSync(new URL(path, ROOT), "utf8")] as const);
  expect(texts.flatMap(([, text]) => buttonsOf(text)).length).toBeGreaterThan(50);
  expect(texts.flatMap(([path, text]) => faults(path, text))).toEqual([]);
});
