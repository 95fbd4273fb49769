/** The service's description of itself matches its contract: routes, credentials, query parameters and errors, both ways. */
import { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import type { Route } from "@porchlight/cloud/http/routing/route.ts";
import { ERRORS } from "@porchlight/shared/kernel";
import { beforeAll, expect, it } from "vitest";
import { CONTRACT, errorsOf, kindsOf } from "./contract.ts";
import { type DocumentedRoute, documentedRoutes } from "./document.ts";

/** Of requests that no route has: provoked beside every route where the order of checks is tested. */
const WITHOUT_ROUTE = ["Endpoint Not Found", "API Version Not Found", "Method Not Allowed"];

let declared: readonly Route[];
let routes: readonly DocumentedRoute[];
beforeAll(async () => {
  await using cloud = await TestCloud.start();
  declared = cloud.app.routes;
  routes = await documentedRoutes(cloud);
});

const documented = (pick: (route: DocumentedRoute) => readonly string[]) =>
  Object.fromEntries(routes.map((route) => [route.route, [...new Set(pick(route))].sort()]));
const written = (pick: (route: string) => readonly string[]) =>
  Object.fromEntries(Object.keys(CONTRACT).map((route) => [route, [...new Set(pick(route))].sort()]));

it("the routes are those of the contract", () => {
  expect(routes.map(({ route }) => route).sort()).toEqual(Object.keys(CONTRACT).sort());
});

it("each takes the credentials that the contract gives it", () => {
  expect(documented(({ kinds }) => kinds)).toEqual(written((route) => kindsOf(CONTRACT[route] ?? {})));
});

it("each takes the query parameters that the contract gives it", () => {
  expect(documented(({ query }) => query)).toEqual(written((route) => CONTRACT[route]?.query ?? []));
});

it("each lists the errors that the contract gives it, no fewer and no more", () => {
  expect(documented(({ listed }) => listed.map(({ error }) => error))).toEqual(
    written((route) => errorsOf(route, CONTRACT[route] ?? {})),
  );
});

it("each write is refused when the data of its account takes all the bytes that it may, has a reserve, or states why it goes on", () => {
  const writes = declared.filter(({ method }) => method === "POST" || method === "PUT");
  const undeclared = writes.filter(({ whenFull }) => whenFull === undefined);
  expect(undeclared.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const refused = writes.filter(({ whenFull }) => typeof whenFull === "string");
  expect(refused.filter(({ tokens }) => tokens === undefined)).toEqual([]);
});

it("an error stands under the status of the one table, but for the ID of a token, which is a parameter like any other", () => {
  const others = routes.flatMap(({ listed }) => listed).filter(({ error, status }) => ERRORS[error].status !== status);
  expect(new Set(others.map(({ error, status }) => `${status} ${error}`))).toEqual(new Set(["400 Token Invalid"]));
});

it("every name of the one table is listed by some route", () => {
  const listed = new Set(routes.flatMap((route) => route.listed.map(({ error }): string => error)));
  const unlisted = Object.keys(ERRORS).filter((name) => !listed.has(name));
  expect(unlisted.sort()).toEqual([...WITHOUT_ROUTE].sort());
});
