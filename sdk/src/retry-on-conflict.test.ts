/** A read and its conditional write, beside other callers. */
import { describe, expect, it } from "vitest";
import { PorchlightError } from "./errors.ts";
import { retryOnConflict } from "./resources/objects.ts";

const conflict = () => new PorchlightError("Precondition Failed", "It has changed.", { status: 412 });

/** Fails so many times, then gives how often it was called and whether it was a repeat. */
function attempts(failures: number, error: () => Error = conflict) {
  const calls: boolean[] = [];
  const attempt = async (isAgain: boolean) => {
    calls.push(isAgain);
    if (calls.length <= failures) throw error();
    return calls;
  };
  return { calls, attempt };
}

describe("a conditional write", () => {
  it("is done once when no other caller writes", async () => {
    expect(await retryOnConflict(attempts(0).attempt)).toEqual([false]);
  });

  it("is read and written again when another caller was faster", async () => {
    expect(await retryOnConflict(attempts(2).attempt)).toEqual([false, true, true]);
  });

  it("fails after five attempts", async () => {
    const { calls, attempt } = attempts(5);
    await expect(retryOnConflict(attempt)).rejects.toMatchObject({ name: "Precondition Failed" });
    expect(calls).toHaveLength(5);
  });

  it("is not repeated after any other error", async () => {
    const { calls, attempt } = attempts(1, () => new PorchlightError("Timed Out", "No answer."));
    await expect(retryOnConflict(attempt)).rejects.toMatchObject({ name: "Timed Out" });
    expect(calls).toHaveLength(1);
  });
});
