/** `/api/openapi.json`: the description of all routes, itself among them. */
import { z } from "zod";
import { openApi } from "../openapi.ts";
import { defineOpenRoute, type Route } from "../route.ts";

/** The given routes, and the one that describes them. */
export function described(routes: readonly Route[], publicUrl: string | undefined): Route[] {
  // Written out once: that takes 10 ms, in which nobody else would be served, and anybody may ask.
  let text: string | undefined;
  const all: Route[] = [
    ...routes,
    defineOpenRoute({
      method: "GET",
      path: "/api/openapi.json",
      summary: "Show this description",
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      handle: async () => {
        text ??= JSON.stringify(openApi(all, publicUrl));
        return { status: 200, text };
      },
    }),
  ];
  return all;
}
