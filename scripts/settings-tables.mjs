// `npm run docs:settings`: writes the tables of settings in docs/operations.md anew, from the schemas.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

const { withSettingsTable } = await import("../shared/src/settings/index.ts");
const { serviceSettings } = await import("../cloud/src/config/settings.ts");
const { quotaSettings } = await import("../cloud/src/config/quotas.ts");
const { bridgeSettings } = await import("../matter-bridge/src/config/settings.ts");
const { agentSettings } = await import("../agent/src/config/settings.ts");

const path = join(root, "docs/operations.md");
const tables = {
  "porchlight-cloud": serviceSettings,
  quotas: quotaSettings,
  "porchlight-agent": agentSettings.shape,
  "porchlight-matter-bridge": bridgeSettings.shape,
};
const before = readFileSync(path, "utf8");
writeFileSync(
  path,
  Object.entries(tables).reduce((document, [name, shape]) => withSettingsTable(document, name, shape), before),
);
