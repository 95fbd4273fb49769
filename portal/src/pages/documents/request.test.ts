import { describe, expect, it } from "vitest";
import { faultOf, readable, type TriedOperation, tellingHeaders, triedAddress } from "./send.ts";

const parameter = (name: string, place: "path" | "query") => ({
  ...{ name, place, required: place === "path", description: "", sample: "" },
});
const OPERATION: TriedOperation = {
  ...{ method: "GET", template: "/api/devices/{id}/services/{selector}", hasToken: true, isStream: false },
  parameters: [parameter("id", "path"), parameter("selector", "path"), parameter("maxAge", "query")],
};

describe("a request that is tried", () => {
  it("has its parameters where they belong, encoded, and none that is empty", () => {
    const values = { id: "env_1;tür/1", selector: "Switch.on" };
    expect(triedAddress(OPERATION, { ...values, maxAge: "" })).toBe(
      "/api/devices/env_1%3Bt%C3%BCr%2F1/services/Switch.on",
    );
    expect(triedAddress(OPERATION, { ...values, maxAge: "a&b" })).toMatch(/\?maxAge=a%26b$/);
  });

  it("is not sent without what it needs, nor with a body that is no JSON", () => {
    const values = { id: "dev_1", selector: "Switch.on" };
    expect(faultOf(OPERATION, values, "")).toBeUndefined();
    expect(faultOf(OPERATION, { ...values, id: "" }, "")).toBe("Enter id.");
    expect(faultOf(OPERATION, values, "{")).toMatch(/^The body is not valid JSON: /);
    expect(faultOf(OPERATION, values, '{"value": 1}')).toBeUndefined();
  });

  it("shows JSON in lines, other text as it is, and the headers of this answer", () => {
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(readable("id: 1\n")).toBe("id: 1\n");
    expect(tellingHeaders(new Headers({ etag: '"3"', date: "now", "x-request-id": "r" }))).toEqual([
      ["x-request-id", "r"],
      ["etag", '"3"'],
    ]);
  });
});
