import { describe, expect, test } from "vitest";
import { Budget } from "./budget.ts";
import { compileTemplate } from "./index.ts";
import { PYTHON_ANSWERS } from "./python-patterns.fixture.ts";
import { type Pattern, patternOf, replacedMatches } from "./regular-expressions.ts";

const budget = () => new Budget(new Map(), { steps: 0 });

function findingsOf(pattern: Pattern, text: string) {
  return [...pattern.matches(text)].map(({ whole, groups }) => {
    const parts = groups.map((part) => part ?? "");
    return parts.length > 1 ? parts : (parts[0] ?? whole);
  });
}

test.for(PYTHON_ANSWERS)("$pattern finds in $text what Python finds", ({ pattern, ignoresCase, text, ...answers }) => {
  const anywhere = patternOf(pattern, { isAnchored: false, ignoresCase, budget: budget() });
  const atStart = patternOf(pattern, { isAnchored: true, ignoresCase, budget: budget() });
  expect({
    isMatch: atStart.test(text),
    all: findingsOf(anywhere, text),
    replaced: replacedMatches(text, anywhere, "<\\g<0>>"),
  }).toEqual(answers);
});

describe("what RE2 does not have is refused by its name", () => {
  test.for([
    ["a(?=b)", "look-ahead (?=…)"],
    ["a(?!b)", "look-ahead (?!…)"],
    ["(?<=a)b", "look-behind (?<=…)"],
    ["(?<!a)b", "look-behind (?<!…)"],
    ["(a)\\1", "a back reference"],
    ["(?P<x>a)(?P=x)", "a back reference (?P=…)"],
    ["(?>a)", "an atomic group (?>…)"],
    ["(a)?(?(1)b|c)", "a conditional group (?(…)…)"],
    ["a++", "a possessive repetition"],
    ["(?x)a", "a flag x or L"],
  ] as const)("%s", ([pattern, what]) => {
    expect(() => patternOf(pattern, { isAnchored: false, ignoresCase: false, budget: budget() })).toThrow(
      `the pattern has ${what}, which is not supported`,
    );
  });

  test("in the words of the status, when the template is compiled", () => {
    expect(compileTemplate("{{ value is match('(?!a)b') }}")).toEqual({
      problem: "the pattern has look-ahead (?!…), which is not supported",
    });
    expect(compileTemplate("{{ value | regex_replace(find='a(?=b)', replace='') }}")).toEqual({
      problem: "the pattern has look-ahead (?=…), which is not supported",
    });
  });
});

test.for([
  "(",
  ")",
  "[a",
  "a{3,2}",
  "*a",
  "^*",
  "a**",
  "\\Q",
  "\\pL",
  "\\z",
  "a(?i)b",
  "(?P<1>a)",
  "(?P<a>a)(?P<a>b)",
  "(?<a>b)",
  "\\x6",
])("%s is no pattern, as for Python", (pattern) => {
  expect(() => patternOf(pattern, { isAnchored: false, ignoresCase: false, budget: budget() })).toThrow(
    "the pattern is not valid",
  );
});

describe("a pattern that another engine would try for ever takes the steps of its program and text", () => {
  test.for([
    "(?:(?:a+)+){}",
    "(a+)+$",
    "(?:(?:a+)+)+$",
    "(?:a|a)+$",
    "(a*)*b",
    "(a|aa)+$",
    "(?:a?){30}a{30}$",
    "(.*)(.*)(.*)(.*)(.*)b",
    "(?P<x>a+)+(?:b|)+$",
  ])("%s", (pattern) => {
    const work = { steps: 0 };
    const use = { isAnchored: false, ignoresCase: false, budget: new Budget(new Map(), work) };
    expect(patternOf(pattern, use).test(`${"a".repeat(60)}!`)).toBe(false);
    expect(work.steps).toBeLessThan(600);
  });

  test("and all its matches are paid for, each with what it may have looked at", () => {
    const work = { steps: 0 };
    const use = { isAnchored: false, ignoresCase: false, budget: new Budget(new Map(), work) };
    const pattern = patternOf("a.*b|a", use);
    expect(() => [...pattern.matches("a".repeat(2000))]).toThrow("the template takes more than 10000 steps");
    expect(findingsOf(patternOf("a", { ...use, budget: budget() }), "a".repeat(2000))).toHaveLength(2000);
  });
});

test("a pattern is compiled once for all messages of its template", () => {
  const compiled = compileTemplate("{{ value | regex_replace('[^a-z]+', '') }}");
  const [first, second] = [{ steps: 0 }, { steps: 0 }];
  if (!("template" in compiled)) throw new Error(compiled.problem);
  expect(compiled.template.render({ value: "a1b" }, first)).toEqual({ text: "ab" });
  expect(compiled.template.render({ value: "c2d" }, second)).toEqual({ text: "cd" });
  expect(second.steps).toBeLessThan(first.steps - 20);
});

test("templates that read one message share its steps", () => {
  const compiled = compileTemplate("{% for a in range(900) %}{% set b = a %}{% endfor %}done");
  if (!("template" in compiled)) throw new Error(compiled.problem);
  const { template } = compiled;
  const work = { steps: 0 };
  const results = Array.from({ length: 100 }, () => template.render({ value: "" }, work));
  expect(results.filter((result) => "text" in result)).toHaveLength(3);
  expect(template.render({ value: "" })).toEqual({ text: "done" });
});
