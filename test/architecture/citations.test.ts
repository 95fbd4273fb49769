/** Every rule that is cited is in the contract, under one anchor. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, citationsOf } from "./citations.ts";
import { ROOT, readModules } from "./modules.ts";

const read = (path: string): [string, string] => [path, readFileSync(join(ROOT, path), "utf8")];
const contract = ["api.md", "tunnel.md", "device-protocol.md"].flatMap((name) =>
  anchorsOf(read(`docs/contract/${name}`)[1]),
);
const documents = readdirSync(join(ROOT, "docs"), { recursive: true })
  .map((name) => `docs/${String(name)}`)
  .filter((path) => path.endsWith(".md") && !path.startsWith("docs/adr/"));
const files = [...readModules(), ...[...documents, "README.md", "CONTRIBUTING.md"].map(read)].filter(
  ([path]) => !path.startsWith("test/architecture/citations"),
);

test("the contract has each anchor once", () => {
  expect(contract.length).toBeGreaterThan(50);
  expect(contract.filter((id, at) => contract.indexOf(id) !== at)).toEqual([]);
});

test("every number that is cited exists", () => {
  const cited = files.flatMap(([path, text]) => citationsOf(path, text).numbers.map((id) => ({ path, id })));
  expect(cited.length).toBeGreaterThan(80);
  expect(cited.filter(({ id }) => !contract.includes(id))).toEqual([]);
});

test("no citation uses a number that is no anchor", () => {
  const vague = files.flatMap(([path, text]) => citationsOf(path, text).vague.map((words) => ({ path, words })));
  expect(vague).toEqual([]);
});

test.for([
  ["a.ts", "/** Pages (A1.6). */", ["A1.6"]],
  ["a.ts", "// as A3, T5 and DP1 say.", ["A3", "T5", "DP1"]],
  ["a.test.ts", 'describe("T4: presence", f);', ["T4"]],
  ["a.ts", 'const T5 = "A1.6";', []],
  ["a.md", "see [it](contract/tunnel.md#T5), A9", ["T5"]],
] as const)("in %s, %j cites %j", ([path, text, numbers]) => {
  expect(citationsOf(path, text).numbers).toEqual(numbers);
});

test.for(["contract 1.4", "the contract, section 6", "guarantee 6", "tunnel guarantees 3 and 6", "tunnel.md 5"])(
  "%j is refused",
  (words) => {
    expect(citationsOf("a.ts", `/** As ${words} says. */`).vague).toHaveLength(1);
  },
);

test("an anchor that stands twice is found", () => {
  expect(anchorsOf('<a id="A1"></a> <a id="A1.0.2"></a> <a id="A1"></a> <a id="other"></a>')).toEqual([
    "A1",
    "A1.0.2",
    "A1",
  ]);
});
