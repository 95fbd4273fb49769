/** A lone node that stops under load: every request that it has accepted ends in an answer, and each answer is true. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "@porchlight/cloud/app.ts";
import { cloudSettings } from "@porchlight/cloud/config/settings.ts";
import { seededRandom, silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { LightHub } from "../cluster/hubs/light-hub.ts";
import type { Truth } from "../cluster/hubs/truth.ts";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";

const OWNER = { email: "owner@drain.example", password: "a-long-and-quiet-password" };
const CALLERS = 8;

test("PUTs on connections that are kept alive all end in an answer when the service stops", async () => {
  await using stack = new AsyncDisposableStack();
  const data = mkdtempSync(join(tmpdir(), "porchlight-drain-"));
  stack.defer(() => rmSync(data, { recursive: true, force: true }));
  const settings = cloudSettings.parse({ data, port: 0, rateLimit: "off", portal: "off", drainSpreadMs: 1000 });
  const app = stack.use(await App.start({ settings, clock: systemClock, random: systemRandom, log: silentLog }));
  const url = await app.listen();

  const anonymous = new Api(url);
  const { environmentId } = await anonymous.good<{ environmentId: string }>("POST", "/api/accounts", OWNER);
  const { token } = await anonymous.good<{ token: string }>("POST", "/api/accounts/login", { ...OWNER, console: true });
  const api = anonymous.as(token);
  const { id: clientId } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const made = await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
  const truth: Truth = { acts: [], reports: [], connections: [] };
  const who = { clock: systemClock, random: seededRandom(1), clientId, token: made.token, number: 1 };
  stack.use(LightHub.start({ ...who, devices: CALLERS, url, truth }));
  const devices = await eventually("the devices are there", async () => {
    const { items } = await api.good<{ items: { id: string }[] }>("GET", "/api/devices");
    return items.length === CALLERS ? items : undefined;
  });

  const outcomes = new Map<string, number>();
  const done: number[] = [];
  let value = 0;
  /** One caller on one connection, until there is none to be had. */
  const caller = async (device: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      value += 1;
      const sent = value % 360;
      const outcome = await put(agent, `${url}/api/devices/${device}/services/LightColor.hue`, token, sent);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === "200") done.push(sent);
      if (!/^\d+$/.test(outcome)) return;
    }
  };
  const callers = devices.map(({ id }) => caller(id));
  await eventually("they are at work", async () => done.length > 100 || undefined);
  await app.drain();
  await Promise.all(callers);

  console.log(`a lone node stops under load: ${JSON.stringify([...outcomes])}`);
  expect([...outcomes.keys()].filter((outcome) => !["200", "503", "ECONNREFUSED"].includes(outcome))).toEqual([]);
  expect(outcomes.get("ECONNREFUSED")).toBe(CALLERS);
  const acted = truth.acts.map((act) => act.value);
  for (const each of done) expect(acted).toContain(each);
});

/** The status, or the code of what went wrong without one. */
function put(agent: Agent, url: string, token: string, value: number): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve) => {
    request(url, { method: "PUT", agent, headers }, (response) => {
      response.resume().once("end", () => resolve(String(response.statusCode)));
      response.once("error", (error) => resolve(`cut off: ${error.message}`));
    })
      .once("error", (error) => resolve("code" in error ? String(error.code) : error.message))
      .end(JSON.stringify({ value }));
  });
}
