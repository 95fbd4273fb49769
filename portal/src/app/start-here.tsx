/** Where a person comes in: the home that is looked at, once a hub is there; until then the first steps. */
import { useQuery } from "@tanstack/react-query";
import { Navigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { clientsQuery, environmentsQuery } from "../data/queries.ts";
import { Page } from "../kit/display/page.tsx";
import { Loading } from "../kit/display/query-view.tsx";
import { useApi } from "../session/context.tsx";
import { useScope } from "./scope.ts";

// Whoever has a hub is led on, and needs none of it.
const StartPage = lazy(async () => ({ default: (await import("../pages/start/start.tsx")).StartPage }));

export function StartHere() {
  const { ecosystem, environment } = useScope();
  const environmentId = environment?.id ?? "";
  const api = useApi();
  // Without it nobody knows whether there is an environment, let alone a hub.
  const environments = useQuery(environmentsQuery(api));
  const hubs = useQuery({ ...clientsQuery(api, environmentId), enabled: environment !== undefined });
  // Whoever has gone on meanwhile, to a page that is still being loaded, is not called back.
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

/** The first steps, or how things are, whether or not a hub is there. */
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
