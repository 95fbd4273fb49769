/** Why a hub is not connected, as a person reads it. */
import { expect, it } from "vitest";
import { CLOSE_CODES } from "../tunnel/close-reasons.ts";
import { reasonOf } from "./hub-reasons.ts";

it.each([...Object.keys(CLOSE_CODES), "lost"])("%s has a sentence", (reason) => {
  expect(reasonOf(reason).says).toMatch(/^[A-Z].{10,}\.$/);
});

it("one of a newer service is shown as it is", () => {
  expect(reasonOf("too_hot").says).toBe("too hot");
});
