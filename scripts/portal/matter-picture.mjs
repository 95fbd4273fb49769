// `node scripts/portal/matter-picture.mjs`: the picture in docs/integrations/matter.md, of a lamp behind Matterbridge that a hub has paired and the
// API has set. Apart from the other pictures, because it needs root (a network of its own), Matterbridge, and a home with the driver.
import { join } from "node:path";
import { chromium } from "playwright-core";
import { eventually } from "../../test/parts/eventually.ts";
import { OWNER } from "../../test/parts/home.ts";
import { MatterNetwork } from "../../test/parts/matter-device.ts";
import { MatterHome } from "../../test/parts/matter-home.ts";
import { Matterbridge } from "../../test/parts/matterbridge.ts";
import { installPeers } from "../test/peers.mjs";
import { root } from "../tools.mjs";
import { openAs } from "./take-pictures.mjs";

const LAMP = "Light (HS, CT)";

for (const { name, why } of await installPeers({ long: true })) throw new Error(`${name} cannot be had: ${why}`);
await using stack = new AsyncDisposableStack();
const network = stack.use(new MatterNetwork());
const hub = stack.use(await MatterHome.start());
const bridge = stack.use(await Matterbridge.start(network));
const { home } = hub.hub;
const { found } = await hub.pair(bridge.pairingCode);
const edgeId = found.find(({ name }) => name === LAMP)?.edgeId ?? "";
await hub.hub.found(edgeId);
for (const [at, value] of [
  ["Switch:0.on", true],
  ["LightLevel:0.level", 60],
]) {
  const { status, body } = await home.put(edgeId, at, value);
  if (status !== 200) throw new Error(`${at} was not set: ${JSON.stringify(body)}`);
}
const device = await eventually("it is known", async () => {
  const { items } = await home.api.good("GET", "/api/devices");
  return items.find((each) => each.edgeId === edgeId);
});
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args });
stack.defer(() => browser.close());
const page = await openAs(browser, { apiUrl: home.api.base, ...OWNER }, "light");
await page.goto(`${home.api.base}/environments/${home.environmentId}/devices/${device.id}`);
await page.getByRole("heading", { name: LAMP, exact: true }).waitFor();
await page.waitForTimeout(700);
const path = join(root, "docs", "images", "portal-matter.png");
await page.screenshot({ path });
process.stdout.write(`${path}\n`);
