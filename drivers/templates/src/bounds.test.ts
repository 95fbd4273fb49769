import { describe, expect, test } from "vitest";
import { compileTemplate, type Rendered } from "./index.ts";

function rendered(text: string, variables: Readonly<Record<string, unknown>> = {}): Rendered {
  const compiled = compileTemplate(text);
  return "template" in compiled ? compiled.template.render(variables) : compiled;
}

const TOO_MANY_STEPS = "the template takes more than 10000 steps";
const TOO_LONG = "the text is longer than 16384 characters";
const A_TEXT = "{% set s = 'a' * 16384 %}";
const DOUBLED = "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
const DEEP = "{% set ns = namespace(x=1) %}{% for i in range(200) %}{% set ns.x = [ns.x] %}{% endfor %}";

describe("a template that would fill the memory", () => {
  test.for([
    ["a list that holds itself twice, 60 times over, written", `${DOUBLED}{{ ns.x }}`, TOO_LONG],
    ["such a list, compared", `${DOUBLED}{{ ns.x == [ns.x] }}`, TOO_MANY_STEPS],
    ["such a list, as JSON", `${DOUBLED}{{ ns.x | tojson }}`, TOO_MANY_STEPS],
    ["a list of long texts, repeated", `${A_TEXT}{% set l = [s] * 1000 %}{{ [l] * 1000 }}`, TOO_MANY_STEPS],
    ["each character replaced by a long text", `${A_TEXT}{{ s | replace('a', s) }}`, TOO_LONG],
    ["each match replaced by a long text", `${A_TEXT}{{ s | regex_replace('a', s) }}`, TOO_LONG],
    ["a method that replaces so", `${A_TEXT}{{ s.replace('a', s) }}`, TOO_LONG],
    ["long texts joined by a long text", `${A_TEXT}{{ [1, 2, 3] | join(s) }}`, TOO_LONG],
    ["a text repeated too often", "{{ 'abcdefgh' * 10000 }}", TOO_LONG],
    ["a list nested too deep", `${DEEP}{{ ns.x }}`, "the value is nested too deep"],
  ] as const)("is stopped: %s", ([, template, problem]) => {
    expect(rendered(template)).toEqual({ problem });
  });

  test.for([
    "{{ value | replace('a', value) }}",
    "{{ value.replace('a', value) }}",
    "{{ value | regex_replace('a', value) }}",
    "{{ range(1000) | join(value) }}",
  ])("is stopped before it makes a text of gigabytes: %s", (template) => {
    expect(rendered(template, { value: "a".repeat(300_000) })).toEqual({ problem: TOO_LONG });
  });

  test("is stopped: JSON in a text that is nested too deep", () => {
    const value = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect(rendered("{{ value | from_json }}", { value })).toEqual({ problem: expect.stringContaining("is no JSON") });
  });

  test("does not matter when it repeats nothing", () => {
    expect(rendered("{{ [] * 1000000000000000 }}{{ '' * 1000000000000000 }}")).toEqual({ text: "[]" });
  });

  test("does not matter when a namespace holds itself", () => {
    expect(rendered("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns.x.x }}")).toEqual({ text: "<Namespace>" });
  });
});

describe("a template that would take long", () => {
  const words = Array.from({ length: 4000 }, (_, n) => `k${n}`);
  test.for([
    ["a long list sorted again and again", "{% for a in range(1000) %}{% set b = value_json | sort %}{% endfor %}"],
    ["a long list compared again and again", "{% for a in range(1000) %}{{ value_json == value_json }}{% endfor %}"],
    ["a long text searched again and again", "{% for a in range(1000) %}{{ value.find('b') }}{% endfor %}"],
    ["characters of a long text", "{% for a in range(1000) %}{{ value[a] }}{% endfor %}"],
    ["a quick pattern on a long text", `${A_TEXT}{% for a in range(1000) %}{{ s is search('ab') }}{% endfor %}`],
    ["filters over each item", "{% for a in range(1000) %}{% set b = range(1000) | map('string') %}{% endfor %}"],
    ["tests of each item", "{% for a in range(1000) %}{% set b = range(1000) | select('odd') %}{% endfor %}"],
  ] as const)("is stopped after its steps: %s", ([, template]) => {
    expect(rendered(template, { value: "é".repeat(60_000), value_json: words })).toEqual({ problem: TOO_MANY_STEPS });
  });

  test("finds what is different in a list of 20,000 characters at once", () => {
    const value = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("");
    expect(rendered("{{ value | unique | length }}", { value })).toEqual({ text: "20000" });
  });
});

test.for([
  "{{ '%c' % (('inf' | float) - ('inf' | float)) }}",
  "{{ '%c' % -1 }}",
  "{{ '%d' % ('inf' | float) }}",
  "{{ 'a' | regex_replace('(', '') }}",
  "{{ 'a' | regex_replace('a', '\\\\9') }}",
  "{{ 'a' | regex_replace('[a', '') }}",
  "{{ 'a' | regex_replace('a{5,1}', '') }}",
  "{{ 1 is divisibleby 0 }}",
  "{{ '\\U00110000' }}",
  "{{ [1] | map('nothing') }}",
  "{{ [1] | select('nothing') }}",
  "{{ [{}] | sort(attribute='a.b') | unique(attribute=[]) }}",
])("%j is a problem, and no failure of the evaluator", (template) => {
  const result = rendered(template);
  expect(result).toEqual({ problem: expect.not.stringContaining("the evaluator fails") });
});

test("a mistake of the evaluator itself ends as a problem", () => {
  const variables = {
    get value(): unknown {
      throw new Error("no value");
    },
  };
  expect(rendered("{{ value }}", variables)).toEqual({ problem: "the evaluator fails: no value" });
});

test("a problem shows the beginning of a long value", () => {
  const result = rendered("{{ value | int }}", { value: "x".repeat(60_000) });
  expect("problem" in result && result.problem.length).toBeLessThan(100);
});

test("a large message costs no more than what is taken from it", () => {
  const json = { temperature: 21.5, log: "x".repeat(60_000) };
  expect(rendered("{{ value_json.temperature | round(1) }}", { value_json: json })).toEqual({ text: "21.5" });
});
