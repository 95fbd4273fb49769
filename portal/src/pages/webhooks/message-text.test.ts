import { expect, it } from "vitest";
import { messageText } from "./delivery-words.ts";

it("headers stand over the body, and JSON is laid out", () => {
  expect(messageText({ headers: { "content-type": "application/json" }, body: '{"a":[1]}' })).toBe(
    'content-type: application/json\n\n{\n  "a": [\n    1\n  ]\n}',
  );
});

it("what is no JSON, or cut off, stands as it came", () => {
  expect(messageText({ headers: {}, body: '{"a":[1' })).toBe('\n\n{"a":[1');
  expect(messageText({ headers: { date: "now" }, body: "" })).toBe("date: now\n\n(no body)");
});
