/** `/api/openapi.json`: the description of all routes, itself among them. */
import { z } from "zod";
import { openApi } from "../openapi.ts";
import { defineOpenRoute, ok, type Route } from "../route.ts";

/** The given routes, and the one that describes them. */
export function described(routes: readonly Route[], publicUrl: string | undefined): Route[] {
  let document: object | undefined;
  const all: Route[] = [
    ...routes,
    defineOpenRoute({
      method: "GET",
      path: "/api/openapi.json",
      summary: "Show this description",
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      handle: async () => {
        document ??= openApi(all, publicUrl);
        return ok(document);
      },
    }),
  ];
  return all;
}
