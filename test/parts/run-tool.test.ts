/** What runs the tools of the project ends when they do, however much progress they print. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

/** The script has no types. */
type RunTool = (
  name: string,
  command: readonly string[],
  how: { readonly measured: boolean },
) => Promise<{ readonly ok: boolean; readonly output: string }>;
const { runTool }: { readonly runTool: RunTool } = await import(pathToFileURL(resolve("scripts/test/steps.mjs")).href);

/** Prints more progress than any pipe holds, and ends. */
const TALKATIVE = `const out = require("node:fs").createWriteStream("", { fd: 3 });
  for (let line = 0; line < 20_000; line++) out.write(JSON.stringify({ file: "x".repeat(60), line }) + "\\n");
  out.end(() => console.log("said"));`;

it.each([true, false])("a tool that prints much of its progress ends (measured: %s)", async (measured) => {
  const { ok, output } = await runTool("a tool", [process.execPath, "-e", TALKATIVE], { measured });
  expect([ok, output]).toEqual([true, "said\n"]);
});
