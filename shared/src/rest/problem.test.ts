import { expect, it } from "vitest";
import { problem } from "../api/fields.ts";
import { type FieldProblem, NamedError } from "../kernel/index.ts";
import { problemBody, rawProblem } from "./problem.ts";
import { bodyInvalid } from "./request/body.ts";

const places = (count: number, name: string): FieldProblem[] =>
  Array.from({ length: count }, (_, n) => ({ pointer: `/${name}${n}`, message: "is not known here" }));
const bodyOf = (errors: FieldProblem[]) => problem.parse(problemBody(bodyInvalid(errors), "the-request"));

it("lists the first twenty places that are wrong, and says how many more there are", () => {
  expect(bodyOf(places(20, "k"))).toMatchObject({ errors: places(20, "k") });
  expect(bodyOf(places(20, "k")).moreErrors).toBeUndefined();
  expect(bodyOf(places(15_000, "k"))).toMatchObject({ errors: places(20, "k"), moreErrors: 14_980 });
});

it.each(["x", "\u0001", "💡", "\ud800", "é"])("is at most a few kilobytes, with names of %j", (part) => {
  const long = part.repeat(20_000);
  const body = bodyOf(places(10_000, long));
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(12_000);
  expect(body.errors?.length).toBeGreaterThan(4);
  expect(body.errors?.[0]?.pointer).toMatch(/…$/);
  expect(body.detail.isWellFormed()).toBe(true);
  expect(body.errors?.every(({ pointer }) => pointer.isWellFormed())).toBe(true);
});

it("cuts what a caller has put into a sentence", () => {
  const error = new NamedError("No Query String Allowed", `no \`${"x".repeat(16_000)}\``);
  expect(String(problemBody(error, "the-request").detail)).toHaveLength(1_000);
});

it("says the length of what is no HTTP in bytes", () => {
  const [head = "", body = ""] = rawProblem("HPE_HEADER_OVERFLOW", "the-request").split("\r\n\r\n");
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
});
