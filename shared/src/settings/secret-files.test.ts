/** Secrets from files: the variable that names one, the credentials of systemd, and what is wrong with either. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { hasPassword, loadSettings, Secret, SettingsError, secretSetting, setting, settingFlags } from "./index.ts";

const schema = z.object({
  smtp: secretSetting(z.string().min(8), { flag: "<url>", meaning: "the server", isSecret: hasPassword }),
  metricsToken: secretSetting(z.string().min(1), { meaning: "the token" }),
  "lan.keys": setting(z.array(z.string().transform((key) => new Secret(key))).default([]), {
    meaning: "the keys",
    isSecret: true,
  }),
  port: setting(z.int().default(1), { meaning: "the port" }),
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const load = (env: Record<string, string>, flags: Record<string, unknown> = {}, config?: string) =>
  loadSettings(schema, { program: "p", env, flags, file: config });

/** The problems, without the folder. */
function problemsOf(env: Record<string, string>, flags: Record<string, unknown> = {}): string[] {
  try {
    load(env, flags);
  } catch (error) {
    if (error instanceof SettingsError)
      return error.problems.map(({ source, message }) => `${source}: ${message}`.replaceAll(`${folder}/`, ""));
    throw error;
  }
  return [];
}

test.each([
  ["hunter2", "hunter2"],
  ["hunter2\n", "hunter2"],
  ["hunter2\r\n", "hunter2"],
  ["hunter2\n\n", "hunter2\n"],
  [" hunter2 ", " hunter2 "],
])("the file of a secret has its value, without one line end: %j", (content, secret) => {
  const env = { PORCHLIGHT_METRICS_TOKEN_FILE: file("token", content) };
  expect(load(env).metricsToken?.reveal()).toBe(secret);
});

test("a credential of systemd with the name of a setting is its value, and other files there have no meaning", () => {
  file("metricsToken", "hunter2\n");
  file("port", "17");
  mkdirSync(join(folder, "tls"));
  const settings = load({ CREDENTIALS_DIRECTORY: folder });
  expect([settings.metricsToken?.reveal(), settings.smtp, settings.port]).toEqual(["hunter2", undefined, 1]);
});

test("a credential overrides the settings file, and a flag overrides a credential, as with variables", () => {
  const config = file("settings.yaml", "smtp: smtp://from-the-file\n");
  file("smtp", "smtp://u:hunter2@from-the-credential");
  expect(load({ CREDENTIALS_DIRECTORY: folder }, {}, config).smtp?.reveal()).toBe(
    "smtp://u:hunter2@from-the-credential",
  );
  expect(load({ CREDENTIALS_DIRECTORY: folder }, { smtp: "smtp://from-the-flag" }).smtp?.reveal()).toBe(
    "smtp://from-the-flag",
  );
});

test("a file can have the entries of a list on lines", () => {
  const { "lan.keys": keys } = load({ PORCHLIGHT_LAN_KEYS_FILE: file("keys", "one\ntwo, three\n") });
  expect(keys.map((key) => key.reveal())).toEqual(["one", "two", "three"]);
});

test("a file that is missing, a folder, empty, too large or no text is named, and its text is not", () => {
  const token = "PORCHLIGHT_METRICS_TOKEN_FILE";
  const problem = (path: string) => problemsOf({ [token]: path });
  expect(problem(join(folder, "none"))).toEqual([
    `${token} (none): the file of \`metricsToken\` cannot be read (ENOENT)`,
  ]);
  expect(problem("")).toEqual([`${token} (): the file of \`metricsToken\` cannot be read (ENOENT)`]);
  mkdirSync(join(folder, "tls"));
  expect(problem(join(folder, "tls"))).toEqual([
    `${token} (tls): the file of \`metricsToken\` cannot be read (EISDIR)`,
  ]);
  expect(problem(file("empty", "\n"))).toEqual([`${token} (empty): the file of \`metricsToken\` is empty`]);
  expect(problem("/dev/zero")).toEqual([
    `${token} (/dev/zero): the file of \`metricsToken\` is larger than 65536 bytes`,
  ]);
  expect(problem(file("bytes", Buffer.from([0xff, 0xfe, 0x68])))).toEqual([
    `${token} (bytes): the file of \`metricsToken\` is not UTF-8 text`,
  ]);
});

test("a secret that is given twice by the environment is refused, with both places", () => {
  const env = { PORCHLIGHT_METRICS_TOKEN: "hunter2", PORCHLIGHT_METRICS_TOKEN_FILE: file("token", "hunter3") };
  expect(problemsOf(env)).toEqual([
    "PORCHLIGHT_METRICS_TOKEN_FILE (token): `metricsToken` is given twice: also by PORCHLIGHT_METRICS_TOKEN",
  ]);
  file("metricsToken", "hunter4");
  const both = { PORCHLIGHT_METRICS_TOKEN_FILE: join(folder, "token"), CREDENTIALS_DIRECTORY: folder };
  expect(problemsOf(both)).toEqual([
    "the credential metricsToken (metricsToken): `metricsToken` is given twice: also by PORCHLIGHT_METRICS_TOKEN_FILE (token)",
  ]);
});

test("what is wrong with the text of a file is reported with the file, without the text", () => {
  const env = { PORCHLIGHT_SMTP_FILE: file("smtp", "hunter2") };
  const problems = problemsOf(env);
  expect(problems).toEqual([expect.stringMatching(/^PORCHLIGHT_SMTP_FILE \(smtp\): `smtp` /)]);
  expect(problems.join()).not.toContain("hunter2");
});

test("a setting that is not secret has no file", () => {
  expect(load({ PORCHLIGHT_PORT_FILE: file("port", "17") }).port).toBe(1);
});

test("a password on the command line is a warning, without a copy of it; an address without one is none", () => {
  const warned: string[] = [];
  const warn = (message: string) => void warned.push(message);
  for (const smtp of ["smtp://mail.example", "smtp://porch:hunter2@mail.example"])
    expect(loadSettings(schema, { program: "p", env: {}, flags: { smtp }, warn }).smtp?.reveal()).toBe(smtp);
  expect(warned).toEqual([
    "--smtp holds a secret, and other users of this machine can see the command line: give PORCHLIGHT_SMTP, PORCHLIGHT_SMTP_FILE or `smtp` in the file",
  ]);
  expect(load({}, { smtp: "smtp://mail.example" }).smtp?.reveal()).toBe("smtp://mail.example");
  expect(settingFlags(schema.shape)).toEqual([
    expect.objectContaining({ help: expect.stringContaining("the file that PORCHLIGHT_SMTP_FILE names") }),
  ]);
});

test.each([
  ["postgres://me:hush@db/porch", true],
  ["postgres://me@db/porch?password=hush", true],
  ["postgres://me:@db/porch", true],
  ["postgres://me@db:5432/porch?host=/run/a:b@c", false],
  ["postgres://db:5432/porch", false],
  ["/srv/a:b@c/cloud.db", false],
])("whether an address holds a password: %s", (address, expected) => {
  expect(hasPassword(address)).toBe(expected);
});
