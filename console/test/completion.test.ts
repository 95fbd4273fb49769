/** Completion in the shells themselves: bash and fish are asked what they would offer, zsh what it hands to its own functions. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../src/main/run.fixture.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

let folder: string;
const script = (shell: string) => join(folder, `completion.${shell}`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-completion-"));
  for (const shell of SHELLS) {
    const { stdout } = await run(["completion", shell], { home: folder });
    writeFileSync(script(shell), stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program of the shell without anybody's own settings. */
function shell(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" },
  });
}

/** What bash offers for a line; its last word is what is being typed. */
function offeredByBash(line: string): string[] {
  const words = ["porchlight", ...line.split(" ")].map((word) => `'${word}'`).join(" ");
  const program = [
    `source ${script("bash")}`,
    `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _porchlight`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  return shell("bash", ["--norc", "-c", program.join("\n")])
    .split("\n")
    .filter(Boolean);
}

function offeredByFish(line: string): string[] {
  const offered = shell("fish", ["--no-config", "-c", `source ${script("fish")}; complete -C 'porchlight ${line}'`]);
  return offered
    .split("\n")
    .filter(Boolean)
    .map((each) => each.split("\t")[0] ?? "");
}

/** What zsh's own functions are handed: its completion proper wants somebody at the keys. */
function offeredByZsh(line: string): string[] {
  const words = ["porchlight", ...line.split(" ")].map((word) => `'${word}'`).join(" ");
  const program = [
    "compdef() { }; _files() { print FILES }; compadd() { shift; print -l -- $@ }",
    "_describe() { print -l -- $" + "{(P)2} }",
    `source ${script("zsh")}`,
    `complete() { local -a words=(${words}); local CURRENT=$#words PREFIX=$words[-1]; _porchlight }; complete`,
  ];
  const typed = line.split(" ").at(-1) ?? "";
  return shell("zsh", ["-f", "-c", program.join("\n")])
    .split("\n")
    .map((each) => each.split(":")[0] ?? "")
    .filter((each) => each !== "" && each.startsWith(typed));
}

const OFFERED = { bash: offeredByBash, zsh: offeredByZsh, fish: offeredByFish };

describe.each(SHELLS)("%s", (name) => {
  const offered = OFFERED[name];

  it("offers commands, and verbs after a noun", () => {
    expect(offered("dev")).toEqual(["devices"]);
    expect(offered("devices l")).toEqual(["list"]);
    expect(offered("help ref")).toEqual(["references"]);
  });

  it("offers the options of the command, and those of all", () => {
    expect(offered("set lamp Switch.on on --no")).toEqual(expect.arrayContaining(["--no-wait", "--no-color"]));
    expect(offered("devices list --zo")).toEqual(["--zone"]);
  });

  it("offers what an option takes, where that can be known", () => {
    expect(offered("devices list --type ")).toEqual(["physical", "virtual"]);
  });

  it("takes the value of an option for no command", () => {
    expect(offered("--profile work zon")).toEqual(name === "fish" ? [] : ["zones"]);
  });
});

it("there is none for another shell, and the error lists the supported ones", async () => {
  const { exitStatus, stderr } = await run(["completion", "tcsh"], { home: folder });
  expect({ exitStatus, stderr }).toMatchObject({
    exitStatus: 2,
    stderr: expect.stringContaining("bash, zsh and fish"),
  });
});
