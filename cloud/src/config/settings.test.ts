/** The settings of the cloud, and what the operators' document says of them. */
import { readFileSync } from "node:fs";
import { withSettingsTable } from "@porchlight/shared/settings";
import { expect, test } from "vitest";
import { quotaSettings } from "./quotas.ts";
import { serviceSettings } from "./settings.ts";

const document = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

test("docs/operations.md has the settings as they are: `npm run docs:settings` writes them anew", () => {
  expect(withSettingsTable(document, "porchlight-cloud", serviceSettings)).toBe(document);
  expect(withSettingsTable(document, "quotas", quotaSettings)).toBe(document);
});
