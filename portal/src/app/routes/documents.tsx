/** The documents: the service has a page at each of these addresses for everybody, and they are read in this frame by who is logged in. */
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { insideRoute } from "./inside.tsx";

const component = lazyPage(() => import("../document-here.tsx"), "DocumentHere");

const referenceRoute = createRoute({ getParentRoute: () => insideRoute, path: "/docs", component });
/** Which documents there are the service knows. */
const documentRoute = createRoute({ getParentRoute: () => insideRoute, path: "/docs/$", component });

export const documentRoutes = [referenceRoute, documentRoute] as const;
