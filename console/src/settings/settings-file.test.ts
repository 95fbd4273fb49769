/** The settings file under crashes, damage and other people's eyes. */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Disk, SettingsFile, SettingsUnusable, settingsPath } from "./settings-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "porchlight-settings-"));
  path = join(folder, "inner", "settings.json");
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const random = seededRandom(1);

function named(name: string) {
  return { current: name, profiles: { [name]: { apiUrl: "https://porchlight.example", token: `plt_auth_${name}` } } };
}

/** The machine's disk until its step number `at`, which dies, and everything after it too: as of a killed process. */
function dyingDisk(at: number): { disk: Disk; steps: () => number } {
  let steps = 0;
  const step = <T extends unknown[], R>(real: (...args: T) => R) => {
    return (...args: T): R => {
      steps += 1;
      if (steps > at) throw new Error("killed");
      return real(...args);
    };
  };
  const { mkdirSync, openSync, writeSync, fsyncSync, closeSync, renameSync } = fs;
  const real = { mkdirSync, openSync, writeSync, fsyncSync, closeSync, renameSync };
  // Their own types are overloaded: each is wrapped as what it is called with.
  const wrapped = Object.entries(real).map(([name, each]) => [name, step(each as (...args: unknown[]) => unknown)]);
  const rmSync = (...args: Parameters<typeof fs.rmSync>) => {
    if (steps > at) throw new Error("killed");
    fs.rmSync(...args);
  };
  const disk = { ...fs, ...Object.fromEntries(wrapped), rmSync };
  return { disk: disk as Disk, steps: () => steps };
}

test("only its owner may read it, and enter its folder", () => {
  new SettingsFile(path, random).change(() => named("a"));
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  expect(fs.statSync(join(folder, "inner")).mode & 0o777).toBe(0o700);
  fs.chmodSync(path, 0o644);
  const file = new SettingsFile(path, random);
  expect(file.isOpenToOthers).toBe(true);
  file.change(() => named("b"));
  expect(file.isOpenToOthers).toBe(false);
});

test("a crash at any step leaves the old settings or the new, and the next write clears what is left", () => {
  const whole = dyingDisk(Number.POSITIVE_INFINITY);
  new SettingsFile(path, random, whole.disk).change(() => named("old"));
  expect(whole.steps()).toBeGreaterThanOrEqual(8);
  for (let at = 0; at < whole.steps(); at++) {
    new SettingsFile(path, random).change(() => named("old"));
    const crash = () => new SettingsFile(path, random, dyingDisk(at).disk).change(() => named("new"));
    expect(crash).toThrow("killed");
    const { current, profiles } = new SettingsFile(path, random).read();
    expect(["old", "new"]).toContain(current);
    expect(profiles[current]?.token).toBe(`plt_auth_${current}`);
    for (const name of fs.readdirSync(join(folder, "inner")))
      expect(fs.statSync(join(folder, "inner", name)).mode & 0o077).toBe(0);
    new SettingsFile(path, random).change(() => named("next"));
    expect(fs.readdirSync(join(folder, "inner"))).toEqual(["settings.json"]);
  }
});

test("a full disk is reported, and nothing is lost", () => {
  new SettingsFile(path, random).change(() => named("old"));
  const full = {
    ...fs,
    writeSync: () => {
      throw Object.assign(new Error("no space left"), { syscall: "write" });
    },
  } as Disk;
  expect(() => new SettingsFile(path, random, full).change(() => named("new"))).toThrow("no space left");
  expect(new SettingsFile(path, random).read().current).toBe("old");
  expect(fs.readdirSync(join(folder, "inner"))).toEqual(["settings.json"]);
});

test.each([
  ["{", "It is not JSON."],
  ["[]", "`` in it is not what it must be."],
  ['{"profiles": {"x": {"token": "plt_auth_secret"}}}', "`profiles.x.apiUrl` in it is not what it must be."],
  ['{"current": 7}', "`current` in it is not what it must be."],
])("a file that holds %s is refused and kept, and its text is not quoted", (text, message) => {
  fs.mkdirSync(join(folder, "inner"));
  fs.writeFileSync(path, text);
  const file = new SettingsFile(path, random);
  expect(() => file.read()).toThrow(new SettingsUnusable(path, message));
  expect(() => file.change(() => named("new"))).toThrow(SettingsUnusable);
  expect(fs.readFileSync(path, "utf8")).toBe(text);
});

test("what a newer console has written besides is kept", () => {
  fs.mkdirSync(join(folder, "inner"));
  fs.writeFileSync(path, '{"theme": "dark", "profiles": {"a": {"apiUrl": "https://x.example", "nick": "A"}}}');
  new SettingsFile(path, random).change((before) => ({ ...before, current: "a" }));
  expect(JSON.parse(fs.readFileSync(path, "utf8"))).toEqual({
    ...{ theme: "dark", current: "a" },
    profiles: { a: { apiUrl: "https://x.example", nick: "A" } },
  });
});

test.each([
  [{}, "/home/ada/.porchlight/settings.json"],
  [{ XDG_CONFIG_HOME: "/xdg" }, "/xdg/porchlight/settings.json"],
  [{ XDG_CONFIG_HOME: "/xdg", PORCHLIGHT_SETTINGS: "/mine.json" }, "/mine.json"],
  [{ XDG_CONFIG_HOME: "", PORCHLIGHT_SETTINGS: "" }, "/home/ada/.porchlight/settings.json"],
])("with %j the settings are in %s", (env, expected) => {
  expect(settingsPath(env, "/home/ada")).toBe(expected);
});
