/** Every route of the API is reached by a command other than `api`: the service itself says which it was asked for. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emailTo } from "@porchlight/cloud/mail/emails.fixture.ts";
import { type Clock, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AnsweringDrivers, connectHub } from "../../test/parts/answering-hub.ts";
import { Interrupted } from "../src/session/failure.ts";
import { TestConsole } from "./console.ts";
import { HUB_KEY, NOT_THE_CONSOLES, ROUTES, type RouteRow } from "./routes.ts";

const NOTHING = { method: "", path: "" };

type Answer = Readonly<Record<string, unknown>>;

let desk: TestConsole;
let operations: readonly string[];
/** Operations that take an `idempotency-key`. */
let keyed: ReadonlySet<string>;
const kept: Record<string, Answer> = {};

beforeAll(async () => {
  desk = await TestConsole.start();
  const document = await desk.cloud.good("GET", "/api/openapi.json");
  const paths: Record<string, Record<string, { parameters: readonly { $ref?: string }[] }>> = document.paths;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      parameters,
    })),
  );
  operations = all.map(({ name }) => name);
  const takesKey = ({ $ref }: { $ref?: string }) => $ref?.endsWith("/idempotency-key");
  keyed = new Set(all.filter(({ parameters }) => parameters.some(takesKey)).map(({ name }) => name));
  const key = join(desk.home, "hub.pem");
  writeFileSync(key, HUB_KEY);
  const [one, two, three] = ["one", "two", "three"].map((name) => join(desk.home, `${name}.zip`));
  kept.files = { key, one, two, three };
});
afterAll(() => desk[Symbol.asyncDispose]());

/** The line with what was kept in it. */
function filled(text: string): string {
  return text.replace(/\{([^{}.]+)(?:\.(\w+))?\}/g, (_, name: string, field = "id") => {
    const value = kept[name]?.[field];
    if (typeof value !== "string") throw new Error(`nothing was kept as ${name}.${field}`);
    return value;
  });
}

/** The operation that a request was. */
function operationOf({ method, path }: { method: string; path: string }): string | undefined {
  const matches = (operation: string) => {
    const pattern = operation.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
    return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
  };
  // A path without parameters goes before one with them.
  return operations.filter(matches).sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

/** What a response says, which is read once more. */
async function answerOf(response: Response): Promise<Answer> {
  return JSON.parse(await response.clone().text());
}

/** A clock on which nobody waits for a poll. */
const atOnce: Clock = {
  now: () => desk.cloud.clock.now(),
  monotonic: () => desk.cloud.clock.monotonic(),
  timer: (name, ms, fire) => systemClock.timer(name, ["log-in by code", "export"].includes(name) ? 0 : ms, fire),
};

async function play(row: RouteRow): Promise<void> {
  const { route, line, stdin = "", typed, as, exitStatus = 0, isEndless, connects, approver, waits } = row;
  if (connects !== undefined) await connectHub(desk.cloud, filled(`{${connects}.token}`), new AnsweringDrivers());
  if (stdin.includes("{mail."))
    kept.mail = { code: (await emailTo(desk.cloud.folder, "ada@example.com", route.includes("reset") ? 2 : 1)).code };
  const before = desk.asked.length;
  const end = new AbortController();
  const fetch = async (url: string, init: RequestInit) => {
    const response = await desk.fetch(url, init);
    const asked = operationOf(desk.asked.at(-1) ?? NOTHING);
    if (isEndless && as && asked === route) kept[as] = await answerOf(response);
    if (isEndless && asked === route) end.abort(new Interrupted());
    if (approver && asked === "POST /api/accounts/login/code") {
      const { userCode } = await answerOf(response);
      const token = filled(`{${approver}.token}`);
      await desk.cloud.good("POST", `/api/accounts/login/code/${userCode}/approve`, { token });
    }
    return response;
  };
  const ran = await desk.run([...filled(line).split(" "), "--json"], {
    ...(typed ? { terminal: true, typed: [...typed] } : { stdin: filled(stdin) }),
    ...{ fetch, signal: end.signal },
    ...((approver || waits) && { clock: atOnce }),
  });
  expect({ line, ...ran }).toMatchObject({ exitStatus });
  const seen = desk.asked.slice(before).filter(({ status }) => status < 300);
  expect(seen.map(operationOf), line).toContain(route);
  if (as && !isEndless) kept[as] = JSON.parse(ran.stdout);
}

test.each(ROUTES)("$line reaches $route", (row) => play(row));

test("the client gives an idempotency key only where the route takes one", () => {
  const given = new Set(desk.asked.filter(({ isKeyed }) => isKeyed).map(operationOf));
  expect(given.size).toBeGreaterThan(10);
  expect([...given].filter((operation) => !keyed.has(operation ?? ""))).toEqual([]);
});

test("no route is without a command", () => {
  const reached = new Set([...ROUTES.map(({ route }) => route), ...Object.keys(NOT_THE_CONSOLES)]);
  expect(operations.filter((operation) => !reached.has(operation))).toEqual([]);
  expect([...reached].filter((route) => !operations.includes(route))).toEqual([]);
});

test("no command line of the table is `api`", () => {
  expect(ROUTES.filter(({ line }) => line.startsWith("api"))).toEqual([]);
});
