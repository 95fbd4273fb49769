/** `porchlight accounts export` against the real service: started, waited for, and stored whole or not at all. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipped } from "@porchlight/cloud/exports/zip.fixture.ts";
import { type Clock, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestConsole } from "./console.ts";

const PASSWORD = "correct horse battery";

let desk: TestConsole;
let id: string;
beforeEach(async () => {
  desk = await TestConsole.start();
  ({ id } = await desk.signIn());
});
afterEach(() => desk[Symbol.asyncDispose]());

/** A clock on which nobody waits. */
const atOnce: Clock = {
  ...systemClock,
  timer: (name, ms, fire) => systemClock.timer(name, ms > 10_000 ? ms : 0, fire),
};
const at = (name: string) => join(desk.home, name);
const run = (line: string, options: Parameters<TestConsole["run"]>[1] = {}) =>
  desk.run(`accounts export ${line}`, { clock: atOnce, ...options });

test("an export is a zip file that only its owner can read, and comes again with --last", async () => {
  const first = await run(`--out ${at("one.zip")} --password-stdin`, { stdin: PASSWORD });
  expect(first).toMatchObject({ exitStatus: 0, stdout: "" });
  expect(first.stderr).toMatch(/^The service is making the archive …\nStored [\d,]+ bytes in .*one\.zip\.\n$/);
  expect(unzipped(readFileSync(at("one.zip"))).get("account.ndjson")).toContain(id);
  expect(statSync(at("one.zip")).mode & 0o777).toBe(0o600);
  expect(existsSync(at("one.zip.unfinished"))).toBe(false);
  const { bytes } = await desk.json(`accounts export --last --out ${at("two.zip")}`, { clock: atOnce });
  expect(bytes).toBe(statSync(at("two.zip")).size);
  expect(readFileSync(at("two.zip")).equals(readFileSync(at("one.zip")))).toBe(true);
});

test("a file that is there already is not touched", async () => {
  await run(`--out ${at("one.zip")} --password-stdin`, { stdin: PASSWORD });
  writeFileSync(at("mine.zip"), "mine");
  expect(await run(`--last --out ${at("mine.zip")}`)).toMatchObject({
    exitStatus: 2,
    stderr: expect.stringContaining("There is such a file already."),
  });
  expect(readFileSync(at("mine.zip"), "utf8")).toBe("mine");
});

test("with a wrong password, and where there is none, nothing is stored", async () => {
  expect((await run(`--out ${at("one.zip")} --password-stdin`, { stdin: "wrong" })).exitStatus).toBe(4);
  expect(await run(`--last --out ${at("one.zip")}`)).toMatchObject({
    exitStatus: 3,
    stderr: expect.stringContaining("There is no export."),
  });
  expect(existsSync(at("one.zip"))).toBe(false);
});

test("a download whose connection breaks goes on where it broke off", async () => {
  await run(`--out ${at("whole.zip")} --password-stdin`, { stdin: PASSWORD });
  const asked: (string | null)[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await desk.fetch(url, init);
    if (!url.endsWith("/archive")) return response;
    asked.push(new Headers(init.headers).get("range"));
    if (asked.length > 3) return response;
    const part = new Uint8Array(await response.arrayBuffer()).subarray(0, 100);
    const { status, headers } = response;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (part.length === 0) return;
        controller.enqueue(part.slice());
        controller.error(new Error("the connection broke"));
      },
    });
    return new Response(asked.length === 2 ? broken : part, { status, headers });
  };
  expect((await run(`--last --out ${at("again.zip")}`, { fetch })).exitStatus).toBe(0);
  expect(asked.length).toBeGreaterThan(3);
  expect(asked[0]).toBeNull();
  expect(asked[1]).toBe("bytes=100-");
  expect(readFileSync(at("again.zip")).equals(readFileSync(at("whole.zip")))).toBe(true);
});

test("a download of which another archive has taken the place ends, and leaves no file", async () => {
  await run(`--out ${at("one.zip")} --password-stdin`, { stdin: PASSWORD });
  let isFirst = true;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const isPart = url.endsWith("/archive");
    if (isPart && !isFirst) await run(`--out ${at("other.zip")} --password-stdin`, { stdin: PASSWORD });
    const response = await desk.fetch(url, init);
    if (!isPart || !isFirst) return response;
    isFirst = false;
    const { status, headers } = response;
    return new Response(new Uint8Array(await response.arrayBuffer()).subarray(0, 100), { status, headers });
  };
  const ran = await run(`--last --out ${at("two.zip")}`, { fetch });
  expect(ran).toMatchObject({ exitStatus: 3, stderr: expect.stringContaining("Another archive") });
  expect([existsSync(at("two.zip")), existsSync(at("two.zip.unfinished"))]).toEqual([false, false]);
});
