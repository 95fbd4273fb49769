/** The entry page: the home of the current environment once it has a hub, the first steps before that. */
import { useQuery } from "@tanstack/react-query";
import { Navigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { clientsQuery, environmentsQuery } from "../data/queries.ts";
import { Page } from "../kit/display/page.tsx";
import { Loading } from "../kit/display/query-view.tsx";
import { useApi } from "../session/context.tsx";
import { useScope } from "./scope.ts";

// Lazy, because users with a hub are redirected and never need it.
const StartPage = lazy(async () => ({ default: (await import("../pages/start/start.tsx")).StartPage }));

export function StartHere() {
  const { ecosystem, environment } = useScope();
  const environmentId = environment?.id ?? "";
  const api = useApi();
  // Until the environments load, it is unknown whether there is an environment or a hub.
  const environments = useQuery(environmentsQuery(api));
  const hubs = useQuery({ ...clientsQuery(api, environmentId), enabled: environment !== undefined });
  // Do not redirect a user who has already navigated on to a page that is still loading.
  const isHere = useRouterState({ select: ({ location }) => location.pathname === "/" });
  if (environments.isLoading || hubs.isLoading || !isHere) return WAITING;
  if (hubs.data && hubs.data.length > 0)
    return <Navigate to="/environments/$environmentId/home" params={{ environmentId }} replace />;
  return (
    <Suspense fallback={WAITING}>
      <StartPage ecosystem={ecosystem} environment={environment} />
    </Suspense>
  );
}

/** The overview with the first steps, whether or not there is a hub. */
export function OverviewHere() {
  const { ecosystem, environment } = useScope();
  return (
    <Suspense fallback={WAITING}>
      <StartPage ecosystem={ecosystem} environment={environment} />
    </Suspense>
  );
}

const WAITING = (
  <Page title="Porchlight">
    <Loading />
  </Page>
);
