/** Long names and values in sentences. */
import { expect, it } from "vitest";
import { shortened } from "./senders.ts";

it("keeps both ends of what is long, and everything of what is not", () => {
  expect(shortened("Lamp")).toBe("Lamp");
  expect(shortened("a".repeat(100))).toHaveLength(100);
  expect(shortened(`Alpha${"x".repeat(20_000)}Omega`)).toMatch(/^Alphax+…x+Omega$/);
  expect([...shortened("💡".repeat(500))]).toHaveLength(100);
});
