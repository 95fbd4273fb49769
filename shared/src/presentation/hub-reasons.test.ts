/** Why a hub is not connected, as a person reads it. */
import { expect, it } from "vitest";
import { CLOSE_CODES } from "../tunnel/close-reasons.ts";
import { reasonOf } from "./hub-reasons.ts";

it.each([...Object.keys(CLOSE_CODES), "lost"])("%s is said in a sentence", (reason) => {
  expect(reasonOf(reason).says).toMatch(/^[A-Z].{10,}\.$/);
});

it("one that a newer service has is told as it stands", () => {
  expect(reasonOf("too_hot").says).toBe("too hot");
});
