import { expect, it } from "vitest";
import { newSecret } from "./settings-draft.ts";

it("a secret has 32 bytes after `whsec_`, and is another each time", () => {
  expect(newSecret((bytes) => void bytes.fill(255))).toBe(`whsec_${"/".repeat(42)}8=`);
  const [one, other] = [newSecret(), newSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});
