import { compileTemplate } from "@porchlight/driver-templates";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Payload } from "../device/payload.ts";
import { directRead, NOT_DIRECT } from "./templates.ts";

const MESSAGE = '{"a": {"b c": 21.5, "keys": "k"}, "on": true, "off": null, "text": " t ", "list": [1], "__x__": 0}';

test.for([
  ["{{ value }}", " plain ", "plain"],
  ["{{value_json.on}}", MESSAGE, "True"],
  ["{{ value_json.off }}", MESSAGE, "None"],
  ["{{- value_json.text -}}", MESSAGE, "t"],
  ['{{ value_json["a"]["b c"] }}', MESSAGE, "21.5"],
  ["{{ value_json.a['keys'] }}", MESSAGE, "k"],
  ["{{ value_json.missing }}", MESSAGE, undefined],
  ["{{ value_json.text.length }}", MESSAGE, undefined],
  ["{{ value_json.a.constructor }}", MESSAGE, undefined],
  ["{{ value_json.__proto__ }}", MESSAGE, undefined],
  ["{{ value_json.on }}", "no json", undefined],
  ["{{ value_json.a }}", MESSAGE, NOT_DIRECT],
  ["{{ value_json.list }}", MESSAGE, NOT_DIRECT],
] as const)("%s says of %s: %s", ([template, message, stated]) => {
  expect(directRead(template)?.(new Payload(message))).toBe(stated);
});

test.for([
  "{{ value_json.a.keys }}",
  "{{ value_json.list[0] }}",
  "{{ value_json.a | int }}",
  "x {{ value }}",
  "{{ value_json }}",
  '{{ value_json["a\\"b"] }}',
])("%s is left to the evaluator", (template) => {
  expect(directRead(template)).toBeUndefined();
});

test("what is read without the evaluator is what the evaluator renders", () => {
  const key = fc.constantFrom("a", "b_2", "on", "value", "Zz");
  const leaf = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null));
  const message = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: "small" }, leaf, fc.dictionary(key, tie("any")), fc.array(tie("any"), { maxLength: 2 })),
  })).any;
  const step = fc.tuple(key, fc.boolean()).map(([name, dotted]) => (dotted ? `.${name}` : `["${name}"]`));
  const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => `{{ value_json${steps.join("")} }}`);
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(path, fc.constant("{{ value }}")), message, (template, stated) => {
      const payload = new Payload(JSON.stringify(stated));
      const direct = directRead(template)?.(payload);
      if (direct === NOT_DIRECT) return;
      const compiled = compileTemplate(template);
      if ("problem" in compiled) throw new Error(compiled.problem);
      const rendered = compiled.template.render({ value: payload.text, value_json: payload.json });
      const text = "text" in rendered && rendered.text !== "" ? rendered.text : undefined;
      if (text !== undefined) read += 1;
      expect(direct === "" ? undefined : direct).toBe(text);
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(100);
});
