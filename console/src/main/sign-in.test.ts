/** Signing in and out: what is asked, stored and sent. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunOptions, run } from "./run.fixture.ts";

const TOKEN = `plt_auth_${"a".repeat(38)}`;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "porchlight-home-"));
});
afterEach(() => rmSync(home, { recursive: true }));

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A service that knows one password, and remembers what it was asked. */
function service() {
  const asked: Asked[] = [];
  let logIns = 0;
  const fetch = async (url: string, { method = "GET", headers, body }: RequestInit) => {
    const sent = typeof body === "string" ? JSON.parse(body) : undefined;
    asked.push({ method, url, headers: new Headers(headers), body: sent });
    const { pathname } = new URL(url);
    if (pathname === "/api/accounts/login" && sent.password === "right")
      return Response.json(
        { id: `tok_${++logIns}`, type: "authentication", token: TOKEN, accountId: "acc_1" },
        { status: 201 },
      );
    if (pathname === "/api/accounts/logout") return new Response(null, { status: 200 });
    if (pathname === "/api/token") return Response.json({ id: "tok_1", type: "authentication", accountId: "acc_1" });
    if (pathname === "/api/account") return Response.json({ id: "acc_1", email: "ada@example.com" });
    const problem = { title: "Login Failed", status: 401, detail: "The e-mail address or the password is wrong." };
    return Response.json(problem, { status: 401, headers: { "content-type": "application/problem+json" } });
  };
  return { asked, fetch };
}

const LOGIN = ["login", "--email", "ada@example.com", "--password-stdin"];
const settings = () => JSON.parse(readFileSync(join(home, ".porchlight/settings.json"), "utf8"));
const runHere = (argv: readonly string[], options: Omit<RunOptions, "home"> = {}) => run(argv, { home, ...options });

test("a log-in shows the authentication token and keeps it where only its owner can read", async () => {
  const { fetch, asked } = service();
  const { exitStatus, stdout, stderr } = await runHere([...LOGIN, "--api-url", "https://porchlight.example/"], {
    fetch,
    stdin: "right\n",
  });
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 0, stdout: `${TOKEN}\n` });
  expect(stderr).toContain("does not expire");
  expect(asked[0]).toMatchObject({ url: "https://porchlight.example/api/accounts/login" });
  expect(asked[0]?.body).toEqual({ email: "ada@example.com", password: "right", console: true });
  expect(settings().profiles.default).toEqual({
    ...{ apiUrl: "https://porchlight.example", token: TOKEN, tokenId: "tok_1" },
    ...{ accountId: "acc_1", email: "ada@example.com" },
  });
  expect(statSync(join(home, ".porchlight/settings.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, ".porchlight")).mode & 0o777).toBe(0o700);
});

test("on a terminal it asks for the way, then for e-mail and password, and the password is not shown", async () => {
  const { fetch, asked } = service();
  const { exitStatus, stderr, stdout } = await runHere(["login"], {
    ...{ fetch, terminal: true, typed: ["p", "ada@example.com", "right"] },
  });
  expect(exitStatus).toBe(0);
  expect(asked[0]?.body).toMatchObject({ email: "ada@example.com", password: "right" });
  expect(stderr).toContain("E-mail: ");
  expect(stderr).toContain("Password: ");
  expect(stderr + stdout).not.toContain("right");
});

test("the token goes with what follows, and is revoked and forgotten at the end", async () => {
  const { fetch, asked } = service();
  await runHere(LOGIN, { fetch, stdin: "right" });
  const who = await runHere(["whoami"], { fetch });
  expect(who.stdout).toContain("ada@example.com");
  expect(who.stdout).not.toContain(TOKEN);
  expect(asked.at(-1)?.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  const out = await runHere(["logout"], { fetch });
  expect(out).toMatchObject({ exitStatus: 0, stdout: "" });
  expect(asked.at(-1)).toMatchObject({ method: "POST", url: "http://127.0.0.1:8080/api/accounts/logout" });
  expect(settings().profiles.default).not.toHaveProperty("token");
  expect(await runHere(["whoami"], { fetch })).toMatchObject({ exitStatus: 4 });
});

test("a log-out that did not reach the service leaves the token in place", async () => {
  const { fetch } = service();
  await runHere(LOGIN, { fetch, stdin: "right" });
  const refused = async (url: string, init: RequestInit) =>
    url.endsWith("/logout") ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init);
  expect(await runHere(["logout"], { fetch: refused })).toMatchObject({ exitStatus: 7 });
  expect(settings().profiles.default.token).toBe(TOKEN);
});

test("a second log-in states that the first token is still valid, and how to end it", async () => {
  const { fetch } = service();
  await runHere(LOGIN, { fetch, stdin: "right" });
  expect((await runHere(LOGIN, { fetch, stdin: "right" })).stderr).toContain("porchlight accounts end-login tok_1");
});

test("a token that cannot be kept is shown all the same", async () => {
  const env = { PORCHLIGHT_SETTINGS: "/proc/settings.json" };
  const { exitStatus, stdout, stderr } = await runHere(LOGIN, { fetch: service().fetch, stdin: "right", env });
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 1, stdout: `${TOKEN}\n` });
  expect(stderr).toContain("/proc");
});

test("a wrong password is reported in three lines, and nothing is stored", async () => {
  const { exitStatus, stdout, stderr } = await runHere(LOGIN, { fetch: service().fetch, stdin: "wrong" });
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 4, stdout: "" });
  expect(stderr.split("\n").map((line) => line.slice(0, 6))).toEqual(["error:", "why:  ", "try:  ", ""]);
  expect(() => settings()).toThrow("ENOENT");
});

test("the token of one service is never sent to another", async () => {
  const { fetch, asked } = service();
  await runHere(LOGIN, { fetch, stdin: "right" });
  const before = asked.length;
  const { exitStatus, stderr } = await runHere(["whoami", "--api-url", "https://elsewhere.example"], { fetch });
  expect({ exitStatus, requests: asked.length - before }).toEqual({ exitStatus: 4, requests: 0 });
  expect(stderr).toContain("is not sent to this one");
});

test("--debug shows requests without the token and without bodies", async () => {
  const { fetch } = service();
  const login = await runHere([...LOGIN, "--debug"], { fetch, stdin: "right" });
  expect(login.stderr).toContain("> POST http://127.0.0.1:8080/api/accounts/login");
  const who = await runHere(["whoami", "--debug"], { fetch });
  expect(who.stderr).toContain("> authorization: Bearer plt_auth_…");
  expect(login.stderr + who.stderr + who.stdout).not.toMatch(/plt_auth_a|right/);
});

test("a settings file that is broken is named, and left as it is", async () => {
  const path = join(home, ".porchlight/settings.json");
  mkdirSync(join(home, ".porchlight"));
  writeFileSync(path, `{"profiles": {"default": {"token": "${TOKEN}"`);
  const { exitStatus, stderr } = await runHere(LOGIN, { fetch: service().fetch, stdin: "right" });
  expect(exitStatus).toBe(2);
  expect(stderr).toContain(path);
  expect(stderr).not.toContain(TOKEN);
  expect(readFileSync(path, "utf8")).toContain('{"profiles"');
});

test("a settings file that others can read is reported", async () => {
  const { fetch } = service();
  mkdirSync(join(home, ".porchlight"));
  writeFileSync(join(home, ".porchlight/settings.json"), "{}", { mode: 0o644 });
  expect((await runHere(["profiles", "list"], { fetch })).stderr).toContain("chmod 600");
});

const CODE = {
  ...{ deviceCode: "device-secret", userCode: "BCDF-GHJK", expiresIn: 900, interval: 5 },
  verificationUri: "https://porchlight.example/log-in-by-code",
  verificationUriComplete: "https://porchlight.example/log-in-by-code?code=BCDF-GHJK",
};

/** A service that answers the polls of a log-in by code one after the other; and a clock that is advanced to each. */
function codeService(...answers: readonly (string | "approved" | "broken")[]) {
  const clock = new VirtualClock();
  const polls: number[] = [];
  const known = service();
  const left = [...answers];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    if (pathname === "/api/accounts/login/code") return Response.json(CODE, { status: 201 });
    if (pathname !== "/api/accounts/login/code/poll") return known.fetch(url, init);
    expect(JSON.parse(String(init.body))).toEqual({ deviceCode: "device-secret" });
    polls.push(Math.round(clock.monotonic() / 1000));
    const answer = left.shift() ?? "Login Pending";
    if (answer === "broken") throw new TypeError("fetch failed");
    if (answer === "approved")
      return Response.json({ id: "tok_2", type: "authentication", token: TOKEN, accountId: "acc_1" }, { status: 201 });
    const problem = { title: answer, status: 400, detail: `${answer}.` };
    return Response.json(problem, { status: 400, headers: { "content-type": "application/problem+json" } });
  };
  const runWith = async (argv: readonly string[], options: Partial<RunOptions> = {}) => {
    let isOver = false;
    const ran = runHere(argv, { fetch, clock, ...options }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await settle();
      await clock.advance(1000);
    }
    return ran;
  };
  return { run: runWith, polls, asked: known.asked };
}

test("--browser shows a code and an address, polls at the interval, slower when it must, and keeps the log-in", async () => {
  const { run, polls } = codeService("Login Pending", "Login Slow Down", "broken", "approved");
  const { exitStatus, stdout, stderr } = await run(["login", "--browser"]);
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 0, stdout: `${TOKEN}\n` });
  for (const word of [CODE.verificationUri, CODE.userCode, "15 minutes"]) expect(stderr).toContain(word);
  expect(stderr).not.toContain("device-secret");
  expect(polls.map((at, index) => at - (polls[index - 1] ?? 0))).toEqual([5, 5, 10, 10]);
  expect(settings().profiles.default).toMatchObject({ token: TOKEN, tokenId: "tok_2", email: "ada@example.com" });
});

test.each([
  ["Login Denied", "The log-in was denied."],
  ["Login Expired", "The log-in was not approved in time."],
])("--browser ends with what the service says: %s", async (answer, message) => {
  const { exitStatus, stdout, stderr } = await codeService(answer).run(["login", "--browser"]);
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 4, stdout: "" });
  expect(stderr).toContain(message);
  expect(() => settings()).toThrow("ENOENT");
});

test("--browser does not poll for ever: the code is no longer valid", async () => {
  const { run, polls } = codeService();
  expect(await run(["login", "--browser"])).toMatchObject({ exitStatus: 4 });
  expect(polls.at(-1)).toBeLessThanOrEqual(905);
});

test("on a terminal the browser is the answer that needs no letter", async () => {
  const { run } = codeService("approved");
  const ran = await run(["login"], { terminal: true, typed: [""] });
  expect(ran).toMatchObject({ exitStatus: 0, stderr: expect.stringContaining(CODE.userCode) });
});

test("--with-token reads a token from stdin, checks it, keeps it, and shows it nowhere", async () => {
  const { fetch, asked } = service();
  const { exitStatus, stdout, stderr } = await runHere(["login", "--with-token"], { fetch, stdin: `${TOKEN}\n` });
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 0, stdout: "" });
  expect(stderr).toContain("Logged in as ada@example.com");
  expect(stderr).not.toContain(TOKEN);
  expect(asked[0]?.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  expect(settings().profiles.default).toMatchObject({ token: TOKEN, tokenId: "tok_1", accountId: "acc_1" });
});

test("--with-token keeps nothing that the service does not accept, and nothing that is no token", async () => {
  const refuses = async () =>
    Response.json(
      { title: "Token Invalid", status: 401, detail: "No." },
      { status: 401, headers: { "content-type": "application/problem+json" } },
    );
  const refused = await runHere(["login", "--with-token"], { fetch: refuses, stdin: TOKEN });
  expect(refused).toMatchObject({ exitStatus: 4, stdout: "" });
  const { fetch, asked } = service();
  expect(await runHere(["login", "--with-token"], { fetch, stdin: "a password" })).toMatchObject({ exitStatus: 2 });
  expect(asked).toEqual([]);
  expect(() => settings()).toThrow("ENOENT");
});

test("two ways at once are refused, and none without a terminal", async () => {
  expect(await runHere(["login", "--browser", "--with-token"])).toMatchObject({ exitStatus: 2 });
  const { exitStatus, stderr } = await runHere(["login"]);
  expect(exitStatus).toBe(2);
  expect(stderr).toContain("give --browser, --with-token, or --email EMAIL and --password-stdin");
});
