import { NamedError } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { tokenAnswersOf } from "./control-answers.ts";
import { AskRefused } from "./control-socket.ts";
import { problemsOf } from "./health.ts";
import { STATUS } from "./status.fixture.ts";

const made: string[] = [];
const answers = tokenAnswersOf(async () => ({
  create: async (label) => {
    if (label === "one too many") throw new NamedError("Quota Exceeded", "A hub has at most 100 tokens.");
    made.push(label);
    return { id: "tok_1", token: "plt_loc_secret" };
  },
  list: () => [{ id: "tok_1" }],
  revoke: async (id) => id === "tok_1",
}));
const ask = async (what: string, about?: unknown) => await answers[what]?.(about);

test("a token is created, listed and revoked for a command on the hub", async () => {
  expect(await ask("token create", { label: "panel" })).toEqual({ id: "tok_1", token: "plt_loc_secret" });
  expect(made).toEqual(["panel"]);
  expect(await ask("token list")).toEqual([{ id: "tok_1" }]);
  await ask("token revoke", { id: "tok_1" });
});

test.each([
  ["token create", { label: "x".repeat(65) }, 5],
  ["token create", { label: "one too many" }, 5],
  ["token revoke", { id: "tok_2" }, 3],
  ["token revoke", {}, 3],
])("%s %j is refused with its exit status", async (what, about, exitStatus) => {
  const refused = await ask(what, about).catch((failure: unknown) => failure);
  expect(refused).toBeInstanceOf(AskRefused);
  expect(refused).toMatchObject({ exitStatus });
});

test("a hub whose API cannot be served says so, with a cure", () => {
  expect(problemsOf({ ...STATUS, localApi: { url: "http://127.0.0.1:8090" } })).toEqual([]);
  const problems = problemsOf({ ...STATUS, localApi: { failure: "listen EADDRINUSE: address already in use" } });
  expect(problems).toMatchObject([{ name: "api_not_served", exitStatus: 1 }]);
  expect(problems[0]?.says).toContain("EADDRINUSE");
});
