import { describe, expect, it } from "vitest";
import { TokenCache } from "./authenticate.ts";

const principal = (tokenId: string, subjectId = "usr_1") => ({ tokenId, subjectId, expiresAt: undefined });

describe("the token cache", () => {
  it("forgets one token, or all of a subject, and nothing else", () => {
    const cache = new TokenCache(10);
    cache.set("a", principal("tok_a"), 0);
    cache.set("b", principal("tok_b"), 0);
    cache.set("c", principal("tok_c", "usr_2"), 0);
    cache.forget({ kind: "token", tokenId: "tok_a", subjectId: "usr_1" });
    expect([cache.get("a"), cache.get("b")]).toEqual([undefined, principal("tok_b")]);
    cache.forget({ kind: "access", subjectId: "usr_1" });
    expect([cache.get("b"), cache.get("c")]).toEqual([undefined, principal("tok_c", "usr_2")]);
  });

  it("does not keep what was read before something ended", () => {
    const cache = new TokenCache(10);
    const before = cache.generation;
    cache.forget({ kind: "subject", subjectId: "usr_1" });
    cache.set("a", principal("tok_a"), before);
    expect(cache.get("a")).toBeUndefined();
  });

  it("lets the least used go when it is full", () => {
    const cache = new TokenCache(2);
    cache.set("a", principal("tok_a"), 0);
    cache.set("b", principal("tok_b"), 0);
    cache.get("a");
    cache.set("c", principal("tok_c"), 0);
    expect([cache.get("a")?.tokenId, cache.get("b"), cache.get("c")?.tokenId]).toEqual(["tok_a", undefined, "tok_c"]);
  });
});
