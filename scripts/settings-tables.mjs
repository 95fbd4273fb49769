// `npm run docs:settings`: writes the tables of settings in docs/operations anew, from the schemas.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

const { withSettingsTable } = await import("../shared/src/settings/index.ts");
const { serviceSettings } = await import("../cloud/src/config/settings.ts");
const { quotaSettings } = await import("../cloud/src/config/quotas.ts");
const { bridgeSettings } = await import("../matter-bridge/src/config/settings.ts");
const { agentSettings } = await import("../agent/src/config/settings.ts");

const tables = [
  ["cloud-settings.md", "porchlight-cloud", serviceSettings],
  ["limits.md", "quotas", quotaSettings],
  ["agent-settings.md", "porchlight-agent", agentSettings.shape],
  ["matter-bridge.md", "porchlight-matter-bridge", bridgeSettings.shape],
];
for (const [page, name, shape] of tables) {
  const path = join(root, "docs/operations", page);
  writeFileSync(path, withSettingsTable(readFileSync(path, "utf8"), name, shape));
}
