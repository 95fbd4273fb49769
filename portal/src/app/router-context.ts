/** The context of all routes. It is its own file, because both the router and the routes import it. */
import type { QueryClient } from "@tanstack/react-query";
import type { Access } from "../session/context.tsx";

export interface RouterContext {
  readonly access: Access;
  readonly queries: QueryClient;
}
