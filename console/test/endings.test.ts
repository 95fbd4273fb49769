/** How commands end: each exit status, its message, and the secrets that no message contains. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENTRIES } from "../src/commands/table.ts";
import { isNoun } from "../src/session/command.ts";
import { Interrupted, OutputClosed } from "../src/session/failure.ts";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
let home: { environmentId: string };
beforeAll(async () => {
  desk = await TestConsole.start();
  home = await desk.signIn();
});
afterAll(() => desk[Symbol.asyncDispose]());

/** A service that answers everything with one error. */
function answers(status: number, title: string, more: Record<string, unknown> = {}) {
  return async () =>
    Response.json(
      {
        type: "https://porchlight.example/docs/errors/x",
        title,
        status,
        detail: "Why it is so.",
        instance: "r-1",
        ...more,
      },
      { status, headers: { "content-type": "application/problem+json", "x-request-id": "r-1", "retry-after": "60" } },
    );
}

const nobody = async () => Promise.reject(new TypeError("fetch failed"));

test.each([
  [0, "environments list", {}],
  [1, "environments list", { fetch: answers(500, "Internal Error") }],
  [2, "environments lost", {}],
  [2, "environments list --limit none", {}],
  [3, "devices get nowhere", {}],
  [4, "whoami", { env: { PORCHLIGHT_TOKEN: `plt_usr_${"a".repeat(38)}` } }],
  [4, "whoami --profile nobody", {}],
  [4, "servers list", { fetch: answers(403, "Token Type Not Allowed") }],
  [5, "zones create --alias a/b", {}],
  [5, "users create --key k", { fetch: answers(403, "Quota Exceeded") }],
  [6, "environments properties env_00000000000000000000000000 X", { fetch: answers(503, "Hub Offline") }],
  [7, "whoami", { fetch: nobody, clock: undefined }],
  [7, "whoami", { fetch: answers(503, "Service Unavailable") }],
  [8, "whoami", { fetch: answers(429, "Rate Limit Exceeded", { retryable: true }) }],
  [130, "whoami", { signal: AbortSignal.abort(new Interrupted()) }],
  [0, "whoami", { signal: AbortSignal.abort(new OutputClosed()) }],
])("exit status %i: porchlight %s", async (exitStatus, line, options) => {
  // Tries again and again: on the machine's own clock these are three short waits.
  const ran = await desk.run(line, "clock" in options ? { ...options, clock: hurried } : options);
  expect({ line, ...ran }).toMatchObject({ exitStatus });
});

/** Where nobody answers the client waits between its tries: not here. */
const hurried = {
  ...systemClock,
  timer: (name: string, ms: number, fire: () => void) => systemClock.timer(name, name === "retry" ? 0 : ms, fire),
};

test("a failure is reported in three lines with the request's ID, and as the API's own problem with --json", async () => {
  const { stderr, stdout } = await desk.run("devices get nowhere");
  expect(stdout).toBe("");
  const [error, why, remedy, ...rest] = stderr.split("\n");
  expect(error).toMatch(/^error: Device Not Found \(request \S+\)$/);
  expect(why).toMatch(/^why: {3}\S/);
  expect(remedy).toMatch(/^try: {3}\S/);
  expect(rest).toEqual([""]);
  const json = await desk.run("devices get nowhere --json");
  expect(json.stdout).toBe("");
  expect(JSON.parse(json.stderr)).toMatchObject({ title: "Device Not Found", status: 404, detail: expect.any(String) });
  const own = await desk.run("devices gte x --json");
  expect(JSON.parse(own.stderr)).toMatchObject({ title: "Unknown command `gte`.", exitStatus: 2 });
});

test.each([
  ["a file that is missing", { PORCHLIGHT_TOKEN_FILE: "/nowhere/token" }, "/nowhere/token cannot be read (ENOENT)."],
  ["a folder", { PORCHLIGHT_TOKEN_FILE: "/" }, "/ cannot be read (EISDIR)."],
  ["an empty file", { PORCHLIGHT_TOKEN_FILE: "/dev/null" }, "/dev/null does not have one token."],
  [
    "a variable beside it",
    { PORCHLIGHT_TOKEN_FILE: "/dev/null", PORCHLIGHT_TOKEN: "plt_usr_x" },
    "PORCHLIGHT_TOKEN is set too.",
  ],
])("a token file that cannot be used is wrong usage: %s", async (_what, env, why) => {
  const ran = await desk.run("whoami", { env });
  expect(ran).toMatchObject({ exitStatus: 2, stderr: expect.stringContaining(why) });
  expect(ran.stderr).not.toContain("plt_usr_x");
});

test("a token comes from the file that PORCHLIGHT_TOKEN_FILE names, and is not shown", async () => {
  await desk.json("servers create --alias of-a-file");
  const { token } = await desk.json("tokens create --server of-a-file");
  const folder = mkdtempSync(join(tmpdir(), "porchlight-token-"));
  try {
    writeFileSync(join(folder, "token"), `${token}\n`);
    const env = { PORCHLIGHT_TOKEN_FILE: join(folder, "token") };
    const { exitStatus, stdout } = await desk.run("whoami", { env });
    expect({ exitStatus, stdout }).toEqual({ exitStatus: 0, stdout: expect.stringContaining("PORCHLIGHT_TOKEN_FILE") });
    expect(stdout).not.toContain(token);
    const { stderr } = await desk.run("logout", { env });
    expect(stderr).toContain("unset PORCHLIGHT_TOKEN_FILE, and try again");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("fields that are wrong are named", async () => {
  const { stderr } = await desk.run(["devices", "create", "--services", '[{"service": 7}]']);
  expect(stderr).toContain("/services/0/service");
});

test.each([
  ["lgoin", "Did you mean login?"],
  ["devcies list", "Did you mean devices?"],
  ["devices lits", "Did you mean list?"],
  ["devices list --enviroment x", "Did you mean --environment?"],
  ["devices list --jsno", "Did you mean --json?"],
])("porchlight %s: %s", async (line, meant) => {
  const { exitStatus, stderr } = await desk.run(line);
  expect(exitStatus).toBe(2);
  expect(stderr).toContain(meant);
});

test("a failure of the console itself shows no stack unless it is asked for", async () => {
  const broken = { name: "broken", summary: "Breaks", section: "Other commands" as const };
  const load = async () => ({
    examples: [],
    run: async () => {
      throw new Error("a mistake of ours");
    },
  });
  const plain = await desk.run("broken", { entries: [{ ...broken, load }] });
  expect(plain).toMatchObject({ exitStatus: 1 });
  expect(plain.stderr).toContain("a mistake of ours");
  expect(plain.stderr).not.toMatch(/\n\s*at /);
  expect((await desk.run("broken --debug", { entries: [{ ...broken, load }] })).stderr).toMatch(/\n\s*at /);
});

test("no secret stands on a command line: no option takes one", async () => {
  const options: string[] = [];
  for (const { name, load } of ENTRIES) {
    const loaded = await load();
    for (const action of isNoun(loaded) ? loaded : [loaded])
      for (const { name: option, value } of action.options ?? [])
        if (value && /password|secret|token|code|key/.test(option)) options.push(`${name} --${option} ${value}`);
  }
  // A user's key is readable and no secret; what ends in FILE is read from one; a token is named by its ID.
  const harmless = /^(users --key KEY|.* FILE|requests --token TOKEN)$/;
  expect(options.filter((each) => !harmless.test(each))).toEqual([]);
  const refused = await desk.run(["tokens", "delete", `plt_usr_${"Z9".repeat(19)}`, "--user", "ada"]);
  expect(refused).toMatchObject({ exitStatus: 2 });
});

test("no token is in what is written beside the data, with --debug neither", async () => {
  const secrets = new Set<string>();
  const [user] = (await desk.json("users list")).items;
  const made = await desk.json(`tokens create --user ${user.id}`);
  const hook = await desk.json("webhooks create --url https://receiver.example/x --debug");
  for (const line of [
    "whoami --debug",
    "tokens list --user x --debug",
    "accounts logins --debug",
    "nothing",
    "api GET /token --debug -i",
  ])
    await desk.run(line, { env: { PORCHLIGHT_TOKEN: made.token } });
  const login = await desk.run("login --email ada@example.com --password-stdin --debug", {
    stdin: "correct horse battery",
  });
  for (const each of [made.token, hook.secret, login.stdout.trim(), "correct horse battery"]) secrets.add(each);
  expect(secrets.size).toBe(4);
  expect(desk.stderr).toContain("> authorization: Bearer plt_usr_…");
  for (const secret of secrets) expect(desk.stderr).not.toContain(secret);
  expect(desk.stderr).not.toMatch(/plt_[a-z]+_[0-9A-Za-z]/);
});

test("a text of the service cannot move the cursor", async () => {
  const evil = "\u001b[2J\u202e";
  await desk.run(["environments", "update", home.environmentId, "--set-meta", `name=${evil}`]);
  for (const line of ["environments get", "environments get --json"]) {
    const [noun = "", verb = "", ...flags] = line.split(" ");
    const { stdout } = await desk.run([noun, verb, home.environmentId, ...flags], {
      terminal: true,
      env: { NO_COLOR: "1" },
    });
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("\u202e");
    expect(stdout).toContain("\\u001b");
  }
});
