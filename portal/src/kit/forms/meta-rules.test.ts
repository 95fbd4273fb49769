import { describe, expect, it } from "vitest";
import { KEPT_OF_DEVICES, partsOf, readMeta } from "./meta-save.ts";

const nested = (levels: number): string =>
  JSON.stringify(Array.from({ length: levels - 1 }).reduce<object>((a) => ({ a }), {}));

describe("typed metadata", () => {
  it("is a JSON object", () => {
    expect(readMeta('{"a": 1}')).toEqual({ meta: { a: 1 }, bytes: 7 });
    for (const text of ["[]", "1", "null", '"x"'])
      expect(readMeta(text).fault).toBe("Metadata must be a JSON object: { … }.");
    expect(readMeta('{\n"a": \n}').fault).toBe("Line 3: A value is missing.");
  });

  it("is at most 64 KiB as it is sent, however it is typed", () => {
    const text = (letters: number) => `{ "a" :   "${"ü".repeat(letters)}" }`;
    expect(readMeta(text(32 * 1024 - 4))).toMatchObject({ bytes: 64 * 1024 });
    expect(readMeta(text(32 * 1024 - 3)).fault).toBe("This is 65,538 bytes. Metadata can have at most 65,536 bytes.");
  });

  it("is at most 32 levels deep", () => {
    expect(readMeta(nested(32)).fault).toBeUndefined();
    expect(readMeta(nested(33)).fault).toContain("more than 32 levels");
  });

  it("has no key that is only the system prefix", () => {
    expect(readMeta('{"$.": 1}').fault).toContain("only the prefix");
    expect(readMeta('{"$.a": 1}').fault).toBeUndefined();
  });
});

describe("metadata of a physical device", () => {
  it("is shown in two parts: what the service keeps, and what is the reader's to edit", () => {
    const meta = JSON.parse('{"$.model": "Lamp 3000", "$.name": "Lamp", "__proto__": 1, "room": "hall"}');
    const { edited, kept } = partsOf(meta, KEPT_OF_DEVICES);
    expect(JSON.stringify(edited)).toBe('{"$.name":"Lamp","__proto__":1,"room":"hall"}');
    expect(kept).toEqual({ "$.model": "Lamp 3000" });
  });
});
