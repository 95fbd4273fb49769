/** The settings of the cloud, and what the operators' document says of them. */
import { readFileSync } from "node:fs";
import { withSettingsTable } from "@porchlight/shared/settings";
import { expect, test } from "vitest";
import { quotaSettings } from "./quotas.ts";
import { cloudSettings, serviceSettings } from "./settings.ts";

const document = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

test("docs/operations.md has the settings as they are: `npm run docs:settings` writes them anew", () => {
  expect(withSettingsTable(document, "porchlight-cloud", serviceSettings)).toBe(document);
  expect(withSettingsTable(document, "quotas", quotaSettings)).toBe(document);
});

test.each([
  [
    {},
    [
      "must be 1 on SQLite, which one process uses: several need a database postgres://…",
      "must be 1 without nats, by which several reach each other",
    ],
  ],
  [
    { database: "/srv/cloud.db", nats: "nats://localhost:4222" },
    ["must be 1 on SQLite, which one process uses: several need a database postgres://…"],
  ],
  [{ database: "postgres://localhost/porchlight" }, ["must be 1 without nats, by which several reach each other"]],
  [{ database: "postgres://localhost/porchlight", nats: "nats://localhost:4222" }, []],
])("several workers need PostgreSQL and NATS: %j", (given, messages) => {
  const { error } = cloudSettings.safeParse({ ...given, workers: 2 });
  const issues = error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual(messages);
  expect(issues.every(({ path }) => path.join() === "workers")).toBe(true);
  expect(cloudSettings.safeParse({ ...given, workers: 1 }).success).toBe(true);
});
