/** Every command of the console beside a service whose texts are hostile: none of them moves the terminal's cursor or forges a row. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ENTRIES } from "../commands/table.ts";
import { type Action, isNoun } from "../session/command.ts";
import { type Ran, run } from "./run.fixture.ts";

const HOSTILE = "a\u001b[2J\u001b]0;t\u0007\u009b1m\nFORGED row\rFORGED\u2028FORGED\u202eb\u2066c\u200b\u200e\ufeff";
const FORBIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;
/** Requests after which a command that goes on for ever is interrupted. */
const MOST_REQUESTS = 20;

const NAMES =
  "id alias name label title summary detail message type kind service index property model manufacturer unit email";
const MORE =
  "says cure text reason action actor path method url host version state outcome source problem verdict check role access";
const WORDS = Object.fromEntries(`${NAMES} ${MORE}`.split(" ").map((name) => [name, HOSTILE]));
const VALUE = {
  ...WORDS,
  value: HOSTILE,
  meta: { [HOSTILE]: HOSTILE, name: HOSTILE },
  observedAt: 1,
  createdAt: "2026-01-01T00:00:00Z",
};
const SERVICES = [
  { service: "Switch", index: "0", properties: [{ ...VALUE, property: "on", access: ["read", "write"] }] },
];
/** An object, a page of objects and an event, in one. */
const BODY = {
  ...VALUE,
  data: [{ ...VALUE, services: SERVICES, online: true }],
  items: [VALUE],
  services: SERVICES,
  checks: [VALUE],
};
const PROBLEM = { ...WORDS, type: `https://x/${HOSTILE}`, status: 422, requestId: HOSTILE };

/** Verbs that show what a noun is. */
const SHOWING = new Set(["list", "get", "show", "devices"]);
/** The same of verbs that stand alone. */
const ALONE = new Set(["whoami", "get", "set", "log"]);

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "porchlight-console-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Waits for nothing. */
const clock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  timer: (name, _ms, fire) => systemClock.timer(name, 0, fire),
};

async function printed(words: readonly string[], status: number, body: unknown): Promise<Ran> {
  const end = new AbortController();
  let requests = 0;
  return await run(words, {
    ...{ home, clock, terminal: true, columns: 400, signal: end.signal },
    env: { NO_COLOR: "1", PORCHLIGHT_API_URL: "http://127.0.0.1:9", PORCHLIGHT_TOKEN: "plt_usr_x" },
    fetch: async () => {
      requests += 1;
      if (requests > MOST_REQUESTS) end.abort(new Error("interrupted"));
      const type = status === 200 ? "application/json" : "application/problem+json";
      return new Response(JSON.stringify(body), { status, headers: { "content-type": type } });
    },
  });
}

/** Command lines of all commands that only show something, with what each must be given. */
async function commandLines(): Promise<string[][]> {
  const lines: string[][] = [];
  const add = (names: readonly string[], { parameters = [] }: Action) => {
    lines.push([...names, ...parameters.filter(({ isOptional }) => !isOptional).map(() => "dev_1")]);
  };
  for (const { name, load } of ENTRIES) {
    const loaded = await load();
    if (isNoun(loaded)) {
      for (const command of loaded) if (SHOWING.has(command.name)) add([name, command.name], command);
    } else if (ALONE.has(name)) add([name], loaded);
  }
  return lines;
}

function expectPrintable({ stdout, stderr }: Ran, line: readonly string[]): void {
  const rows = `${stdout}${stderr}`.split("\n");
  expect([line, rows.flatMap((row) => row.match(FORBIDDEN) ?? [])]).toEqual([line, []]);
  expect([line, rows.filter((row) => row.trimStart().startsWith("FORGED"))]).toEqual([line, []]);
}

test.each([
  ["objects", 200, BODY, []],
  ["objects, shown as JSON,", 200, BODY, ["--json"]],
  ["a refusal", 422, PROBLEM, []],
] as const)(
  "%s of a hostile service moves no cursor and forges no row, whichever command shows it",
  async (_, status, body, flags) => {
    const shown: string[] = [];
    for (const words of await commandLines()) {
      const line = [...words, ...flags];
      const ran = await printed(line, status, body);
      expectPrintable(ran, line);
      if (`${ran.stdout}${ran.stderr}`.includes("\\u001b")) shown.push(line.join(" "));
    }
    // Most of them have shown some of it.
    expect(shown.length).toBeGreaterThan(15);
  },
  60_000,
);
