import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTemplate, type Rendered } from "./index.ts";
import { ANSWERS, VARIABLES } from "./jinja-answers.fixture.ts";
import { CORNER_VARIABLES, CORNERS } from "./jinja-corners.fixture.ts";

function rendered(text: string, variables: Readonly<Record<string, unknown>> = VARIABLES): Rendered {
  const compiled = compileTemplate(text);
  return "template" in compiled ? compiled.template.render(variables) : compiled;
}

const textOf = (result: Rendered) => ("text" in result ? result.text : undefined);

test.for(ANSWERS)("%j writes %j, as Jinja does", ([template, text]) => {
  expect(textOf(rendered(template))).toBe(text);
});

test.for(CORNERS)("%j writes %j, as Jinja does in a corner", ([template, text]) => {
  expect(textOf(rendered(template, CORNER_VARIABLES))).toBe(text);
});

describe("templates of publishers", () => {
  test.for([
    // zigbee2mqtt
    ["{{ value_json.update['progress'] | default('null') }}", { update: {} }, "null"],
    ["{{ value_json.color_mode }}", { color_mode: "xy" }, "xy"],
    ["{{ (value_json.update['state'] == 'updating') | lower }}", { update: { state: "updating" } }, "true"],
    ["{{ value_json.get('action') | default('',True) | string | truncate(254, True, '', 0) }}", { action: null }, ""],
    // Z-Wave JS UI
    ['{{ {0: "off", 1: "heat"}[value_json.value] | default(\'off\') }}', { value: 1 }, "heat"],
    ['{{ {0: "off", 1: "heat"}[value_json.value] | default(\'off\') }}', { value: 7 }, "off"],
    // An electricity meter, a boiler
    ["{{ value_json.P3 | is_defined }}", {}, undefined],
    ["{{ value_json.P3 | is_defined }}", { P3: 230.1 }, "230.1"],
    ["{{ value_json.hc1.temp if value_json.hc1 is defined and value_json.hc1.temp is defined else 0 }}", {}, "0"],
    ["{{ value_json.temp | float | multiply(0.1) | round(1) }}", { temp: 215 }, "21.5"],
  ] as const)("%j with %j writes %j", ([template, json, text]) => {
    expect(textOf(rendered(template, { value_json: json }))).toBe(text);
  });
});

test.for([
  ["{{ now() }}", "the function now is not understood"],
  ["{{ relative_time(value) }}", "the function relative_time is not understood"],
  ["{% set true = 1 %}", "true cannot be set"],
  ["{% set x %}a", "endset is missing"],
  ["{{ 100000000000000000000 }}", "the number is too large"],
  ["{{ value | filesizeformat }}", "the filter filesizeformat is not understood"],
  ["{{ value is callable }}", "the test callable is not understood"],
  ["{% macro a() %}{% endmacro %}", "the statement macro is not understood"],
  ["{% if value %}", "endif is missing"],
  ["{% endif %}", "the statement endif is not understood"],
  ["{{ value", "there is no }}"],
  ["{{ value ! }}", "the character ! has no meaning here"],
  ["{{ 'a }}", "there is no }}"],
  ["{{ 1 2 }}", "2 is not allowed here"],
  [`{{ ${"(".repeat(200)} }}`, "the template is nested too deep"],
  [`${"{% if 1 %}".repeat(60)}`, "the template is nested too deep"],
  [`{{ 1${" + 1".repeat(600)} }}`, "the code is too long"],
  ["x".repeat(20_000), "the template is longer than 16384 characters"],
] as const)("%j is not compiled, and it is reported why (%#)", ([template, problem]) => {
  expect(compileTemplate(template)).toEqual({ problem });
});

test.for([
  [
    "{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}",
    "the template takes more than 10000 steps",
  ],
  ["{{ [1] * 10000 }}", "the repetition is too long"],
  ["{% for a in range(1000) %}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}", "the text is longer than 16384 characters"],
  ["{{ range(100000) }}", "the range is too long"],
  ["{{ 10 ** 400 }}", "the number is too large"],
  ["{{ 10 ** 20 }}", "the number is too large"],
  ["{{ [[1] * 900] * 900 }}", undefined],
  ["{{ 'a' | regex_replace('(?:x{100}){100}', '') }}", "the pattern is too long"],
  ["{{ 1 / 0 }}", "a number is divided by zero"],
] as const)("%j is stopped (%#)", ([template, problem]) => {
  const result = rendered(template);
  expect(result).toEqual({ problem: problem ?? expect.any(String) });
});

test("members that every object of JavaScript has are not there", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(rendered(`{{ value_json.${name} }}`, { value_json: {} })).toEqual({ text: "" });
    expect(rendered(`{{ value_json['${name}'] }}`, { value_json: { a: 1 } })).toEqual({ text: "" });
    expect(rendered(`{{ value.${name} }}`, { value: "text" })).toEqual({ text: "" });
    expect(rendered(`{{ 1 | ${name} }}`)).toHaveProperty("problem");
    expect(rendered(`{{ ${name} }}`)).toEqual({ text: "" });
  }
});

const PIECES = [
  "{{",
  "}}",
  "{%",
  "%}",
  "-",
  "if ",
  "else",
  "endif",
  "for x in ",
  "endfor",
  "set x = ",
  "value_json",
  ".a",
  "[0]",
  "(",
  ")",
  "|",
  "default",
  "'a'",
  "1",
  "2.5",
  " + ",
  " ~ ",
  ", ",
  ":",
  "{",
  "}",
  "is defined",
  "not ",
  "range(5)",
  "map('string')",
  "sort",
  "unique",
  "sum",
  "join",
  "items",
  "regex_replace('a+','b')",
  "replace('','ab')",
  "'%c%d'|format",
  "[-1:]",
  "*",
  "namespace(a=1)",
  " ",
];

test("any text is compiled and rendered, or refused, within its bounds", () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((all) => all.join("")),
  );
  const inside = fc
    .array(fc.constantFrom(...PIECES.slice(11)), { maxLength: 30 })
    .map((all) => `{{ ${all.join(" ")} }}`);
  fc.assert(
    fc.property(fc.oneof(texts, inside), fc.jsonValue(), (template, json) => {
      const result = rendered(template, { value: "text", value_json: json });
      expect("text" in result ? result.text : result.problem).not.toContain("the evaluator fails");
    }),
    { numRuns: 3000 },
  );
});
