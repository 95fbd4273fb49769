/** `porchlight config`: settings by their names, checked before they are written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "./run.fixture.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "porchlight-home-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const config = (...argv: string[]) => run(["config", ...argv], { home });
const file = () => JSON.parse(readFileSync(join(home, ".porchlight/settings.json"), "utf8"));

test("a setting is written, shown, listed and removed again", async () => {
  expect(await config("get", "environment")).toMatchObject({ exitStatus: 3, stdout: "" });
  expect(await config("set", "api-url", "https://porchlight.example/api/")).toMatchObject({
    exitStatus: 0,
    stdout: "",
  });
  await config("set", "environment", "home");
  expect(file().profiles.default).toEqual({ apiUrl: "https://porchlight.example", environment: "home" });
  expect((await config("get", "api-url")).stdout).toBe("https://porchlight.example\n");
  const { stdout } = await config("list");
  expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
    ...[
      ["profile", "default"],
      ["api-url", "https://porchlight.example"],
      ["environment", "home"],
    ],
    ...[["ecosystem", ""], ["output", ""], [""]],
  ]);
  expect(await config("unset", "environment")).toMatchObject({ exitStatus: 0 });
  expect(file().profiles.default).toEqual({ apiUrl: "https://porchlight.example" });
});

test.each([
  ["colour", "red", "There is no setting `colour`."],
  ["token", "plt_auth_x", "There is no setting `token`."],
  ["api-url", "porchlight", "api-url cannot be `porchlight`."],
  ["output", "xml", "output cannot be `xml`."],
  ["profile", "work", "profile cannot be `work`."],
])("set %s %s is refused, and nothing is written", async (name, value, message) => {
  expect(await config("set", name, value)).toMatchObject({ exitStatus: 2, stderr: expect.stringContaining(message) });
  expect(() => file()).toThrow("ENOENT");
});

test("another address takes the token away with it: it was for another service", async () => {
  await config("set", "api-url", "https://one.example");
  const path = join(home, ".porchlight/settings.json");
  const profile = { apiUrl: "https://one.example", token: "plt_auth_x", environment: "home" };
  writeFileSync(path, JSON.stringify({ ...file(), profiles: { default: profile } }));
  await config("set", "api-url", "https://one.example");
  expect(file().profiles.default).toEqual(profile);
  await config("set", "api-url", "https://two.example");
  expect(file().profiles.default).toEqual({ apiUrl: "https://two.example" });
});

test("output json is --json without saying so", async () => {
  await config("set", "output", "json");
  expect(JSON.parse((await run(["profiles", "list"], { home })).stdout)).toEqual({ items: [] });
  await config("unset", "output");
  expect((await run(["profiles", "list"], { home })).stdout).toBe("");
});
