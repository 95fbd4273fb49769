/** Pages for people: short sentences, plain words, a reader named at the beginning, and links that lead somewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { listModules, ROOT } from "./modules.ts";
import { anchorsOn, linksOf, SENTENCE_WORDS, sentencesOf, vagueWordsOf, wordsIn } from "./prose.ts";

const read = (path: string) => readFileSync(posix.join(ROOT, path), "utf8");
const documents = readdirSync(posix.join(ROOT, "docs"), { recursive: true })
  .map((name) => `docs/${String(name).replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".md"))
  .sort();
const atTop = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "sdk/README.md", "sdk-python/README.md"];
/** Decisions are records: they are not written again. */
const pages = [...atTop, ...documents.filter((path) => !path.startsWith("docs/adr/"))];
const linked = [...atTop, "CHANGELOG.md", ...documents];

test("every page is read", () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages).toContain("docs/operations/hub.md");
});

describe.each(pages)("%s", (path) => {
  const page = read(path);

  test(`has no sentence of more than ${SENTENCE_WORDS} words`, () => {
    expect(sentencesOf(page).filter((sentence) => wordsIn(sentence) > SENTENCE_WORDS)).toEqual([]);
  });

  test("names the actor, and uses the verbs of the field", () => {
    expect(vagueWordsOf(page)).toEqual([]);
  });
});

test.each(pages.filter((path) => !/^(?:sdk|docs\/contract)/.test(path)))("%s begins with its reader", (path) => {
  const [, beginning = ""] = read(path).split(/^# .*$/m);
  expect(beginning.split(/^## /m)[0]).toMatch(/^For [a-z]/m);
});

test.each(linked)("the links of %s lead to files and anchors that exist", (path) => {
  const broken = linksOf(read(path)).filter(({ path: to, anchor }) => {
    const target = to === "" ? path : posix.join(posix.dirname(path), to);
    if (!existsSync(posix.join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOn(read(target)).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("the tests that docs/reliability.md names exist", () => {
  const named = [
    ...read("docs/reliability.md").matchAll(
      /`((?:test|agent|cloud|shared|drivers|driver-kit|firmware-sim|packaging|portal|console)\/[\w./-]+)`/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(30);
  expect(named.flatMap(([, path = ""]) => (existsSync(posix.join(ROOT, path)) ? [] : [path]))).toEqual([]);
});

const sources = listModules();
test.each(pages)("the source files that %s names exist", (path) => {
  const named = [...read(path).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = ""]) => name);
  const isPlaceholder = (name: string) => /^(?:x\.|path\/)/.test(name);
  const exists = (name: string) =>
    existsSync(posix.join(ROOT, name)) || sources.some((source) => source.endsWith(`/${name}`));
  expect(named.filter((name) => !isPlaceholder(name) && !exists(name))).toEqual([]);
});

describe("a page is judged by", () => {
  test.each([
    ["One two. Three four.", [2, 2]],
    ["One `a b c` [two three](x.md#a-b).", [4]],
    ["- One two\n- Three\n  four five.\n\nSix.", [2, 3, 1]],
    ["| one two three |\n\n# One\n\n```sh\none two\n```\n\n    one two\n\nThree.", [1]],
    ["One, e.g. Two three (four. Five) six.", [5, 2]],
    ["Use 1.5 or v2.0. “Two” three!", [4, 2]],
  ])("its sentences: %j", (page, words) => {
    expect(sentencesOf(page).map(wordsIn)).toEqual(words);
  });

  test.each([
    ["Somebody told it. `said`", ["somebody", "told"]],
    ["| whatever |\n\n```\nnobody\n```\n\n    tells\n", ["whatever"]],
    ["[ADR](systemd-is-told.md) says it.", []],
  ])("its words: %j", (page, words) => {
    expect(vagueWordsOf(page)).toEqual(words);
  });

  test("its links and anchors", () => {
    const page = "# The `first` hour\n\n<a id='x'></a><a id=\"T5\"></a> [a](b.md#c) [d](#e) [f](https://g.h)\n";
    expect(linksOf(page)).toEqual([
      { path: "b.md", anchor: "c" },
      { path: "", anchor: "e" },
    ]);
    expect([...anchorsOn(page)]).toEqual(["the-first-hour", "T5"]);
  });
});
