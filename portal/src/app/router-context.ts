/** What every route is handed: its own file, for the routes need it and the router needs the routes. */
import type { QueryClient } from "@tanstack/react-query";
import type { Access } from "../session/context.tsx";

export interface RouterContext {
  readonly access: Access;
  readonly queries: QueryClient;
}
