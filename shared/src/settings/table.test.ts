/** What settings say about themselves, as flags and as a table of a document. */
import { expect, test } from "vitest";
import { z } from "zod";
import { setting, settingFlags, withSettingsTable } from "./notes.ts";

const shape = {
  cloud: setting(z.url(), { flag: "<url>", meaning: "base address, without `/api`", help: "base address" }),
  serial: setting(z.array(z.string()).default([]), { flag: "<path>", meaning: "serial lines", isRepeatable: true }),
  "lan.admit": setting(z.union([z.literal("all"), z.array(z.string())]).default([]), {
    flag: "<ids>",
    meaning: "edgeIds, or `all`",
  }),
  tokenFile: setting(z.string().optional(), { flag: "<file>", meaning: "the token", byDefault: "`token`" }),
  logLevel: setting(z.enum(["info", "warn"]).default("info"), { meaning: "`info` or `warn`" }),
  leaseMs: setting(z.int().default(15_000), { meaning: "time of silence" }),
};
const marked = (table: string) => `before\n\n<!-- settings: agent -->\n${table}<!-- end: agent -->\n\nafter\n`;

test("a setting with a flag is one of the command line, in the order of the schema", () => {
  expect(settingFlags(shape)).toEqual([
    { key: "cloud", flags: "--cloud <url>", help: "base address", isRepeatable: false },
    { key: "serial", flags: "--serial <path>", help: "serial lines", isRepeatable: true },
    { key: "lan.admit", flags: "--lan-admit <ids>", help: "edgeIds, or `all`", isRepeatable: false },
    { key: "tokenFile", flags: "--token-file <file>", help: "the token", isRepeatable: false },
  ]);
});

test("the table between a document's marks is replaced, and nothing else", () => {
  const table = `
| setting | flag | variable | default | meaning |
|---|---|---|---|---|
| \`cloud\` | \`--cloud\` | \`PORCHLIGHT_CLOUD\` | needed | base address, without \`/api\` |
| \`serial\` | \`--serial\`, several times | \`PORCHLIGHT_SERIAL\`, separated by commas | none | serial lines |
| \`lan.admit\` | \`--lan-admit\`, separated by commas | \`PORCHLIGHT_LAN_ADMIT\`, separated by commas | none | edgeIds, or \`all\` |
| \`tokenFile\` | \`--token-file\` | \`PORCHLIGHT_TOKEN_FILE\` | \`token\` | the token |
| \`logLevel\` | | \`PORCHLIGHT_LOG_LEVEL\` | \`info\` | \`info\` or \`warn\` |
| \`leaseMs\` | | \`PORCHLIGHT_LEASE_MS\` | 15000 | time of silence |

`;
  expect(withSettingsTable(marked(""), "agent", shape)).toBe(marked(table));
  expect(withSettingsTable(marked("| old |\n"), "agent", shape)).toBe(marked(table));
});

test("a document without the marks, and a setting that says nothing, are refused", () => {
  expect(() => withSettingsTable("nothing", "agent", shape)).toThrow("agent");
  expect(() => withSettingsTable(marked(""), "agent", { bare: z.string() })).toThrow("bare");
});
