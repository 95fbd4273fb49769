/** Settings as a person gives them: which source wins, and which problems are reported. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { loadSettings, SettingsError, type SettingsSources, secret } from "./index.ts";

const schema = z.object({
  port: z.int().min(0).max(65_535).default(8080),
  publicUrl: z.url().optional(),
  verbose: z.boolean().default(false),
  rateLimit: z.union([z.number().positive(), z.literal("off")]).default(200),
  webhookAllow: z.array(z.string()).default([]),
  lanes: z.array(z.int()).optional(),
  serial: z.array(z.object({ path: z.string(), baud: z.int().default(115_200) })).optional(),
  smtpPassword: secret().optional(),
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-settings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(given: { yaml?: string; env?: Record<string, string>; flags?: Record<string, unknown> }) {
  const file = join(folder, "porchlight.yaml");
  if (given.yaml !== undefined) writeFileSync(file, given.yaml);
  const sources: SettingsSources = {
    program: "porchlight-cloud",
    file: given.yaml === undefined ? undefined : file,
    env: given.env ?? {},
    flags: given.flags ?? {},
  };
  return loadSettings(schema, sources);
}

/** The problems, with the folder of the file left out of their sources. */
function problemsOf(given: Parameters<typeof load>[0]): string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof SettingsError)
      return error.problems.map(({ source, message }) => `${source.replace(`${folder}/`, "")}: ${message}`);
    throw error;
  }
  return [];
}

test("a flag outranks a variable, a variable outranks the file, the file outranks the default", () => {
  const yaml = "port: 1\nverbose: true\npublicUrl: https://file.example\n";
  const env = { PORCHLIGHT_PORT: "2", PORCHLIGHT_PUBLIC_URL: "https://env.example" };
  expect(load({ yaml, env, flags: { port: "3", publicUrl: undefined } })).toEqual({
    port: 3,
    verbose: true,
    publicUrl: "https://env.example",
    rateLimit: 200,
    webhookAllow: [],
  });
});

test("PORCHLIGHT_CONFIG names the file when no flag does", () => {
  const file = join(folder, "named.yaml");
  writeFileSync(file, "port: 17\n");
  expect(loadSettings(schema, { program: "p", env: { PORCHLIGHT_CONFIG: file }, flags: {} }).port).toBe(17);
});

test.for([
  ["PORCHLIGHT_PORT", "9090", { port: 9090 }],
  ["PORCHLIGHT_VERBOSE", "true", { verbose: true }],
  ["PORCHLIGHT_VERBOSE", "false", { verbose: false }],
  ["PORCHLIGHT_RATE_LIMIT", "off", { rateLimit: "off" }],
  ["PORCHLIGHT_RATE_LIMIT", "2.5", { rateLimit: 2.5 }],
  ["PORCHLIGHT_WEBHOOK_ALLOW", "10.0.0.0/8, 192.168.0.0/16", { webhookAllow: ["10.0.0.0/8", "192.168.0.0/16"] }],
  ["PORCHLIGHT_WEBHOOK_ALLOW", "", { webhookAllow: [] }],
  ["PORCHLIGHT_LANES", "1,2", { lanes: [1, 2] }],
] as const)("%s=%s becomes what the schema takes", ([variable, text, expected]) => {
  expect(load({ env: { [variable]: text } })).toMatchObject(expected);
});

test("a flag given as text is read like a variable, and one that is already a list stays as it is", () => {
  expect(load({ flags: { rateLimit: "off", webhookAllow: ["::1/128"] } })).toMatchObject({
    rateLimit: "off",
    webhookAllow: ["::1/128"],
  });
});

test("every wrong key of the file is named at once, each with its line and what was meant", () => {
  expect(
    problemsOf({
      yaml: "prot: 1\n\npublic-url: https://x.example\nserial:\n  - path: /dev/ttyS0\n    bard: 9600\nzzz: 1\n",
    }),
  ).toEqual([
    "porchlight.yaml:1: unknown key `prot`; did you mean `port`?",
    "porchlight.yaml:3: unknown key `public-url`; did you mean `publicUrl`?",
    "porchlight.yaml:6: unknown key `serial.0.bard`; did you mean `baud`?",
    "porchlight.yaml:7: unknown key `zzz`; known here: port, publicUrl, verbose, rateLimit, webhookAllow, lanes, serial, smtpPassword",
  ]);
});

test("every wrong value is named with the place where it stands, an overridden one too", () => {
  const yaml = "rateLimit: fast\nserial:\n  - path: 7\nport: high\n";
  const problems = problemsOf({
    yaml,
    env: { PORCHLIGHT_PORT: "80a", PORCHLIGHT_VERBOSE: "yes" },
    flags: { publicUrl: "x" },
  });
  expect(problems).toEqual([
    "porchlight.yaml:4: `port` must be a number",
    "PORCHLIGHT_PORT: `port` must be a number",
    "--public-url: `publicUrl` must be an address such as https://home.example",
    "PORCHLIGHT_VERBOSE: `verbose` must be `true` or `false`",
    "porchlight.yaml:1: `rateLimit` must be a number or `off`",
    "porchlight.yaml:3: `serial.0.path` must be a text",
  ]);
});

test("a setting that is needed and nowhere given is named with the three ways to give it", () => {
  const needy = z.object({ cloudUrl: z.url() });
  expect(() => loadSettings(needy, { program: "porchlight-agent", env: {}, flags: {} })).toThrow(
    "porchlight-agent: one setting is wrong\n" +
      "  porchlight-agent: `cloudUrl` is missing: give --cloud-url, PORCHLIGHT_CLOUD_URL or `cloudUrl` in the file",
  );
});

test("a rule over several settings is reported in its own words", () => {
  const paired = z
    .object({ tlsCert: z.string().optional(), tlsKey: z.string().optional() })
    .refine(({ tlsCert, tlsKey }) => (tlsCert === undefined) === (tlsKey === undefined), {
      message: "tlsCert and tlsKey go together",
    });
  expect(() => loadSettings(paired, { program: "p", env: { PORCHLIGHT_TLS_CERT: "a" }, flags: {} })).toThrow(
    "p: tlsCert and tlsKey go together",
  );
});

test("variables of another program are left alone", () => {
  expect(load({ env: { PORCHLIGHT_SETTINGS: "/elsewhere", PORCHLIGHT_PROT: "1", HOME: "/root" } }).port).toBe(8080);
});

test.for([
  ["an empty file", "", []],
  ["a file of nothing but comments", "# later\n", []],
  ["a list instead of keys", "- port: 1\n", ["porchlight.yaml:1: the file must be a list of `key: value` lines"]],
  ["a key given twice", "port: 1\nport: 2\n", ["porchlight.yaml:2: Map keys must be unique"]],
] as const)("%s is answered plainly", ([, yaml, expected]) => {
  expect(problemsOf({ yaml })).toEqual(expected);
});

test("a file that is not there is a problem, not an empty file", () => {
  const file = join(folder, "absent.yaml");
  expect(() => loadSettings(schema, { program: "p", file, env: {}, flags: {} })).toThrow(
    `${file}: cannot be read (ENOENT)`,
  );
});

test("a file that is not YAML is named by line, without quoting a line that may hold a secret", () => {
  const problems = problemsOf({ yaml: 'port: 1\nsmtpPassword: "hunter2\n' });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^porchlight\.yaml:\d: /);
  expect(problems[0]).not.toContain("hunter2");
});

test("a key that JavaScript keeps for itself is only an unknown key", () => {
  expect(problemsOf({ yaml: "__proto__:\n  port: 5\nconstructor: 1\n" })).toEqual([
    expect.stringContaining("unknown key `__proto__`"),
    expect.stringContaining("unknown key `constructor`"),
  ]);
});
