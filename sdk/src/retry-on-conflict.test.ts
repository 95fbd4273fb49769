/** A read and its conditional write, beside other callers. */
import { describe, expect, it } from "vitest";
import { PorchlightError } from "./errors.ts";
import { retryOnConflict } from "./resources/objects.ts";

const conflict = () => new PorchlightError("Precondition Failed", "It has changed.", { status: 412 });

/** Fails so many times, then gives how often it was called and whether it was told. */
function attempts(failures: number, error: () => Error = conflict) {
  const told: boolean[] = [];
  const attempt = async (isAgain: boolean) => {
    told.push(isAgain);
    if (told.length <= failures) throw error();
    return told;
  };
  return { told, attempt };
}

describe("a conditional write", () => {
  it("is done once when nobody else writes", async () => {
    expect(await retryOnConflict(attempts(0).attempt)).toEqual([false]);
  });

  it("is read and written again when somebody else was faster", async () => {
    expect(await retryOnConflict(attempts(2).attempt)).toEqual([false, true, true]);
  });

  it("fails after five attempts", async () => {
    const { told, attempt } = attempts(5);
    await expect(retryOnConflict(attempt)).rejects.toMatchObject({ name: "Precondition Failed" });
    expect(told).toHaveLength(5);
  });

  it("is not repeated after any other error", async () => {
    const { told, attempt } = attempts(1, () => new PorchlightError("Timed Out", "No answer."));
    await expect(retryOnConflict(attempt)).rejects.toMatchObject({ name: "Timed Out" });
    expect(told).toHaveLength(1);
  });
});
