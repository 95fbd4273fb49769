/** The root of all addresses, and the part of them that needs a log-in. */
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import type { RouterContext } from "../router-context.ts";
import { Shell } from "../shell.tsx";

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** Without a log-in it leads to the form, which leads back; from a document to its plain page. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const token = await context.access.session.token();
    if (token === undefined && location.pathname.startsWith("/docs")) {
      // Everybody may read the documents. The service has brought this frame because of a log-in that has ended.
      window.location.replace(`${location.pathname}?plain`);
      await new Promise(() => undefined);
    }
    const { state } = context.access.session;
    if (token === undefined)
      throw redirect({ to: "/login", search: { next: location.href, ended: state.kind === "out" && state.ended } });
  },
  component: Shell,
});
