/** Every page of the portal, for an account that has one of everything and for one that has nothing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Api } from "../../test/parts/api.ts";
import { ROOT } from "../../test/parts/program.ts";
import { aliasMaker, hostileMeta, nameMaker, TEXT } from "./hostile.ts";

/** Stands for the rest of an address, which only documents have: one that can be sent. */
const DOCUMENT = "operations/setDeviceProperties";

/** What stands for a parameter of a route. */
export type Parameters = Readonly<Record<string, string>>;

export interface Owner {
  readonly email: string;
  readonly password: string;
  readonly api: Api;
  readonly parameters: Parameters;
}

/** Routes as the portal declares them. */
export function declaredRoutes(): string[] {
  const folder = join(ROOT, "portal/src/app/routes");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const paths = /\b(?:path: |page\(\s*)"([^"]+)"/g;
  return texts.flatMap((text) => [...text.matchAll(paths)].map(([, path]) => path ?? "")).sort();
}

/** The address of a route; undefined when something that it shows is not there. */
export function addressOf(route: string, parameters: Parameters): string | undefined {
  let isWhole = true;
  const address = route.replaceAll(/\$(\w*)/g, (_, name: string) => {
    const value = name === "" ? DOCUMENT : parameters[name];
    if (value === undefined) isWhole = false;
    return value ?? "";
  });
  return isWhole ? address : undefined;
}

/** An owner who has just signed up. */
export async function emptyOwner(open: Api, name: string): Promise<Owner> {
  const credentials = { email: `${name}@porch.example`, password: "a long and quiet password" };
  const { ecosystemId, environmentId, userId } = await open.good<
    Record<"ecosystemId" | "environmentId" | "userId", string>
  >("POST", "/api/accounts", credentials);
  const { token } = await open.good<{ token: string }>("POST", "/api/accounts/login", credentials);
  return { ...credentials, api: open.as(token), parameters: { ecosystemId, environmentId, userId } };
}

/** An owner who has one of everything, under names that are meant to do harm. @param callback where webhooks go */
export async function fullOwner(open: Api, who: string, callback: string): Promise<Owner> {
  const owner = await emptyOwner(open, who);
  const { api, parameters } = owner;
  const { ecosystemId = "", environmentId = "" } = parameters;
  const alias = aliasMaker();
  const name = nameMaker();
  const meta = () => hostileMeta(name());
  const made = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;

  await api.good("PUT", "/api/account", { name: TEXT.slice(0, 200), currentPassword: owner.password });
  await api.good("PUT", `/api/ecosystems/${ecosystemId}`, { alias: alias(), meta: meta() });
  await api.good("PUT", `/api/environments/${environmentId}`, { alias: alias(), meta: meta() });
  await made("/api/environments", { alias: alias(), meta: { "$.name": name() } });
  const deviceId = await made("/api/devices", {
    environmentId,
    alias: alias(),
    meta: meta(),
    services: [
      { service: "Switch" },
      { service: "LightColor" },
      { service: "LightTemperature" },
      { service: "Thermostat" },
      { service: "Button" },
      {
        service: "Poem",
        properties: [
          { property: "text", type: "string", access: ["read", "write"], value: TEXT.repeat(40).slice(0, 16_000) },
          {
            property: "tree",
            type: "json",
            access: ["read", "write"],
            value: { [TEXT]: [TEXT, null, { deep: [[]] }] },
          },
          {
            property: "mood",
            type: "string",
            access: ["read", "write"],
            values: ["<i>a</i>", "\u202Eb", "W".repeat(64)],
          },
        ],
      },
    ],
  });
  const card = (id: string, kind: string, service: string, property: string) => ({
    ...{ id, kind, size: "wide", properties: [{ deviceId, service, index: "0", property }] },
  });
  const cards = [
    ...[
      card("a", "value", "Poem", "text"),
      { ...card("b", "chart", "LightColor", "hue"), title: TEXT.slice(0, 80), length: 3_600_000 },
      card("c", "chart", "Poem", "mood"),
    ],
    ...[card("d", "value", "Poem", "gone"), { [TEXT]: TEXT }],
  ];
  const { long: _, ...kept } = meta();
  await api.good("PUT", `/api/environments/${environmentId}`, { meta: { ...kept, "portal.dashboard": { cards } } });
  const inner = await made("/api/zones", { environmentId, alias: alias(), meta: meta(), items: [deviceId] });
  const zoneId = await made("/api/zones", { environmentId, alias: alias(), meta: meta(), items: [inner, deviceId] });
  const sceneId = await made("/api/scenes", {
    environmentId,
    alias: alias(),
    meta: meta(),
    items: [
      { target: deviceId, service: "Switch.on", value: true },
      { target: deviceId, service: "LightColor:0.hue", value: 12 },
      { target: deviceId, service: "Poem.text", value: TEXT.slice(0, 400) },
      { target: deviceId, service: "Poem.tree", value: { [TEXT]: [TEXT] } },
      { target: zoneId, service: "LightTemperature.kelvin", value: 2700 },
    ],
  });
  await api.good("PUT", `/api/ecosystems/${ecosystemId}/sink`, {
    url: `${callback}?db=${encodeURIComponent(TEXT)}`,
    token: "token",
    measurementPrefix: "W".repeat(64),
  });
  const userId = await made("/api/users", { key: TEXT.slice(0, 255), alias: alias(), meta: meta() });
  await api.good("POST", `/api/users/${userId}/access`, { environmentId });
  await api.good("POST", `/api/users/${userId}/tokens`, {});
  const serverId = await made("/api/servers", { alias: alias(), meta: meta() });
  const clientId = await made("/api/clients", { environmentId, alias: alias(), meta: meta() });
  const webhookId = await made("/api/webhooks", { url: callback, description: TEXT, events: ["*"] });
  const deliveryId = (await api.good<{ id: string }>("POST", `/api/webhooks/${webhookId}/test`)).id;
  // A request for a device that does not exist, under a name that is shown in the request log.
  await api.call(
    "GET",
    `/api/devices/${encodeURIComponent(`<img src=x onerror=window.carriedOut=1>${"y".repeat(300)}`)}`,
  );
  const all = { ...parameters, deviceId, zoneId, sceneId, userId, serverId, clientId, webhookId, deliveryId };
  return { ...owner, parameters: all };
}
