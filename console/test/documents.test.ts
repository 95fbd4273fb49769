/** The console's page says what its tables say: every command, and every exit status. */
import { readFileSync } from "node:fs";
import { CHECK_RESULT_MEANINGS } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { ENTRIES } from "../src/commands/table.ts";
import { CHECKS, checkRows } from "../src/commands/tools/doctor-checks.ts";
import { isNoun } from "../src/session/command.ts";
import { EXIT, EXIT_MEANINGS, type ExitName } from "../src/session/failure.ts";
import { SETTINGS } from "../src/settings/connection.ts";
import { TestConsole, wordsOf } from "./console.ts";

const page = readFileSync(new URL("../../docs/console.md", import.meta.url), "utf8");

/** Rows of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const section = page.slice(page.indexOf(heading)).split(/\n#+ /)[0] ?? "";
  return section
    .split("\n")
    .filter((line) => /^\| [^|]/.test(line))
    .slice(1);
}

/** Every command line that there is, with its words. */
async function commands() {
  const found = ENTRIES.map(async ({ name, summary, load }) => {
    const loaded = await load();
    const all = isNoun(loaded)
      ? loaded.map((each) => ({ ...each, path: `${name} ${each.name}` }))
      : [{ ...loaded, path: name, summary }];
    return all.map((each) => ({ ...each, words: (each.parameters ?? []).map(({ name: word }) => word) }));
  });
  return (await Promise.all(found)).flat();
}

test("the page has every command", async () => {
  const rows = (await commands()).map(
    ({ path, words, summary }) => `| \`${[path, ...words].join(" ")}\` | ${summary} |`,
  );
  expect(rowsUnder("## Commands")).toEqual(rows);
});

test("the page has every exit status", () => {
  const rows = Object.entries(EXIT).map(([name, status]) => `| ${status} | ${EXIT_MEANINGS[name as ExitName]} |`);
  expect(rowsUnder("### Exit statuses")).toEqual(rows);
});

test("types of events are chosen by one option everywhere", async () => {
  const takeTypes = (await commands()).filter(({ options = [] }) =>
    options.some(({ name, value }) => value?.includes("TYPE,") || /^(events?|types)$/.test(name)),
  );
  expect(takeTypes.map(({ path }) => path)).toEqual([
    ...["events list", "events tail", "webhooks create", "webhooks update", "webhooks listen"],
  ]);
  for (const { path, options = [] } of takeTypes)
    expect(
      options.filter(({ name }) => /^(events?|types)$/.test(name)).map(({ name }) => name),
      path,
    ).toEqual(["types"]);
});

test("the page has every setting", () => {
  const rows = Object.entries(SETTINGS).map(([name, { about }]) => `| \`${name}\` | ${about} |`);
  expect(rowsUnder("## Settings")).toEqual(rows);
});

test("the page has every check of doctor, every result and the exit status of each", () => {
  expect(rowsUnder("## When something is wrong")).toEqual([
    ...Object.entries(CHECK_RESULT_MEANINGS).map(([result, meaning]) => `| \`${result}\` | ${meaning} |`),
    "| check | what it looks at | warning when | failed when | exit status |",
    ...checkRows(),
  ]);
});

test("the example of doctor on the page has results and checks that there are", () => {
  const [, example = ""] = /\$ porchlight doctor\n([^`]*)/.exec(page) ?? [];
  const lines = example.split("\n").filter((line) => /^\S/.test(line));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const [result = "", check = ""] = line.split(/ +/);
    expect(Object.keys(CHECK_RESULT_MEANINGS)).toContain(result);
    expect([...Object.keys(CHECKS), "hub"]).toContain(check);
  }
});

test("every command has its own help, with examples that are its own, and summaries are sentences without their full stop", async () => {
  await using desk = await TestConsole.start();
  for (const { path, summary, examples } of await commands()) {
    expect(summary, path).toMatch(/^[A-Z].*[^.]$/);
    expect(examples.length, path).toBeGreaterThan(0);
    for (const example of examples)
      expect(example, path).toMatch(new RegExp(`(^|\\()porchlight (\\S+ )*?${path}( |\\)|$)`));
    const { exitStatus, stdout } = await desk.run(`help ${path}`);
    expect(exitStatus).toBe(0);
    for (const example of examples) expect(stdout).toContain(example);
    // The semicolon of a reference would end the shell's command.
    for (const example of examples) expect(wordsOf(example.replace(/'[^']*'/g, "")).join(" ")).not.toContain(";");
  }
});

test("help keeps within the width of the terminal where it can", async () => {
  await using desk = await TestConsole.start();
  const { stdout } = await desk.run("help", { terminal: true, columns: 60 });
  const lines = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
});
