/** What is kept of problem documents. */
import { expect, it } from "vitest";
import { keptProblem } from "./watch.ts";

const problem = {
  type: "/docs/errors/x",
  title: "Hub Offline",
  status: 503,
  detail: "The hub is silent.",
  instance: "r",
};

it("a document is kept as it was sent", () => {
  expect(JSON.parse(keptProblem({ ...problem, outcome: "not_sent" }))).toEqual({ ...problem, outcome: "not_sent" });
});

it.each([
  "plt_srv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==",
  "https://user:pass-word@receiver.example/hook",
])("%s does not stand in it", (secret) => {
  const kept = keptProblem({ ...problem, detail: `There is no ${secret}.` });
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain("pass-word");
  expect(JSON.parse(kept)).toMatchObject({ title: "Hub Offline" });
});

it("what is too long loses its field errors first, and is JSON at any length", () => {
  const errors = Array.from({ length: 100 }, (_, n) => ({ pointer: `/${n}`, message: "is a number" }));
  expect(JSON.parse(keptProblem({ ...problem, errors }))).toEqual(problem);
  const kept = keptProblem({ ...problem, errors, lastKnown: "x".repeat(5_000) });
  expect(JSON.parse(kept)).toEqual({ type: problem.type, title: "Hub Offline", status: 503, instance: "r" });
});
