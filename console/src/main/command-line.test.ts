/** The command line: what is read from which words, what is loaded for it, and the error for a wrong one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { Args } from "../session/args.ts";
import type { Action, Command, Entry } from "../session/command.ts";
import { run } from "./run.fixture.ts";

const home = mkdtempSync(join(tmpdir(), "porchlight-home-"));
afterAll(() => rmSync(home, { recursive: true }));

let loaded: string[] = [];
let seen: Args | undefined;
beforeEach(() => {
  loaded = [];
  seen = undefined;
});

const see = async (_context: unknown, args: Args) => {
  seen = args;
};

const put: Command = {
  name: "put",
  summary: "Puts it",
  parameters: [
    { name: "THING", summary: "What" },
    { name: "PLACE", summary: "Where", isOptional: true },
  ],
  options: [
    { name: "tag", short: "t", value: "TAG", summary: "A tag", isRepeatable: true },
    { name: "count", value: "N", summary: "How many", number: [1, 9] },
    { name: "kind", value: "KIND", summary: "Which", choices: ["soft", "hard"] },
    { name: "colours", value: "COLOUR", summary: "Which colours", isRepeatable: true, formerNames: ["colour"] },
    { name: "no-lid", summary: "Open" },
    { name: "dry", summary: "Only says so" },
  ],
  examples: ["porchlight box put lamp"],
  run: see,
};
const need: Command = {
  ...{ name: "need", summary: "Needs a key", examples: ["porchlight box need --key k"], run: see },
  options: [{ name: "key", value: "KEY", summary: "The key", isRequired: true }],
};
const say: Action = {
  parameters: [{ name: "WORD", summary: "To say", isRest: true }],
  examples: ["porchlight say hello"],
  run: see,
};

function entry(name: string, body: Action | readonly Command[]): Entry {
  const load = async () => {
    loaded.push(name);
    return body;
  };
  return { name, summary: `What ${name} does`, section: "Other commands", load };
}
const entries = [entry("box", [put, need]), entry("say", say)];

const read = (...argv: string[]) => run(argv, { home, entries });

test("words, flags and values reach the command by their names", async () => {
  const argv = ["box", "put", "lamp", "-t", "a", "--tag=b", "--count", "3", "--kind", "hard", "--no-lid"];
  expect(await read(...argv)).toMatchObject({ exitStatus: 0, stderr: "" });
  expect([seen?.word("THING"), seen?.optionalWord("PLACE")]).toEqual(["lamp", undefined]);
  expect([seen?.all("tag"), seen?.text("tag"), seen?.number("count"), seen?.text("kind")]).toEqual([
    ["a", "b"],
    "b",
    3,
    "hard",
  ]);
  expect([seen?.has("no-lid"), seen?.has("dry"), seen?.text("dry")]).toEqual([true, false, undefined]);
});

test("what begins with a hyphen is a word after two of them, and a negative number is one anyway", async () => {
  await read("box", "put", "--", "-lamp");
  expect(seen?.word("THING")).toBe("-lamp");
  await read("box", "put", "-3.5");
  expect(seen?.word("THING")).toBe("-3.5");
});

test("an empty word is no reference, which would lead elsewhere, and may be a value", () => {
  const words = new Args(
    [
      { name: "DEVICE", summary: "" },
      { name: "VALUE", summary: "", mayBeEmpty: true },
    ],
    ["", ""],
    {},
  );
  expect(() => words.word("DEVICE")).toThrow("DEVICE is missing.");
  expect(words.word("VALUE")).toBe("");
});

test("the options of all commands stand before the command or behind it", async () => {
  for (const argv of [
    ["--json", "--profile", "p", "say", "a", "b"],
    ["say", "a", "b", "--json", "--profile", "p"],
  ]) {
    expect(await read(...argv)).toMatchObject({ exitStatus: 0 });
    expect(seen?.rest("WORD")).toEqual(["a", "b"]);
  }
});

test("a module is loaded when it is named, and help and version load none", async () => {
  for (const argv of [["--version"], ["--help"], [], ["help"], ["help", "scripting"], ["nonsense"]])
    await read(...argv);
  expect(loaded).toEqual([]);
  await read("box", "--help");
  expect(loaded).toEqual(["box"]);
});

test.each([
  [["box", "put"], "Missing required argument `THING`."],
  [["box", "put", "a", "b", "c"], "Too many arguments for `put`. Expected 2 arguments but got 3: a, b, c."],
  [["box", "put", "a", "--count"], "Option `--count N` argument missing."],
  [["box", "put", "a", "--count", "12"], "--count takes a whole number from 1 to 9."],
  [["box", "put", "a", "--count", "-1"], "--count takes a whole number from 1 to 9."],
  [["box", "put", "a", "--kind", "wet"], "--kind takes one of: soft, hard."],
  [["box", "put", "a", "--tga", "x"], "Unknown option `--tga`."],
  [["box", "need"], "Required option `--key KEY` not specified."],
  [["boxx"], "Unknown command `boxx`."],
])("%j: %s", async (argv, what) => {
  const { exitStatus, stdout, stderr } = await read(...argv);
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 2, stdout: "" });
  expect(stderr.split("\n")[0]).toBe(`error: ${what}`);
  expect(seen).toBeUndefined();
});

test("a noun without a verb shows its verbs, and is wrong", async () => {
  const { exitStatus, stdout, stderr } = await read("box");
  expect({ exitStatus, stdout }).toEqual({ exitStatus: 2, stdout: "" });
  expect(stderr).toContain("put THING [PLACE]");
});

test("help is the same whichever way it is asked for", async () => {
  const { stdout } = await read("help", "box", "put");
  expect(stdout).toContain("porchlight box put lamp");
  expect(stdout).toContain("--count N");
  expect((await read("box", "put", "--help")).stdout).toBe(stdout);
  expect((await read("box", "put", "-h")).stdout).toBe(stdout);
});

test("a former name of an option still works, is marked as deprecated, and is in no help", async () => {
  const { exitStatus, stderr } = await read("box", "put", "lamp", "--colour", "red", "--colours", "blue");
  expect(exitStatus).toBe(0);
  expect([...(seen?.all("colours") ?? [])].sort()).toEqual(["blue", "red"]);
  expect(stderr).toBe("--colour is deprecated: use --colours.\n");
  expect((await read("box", "put", "lamp", "--colours", "blue")).stderr).toBe("");
  const { stdout } = await read("box", "put", "--help");
  expect(stdout).toContain("--colours");
  expect(stdout).not.toMatch(/--colour\b/);
});
