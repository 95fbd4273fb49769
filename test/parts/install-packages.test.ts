/** The installation of missing packages of the system, with programs in the place of dpkg and apt-get. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** The script has no types. */
type InstallPackages = (packages: readonly string[]) => void;
const { installPackages }: { readonly installPackages: InstallPackages } = await import(
  pathToFileURL(resolve("scripts/parts.mjs")).href
);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-apt-"));
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** @param script what the program does after it has noted how it was called */
function program(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\ncd ${folder}\necho "${name} $*" >>called\n${script}\n`);
  chmodSync(path, 0o755);
}
const called = () => readFileSync(join(folder, "called"), "utf8").trimEnd().split("\n");

it("completes an interrupted installation first, without which apt-get installs nothing", () => {
  writeFileSync(join(folder, "interrupted"), "");
  program("dpkg", "rm -f interrupted");
  program("apt-get", "test ! -e interrupted || exit 100");
  installPackages(["tmux", "zsh"]);
  expect(called()).toEqual([
    "dpkg --configure -a",
    "apt-get update -q",
    "apt-get install -y -q --no-install-recommends tmux zsh",
  ]);
});

it("installs nothing when an interrupted installation cannot be completed, and names the command that shows why", () => {
  program("dpkg", "exit 2");
  program("apt-get", "");
  expect(() => installPackages(["tmux"])).toThrow(/look at the output of `dpkg --configure -a` \(status 2\)/);
  expect(called()).toEqual(["dpkg --configure -a"]);
});
