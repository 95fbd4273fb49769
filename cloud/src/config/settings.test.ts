/** The settings of the cloud, and the operators' pages about them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { isSecretSetting, loadSettings, Secret, withSettingsTable } from "@porchlight/shared/settings";
import { expect, test } from "vitest";
import { quotaSettings } from "./quotas.ts";
import { cloudSettings, serviceSettings } from "./settings.ts";

const page = (name: string) => readFileSync(new URL(`../../../docs/operations/${name}`, import.meta.url), "utf8");

test("docs/operations has the settings as they are: `npm run docs:settings` writes them anew", () => {
  const [settings, quotas] = [page("cloud-settings.md"), page("limits.md")];
  expect(withSettingsTable(settings, "porchlight-cloud", serviceSettings)).toBe(settings);
  expect(withSettingsTable(quotas, "quotas", quotaSettings)).toBe(quotas);
});

test("a network to trust is a CIDR or an address", () => {
  const isGood = (text: string) => cloudSettings.safeParse({ trustedProxy: [text] }).success;
  for (const good of ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "::1", "::ffff:10.0.0.0/104"])
    expect([good, isGood(good)]).toEqual([good, true]);
  for (const bad of ["", "10.0.0.0/33", "10", "proxy.example", "fd00::/129"])
    expect([bad, isGood(bad)]).toEqual([bad, false]);
});

test.each([
  [
    "postgres://porch@db/porch?sslmode=prefer",
    "must have one of disable, require, verify-ca, verify-full as `sslmode`",
  ],
  [
    "postgres://porch@db/porch?sslmode=verify-ca",
    "must have `sslrootcert`, the file of the CA, beside `sslmode=verify-ca`",
  ],
  [
    "postgres://porch@db/porch?sslrootcert=/ca.pem",
    "must have `sslmode=verify-full` or `verify-ca` beside `sslrootcert`",
  ],
  ["postgres://porch@db:x/porch", "must be an address such as postgres://user:password@host/database"],
  ["mysql://db/porch", "must begin with postgres:// or postgresql://, or be the path of a file"],
])("the address of a database that cannot be meant is refused: %s", (database, message) => {
  expect(cloudSettings.safeParse({ database }).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test.each([
  "postgres://porch@/porch?host=/run/postgresql",
  "postgres:///porch?host=/run/postgresql",
  "postgresql://porch@db/porch?sslmode=verify-full",
  "postgres://porch@db/porch?sslmode=verify-ca&sslrootcert=/ca.pem",
  "data/cloud.db",
])("the address of a database can be %s", (database) => {
  expect(cloudSettings.parse({ database }).database?.reveal()).toBe(database);
});

test.each([
  ["database", "postgres://porch:hush-hush-hush-1@db/porch"],
  ["nats", "nats://hush-hush-hush-1@nats.internal:4222"],
  ["smtp", "smtps://porch:hush-hush-hush-1@mail.example"],
  ["metricsToken", "hush-hush-hush-1"],
])("%s is a secret: it can stand in a file, gives a warning as a flag, and is never shown", (key, text) => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-secret-"));
  try {
    writeFileSync(join(folder, key), `${text}\n`);
    const settings = load({ CREDENTIALS_DIRECTORY: folder });
    expect(Object.entries(settings).find(([name]) => name === key)?.[1]).toEqual(new Secret(text));
    expect(`${inspect(settings)} ${JSON.stringify(settings)}`).not.toContain("hush");
    const warned: string[] = [];
    const flags = { [key]: text };
    loadSettings(cloudSettings, { program: "p", env: {}, flags, warn: (message) => void warned.push(message) });
    expect(warned).toEqual([expect.stringMatching(/^--[a-z-]+ holds a secret/)]);
    expect(warned.join()).not.toContain("hush");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("no other setting of the cloud is secret, and none has the variable of a secret's file", () => {
  const fields = Object.entries(cloudSettings.shape);
  const secrets = fields.filter(([, field]) => isSecretSetting(field)).map(([key]) => key);
  expect(secrets).toEqual(["database", "nats", "metricsToken", "smtp"]);
  const texts = { database: "a/b", nats: "nats://a:1", metricsToken: "0123456789abcdef", smtp: "smtp://a" };
  const secretValues = Object.entries(cloudSettings.parse(texts)).filter(([, value]) => value instanceof Secret);
  expect(secretValues.map(([key]) => key)).toEqual(secrets);
  expect(secrets.filter((key) => fields.some(([other]) => other === `${key}File`))).toEqual([]);
});

function load(env: Record<string, string>, flags: Record<string, unknown> = {}) {
  return loadSettings(cloudSettings, { program: "porchlight-cloud", env, flags });
}
