import { expect, test } from "vitest";
import { maintenanceAnswer } from "./hub-maintenance.ts";

const answerOf = (verdict: string) =>
  maintenanceAnswer.safeParse({ doctor: { items: [{ name: "disk", verdict, says: "5120 MiB free." }] } });

test.each([
  ["good", "ok"],
  ["doubtful", "warning"],
  ["bad", "failed"],
  ["ok", "ok"],
  ["warning", "warning"],
  ["failed", "failed"],
])("a check that an agent of any version calls %s is %s", (sent, verdict) => {
  expect(answerOf(sent).data).toMatchObject({ doctor: { items: [{ verdict }] } });
});

test("a check with a result that no version has is refused", () => {
  expect(answerOf("constructor").success).toBe(false);
  expect(answerOf("look").success).toBe(false);
});
