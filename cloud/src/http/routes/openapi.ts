/** `/api/openapi.json`: the description of all routes, including this one. */
import { z } from "zod";
import { openApi } from "../openapi.ts";
import { defineOpenRoute, type Page, packed, type Route } from "../routing/route.ts";

const JSON_PAGE = { status: 200, type: "application/json; charset=utf-8", isImmutable: false };

/** The given routes, and the route that describes them. */
export function described(routes: readonly Route[], publicUrl: string | undefined): Route[] {
  // Rendered and compressed once: it blocks the thread for 10 ms, and any caller may request it.
  let page: Promise<Page> | undefined;
  const all: Route[] = [
    ...routes,
    defineOpenRoute({
      method: "GET",
      path: "/api/openapi.json",
      operationId: "getOpenapi",
      tag: "documents",
      summary: "Show this description",
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      isSameForAll: true,
      handle: async () => {
        page ??= packed(Buffer.from(JSON.stringify(openApi(all, publicUrl))), JSON_PAGE);
        return { status: 200, page: await page };
      },
    }),
  ];
  return all;
}
