import { describe, expect, it } from "vitest";
import { seededRandom } from "../kernel/index.ts";
import { hashToken, makeToken, tokenKind } from "./token-format.ts";

describe("a token", () => {
  it("has the published form and states its kind", () => {
    for (const kind of ["acc", "auth", "srv", "usr", "cli"] as const) {
      const token = makeToken(kind, seededRandom(7));
      expect(token).toMatch(new RegExp(`^plt_${kind}_[0-9A-Za-z]{38}$`));
      expect(tokenKind(token)).toBe(kind);
    }
  });

  it("carries CRC-32 (IEEE) of all before it in base62, most significant digit first", () => {
    // Reckoned by another program (Python's zlib): 2015753770.
    const body = `plt_usr_${"a".repeat(32)}`;
    expect(tokenKind(`${body}2CPtda`)).toBe("usr");
  });

  it("is refused when a single character is wrong", () => {
    const token = makeToken("srv", seededRandom(3));
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "x" ? "y" : "x";
      expect(tokenKind(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}`).toBeUndefined();
    }
  });

  it.each(["", "plt_", "plt_loc_0", "Bearer x", `plt_usr_${"a".repeat(39)}`])("is not %j", (text) => {
    expect(tokenKind(text)).toBeUndefined();
  });

  it("is kept as its SHA-256", () => {
    expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
