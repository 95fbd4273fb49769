// The OpenAPI document of this repository's service, read from a service that is started for it: its own file because the generator
// of the Python client and its test read the same document.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { App } = await import("../../cloud/src/app.ts");
const { cloudSettings } = await import("../../cloud/src/config/settings.ts");
const { silentLog, systemClock, systemRandom } = await import("../../shared/src/kernel/index.ts");

/** The document, parsed. */
export async function servedDocument() {
  const data = mkdtempSync(join(tmpdir(), "porchlight-openapi-"));
  const settings = cloudSettings.parse({ data, database: join(data, "cloud.db"), port: 0 });
  const app = await App.start({ settings, clock: systemClock, random: systemRandom, log: silentLog });
  try {
    const response = await fetch(`${await app.listen()}/api/openapi.json`, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`GET /api/openapi.json answered ${response.status}.`);
    return await response.json();
  } finally {
    await app[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  }
}
