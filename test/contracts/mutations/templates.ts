/** A good request of each route, made from what the route takes: where tests begin that change requests. */
import type { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import type { Route } from "@porchlight/cloud/http/routing/route.ts";
import { askOf, OPEN, openAsk } from "../isolation/asks.ts";
import type { World } from "../isolation/world.ts";
import type { Template } from "./mutation.ts";

/** More to change than the least that a route takes. */
const FULL: Readonly<Record<string, object>> = {
  "POST /api/devices": {
    services: [
      {
        service: "LightColor",
        index: "0",
        properties: [{ property: "hue", type: "number", min: 0, max: 360, unit: "deg", value: 5 }, "saturation"],
      },
      {
        service: "Dial",
        properties: [{ property: "turns", type: "integer", step: 1, values: [1, 2], access: ["read", "write"] }],
      },
    ],
  },
  "PUT /api/account": { email: "new@example.com", currentPassword: "not the password" },
  "DELETE /api/account": { currentPassword: "not the password" },
};

export function routeOf({ app }: TestCloud, route: string): Route {
  const found = app.routes.find(({ method, path }) => `${method} ${path}` === route);
  if (!found) throw new Error(`there is no ${route}`);
  return found;
}

export function tokenFor({ tokens }: Route, has: World["people"]["tokens"]): string {
  return tokens?.includes("user") ? has.user : tokens?.includes("server") ? has.server : has.account;
}

export function templateOf(cloud: TestCloud, route: string, { people }: World, token: string): Template {
  const { body: rule, query } = routeOf(cloud, route);
  const ask = (count: number) => (route in OPEN ? openAsk(route) : askOf(route, people.own, count));
  const { method, url } = ask(0);
  const headers = {
    authorization: `Bearer ${token}`,
    // So that what must be mutated again is not deleted by the first request that is good after all.
    ...(method === "DELETE" && { "if-match": '"999"' }),
  };
  const fields = rule ? [...Object.keys(rule.schema.shape), ...(rule.readOnly ?? []), ...(rule.ignored ?? [])] : [];
  const body = (count: number) => ({
    ...ask(count).body,
    ...(fields.includes("alias") && { alias: `alias ${count}` }),
    ...(fields.includes("meta") && { meta: { floor: 1, "$.name": "Hall", tags: ["a", { b: null }] } }),
    ...structuredClone(FULL[route]),
  });
  return { method, path: url, headers, body: rule && body, fields, query };
}
