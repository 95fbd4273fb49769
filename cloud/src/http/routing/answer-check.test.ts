/** The judge of all answers lets none pass that the document does not describe: each kind of misfit is shown to be found. */
import { ecosystem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { AnswerCheck, type Answered } from "../answer-check.fixture.ts";
import { A_S_U, defineRoute, ok } from "./route.ts";

const check = AnswerCheck.of([
  defineRoute({
    method: "GET",
    path: "/api/ecosystems/:id",
    operationId: "getEcosystem",
    tag: "ecosystems",
    summary: "Show an ecosystem",
    tokens: A_S_U,
    answers: { 200: ecosystem },
    errors: ["Ecosystem Invalid"],
    handle: async () => ok({}),
  }),
]);

const ID = "eco_01h455vb4pex5vsknk084sn02q";
const good = {
  method: "GET",
  url: `/api/ecosystems/${ID}`,
  status: 200,
  headers: {
    "content-type": "application/json; charset=utf-8",
    "x-request-id": "1",
    "x-api-version": "v0",
    etag: '"1"',
  },
  body: { id: ID, meta: {}, createdAt: "2026-11-05 14:03:07Z" } as object,
};
const problem = (title: string, status: number) => ({
  status,
  headers: { ...good.headers, etag: undefined, "content-type": "application/problem+json" },
  body: { type: "/docs/errors/x", title, status, detail: "It is so.", instance: "1" },
});

function judged(change: Partial<typeof good> & { text?: string }): string {
  const { body, ...rest } = { ...good, ...change };
  const answer: Answered = { text: JSON.stringify(body), ...rest };
  try {
    check.check(answer);
    return "";
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "";
  }
}

test("an answer that the document describes passes, under its version and with a trailing slash too", () => {
  expect(judged({})).toBe("");
  expect(judged({ url: `/v0${good.url}/?` })).toBe("");
  expect(judged(problem("Ecosystem Invalid", 400) as never)).toBe("");
  expect(judged({ method: "HEAD", text: "" })).toBe("");
  expect(judged({ status: 304, text: "" })).toBe("");
});

test.for([
  [
    "a time with more digits than were measured",
    { body: { ...good.body, meta: { roundTripMs: 4.258658000035211 } } },
    "roundTripMs",
  ],
  ["a field that it does not have", { body: { ...good.body, colour: "red" } }, "colour"],
  ["a missing field", { body: { id: ID, meta: {} } }, "createdAt"],
  ["a time of another form", { body: { ...good.body, createdAt: "2026-11-05T14:03:07Z" } }, "/createdAt"],
  ["an ID of another kind", { body: { ...good.body, id: "env_01h455vb4pex5vsknk084sn02q" } }, "/id"],
  ["a status that it does not list", { status: 202 }, "lists no answer 202"],
  ["an error that the route does not list", problem("Zone Invalid", 400), "/title"],
  ["an error under another status", { ...problem("Ecosystem Invalid", 400), status: 404 }, "lists no answer 404"],
  [
    "an error that is no problem+json",
    { ...problem("Ecosystem Invalid", 400), headers: good.headers },
    "not application/problem+json",
  ],
  ["a body of another type", { headers: { ...good.headers, "content-type": "text/html" } }, "text/html"],
  ["a missing entity tag", { headers: { ...good.headers, etag: undefined } }, "the header etag is missing"],
  [
    "a header that it does not have",
    { headers: { ...good.headers, location: "/x" } },
    "the header location is not described",
  ],
  ["a route that it does not have", { url: "/api/lamps" }, "no route"],
  [
    "an error of a route on a path that has none",
    { ...problem("Ecosystem Invalid", 400), url: "/api/lamps" },
    "no route has it",
  ],
  ["a body where there must be none", { status: 304 }, "the document has none"],
  ["no body where there must be one", { text: "" }, "must be"],
  ["a HEAD with a body", { method: "HEAD" }, "HEAD"],
] as const)("%s is found", ([, change, says]) => {
  expect(judged(change as never)).toContain(says);
});
