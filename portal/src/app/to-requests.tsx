/** Redirects a link to a request to the log of the current ecosystem; any ecosystem's log can show the request. */
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { Loading } from "../kit/display/query-view.tsx";
import { useScope } from "./scope.ts";

const route = getRouteApi("/inside/requests");

export function ToRequests() {
  const search = route.useSearch();
  const { ecosystem } = useScope();
  if (!ecosystem) return <Loading />;
  const params = { ecosystemId: ecosystem.id };
  return <Navigate to="/ecosystems/$ecosystemId/requests" params={params} search={search} replace />;
}
