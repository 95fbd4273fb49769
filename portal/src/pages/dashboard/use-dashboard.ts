/** The displayed dashboard and its changes: shown at once, and reverted when the service refuses. */
import type { Environment } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { environmentQuery } from "../../data/places.ts";
import { useAccess } from "../../session/context.tsx";
import { changeDashboard, type Dashboard, type DashboardChange, dashboardOf, withDashboard } from "./cards.ts";

interface DashboardState {
  readonly environment: Environment | undefined;
  readonly dashboard: Dashboard;
  readonly change: (change: DashboardChange) => void;
  /** Settles when the change is saved. */
  readonly changeAsync: (change: DashboardChange) => Promise<void>;
  /** The error of the last change. */
  readonly error: Error | null;
  readonly forget: () => void;
  readonly query: {
    readonly data: Environment | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
}

const NONE: Dashboard = { cards: [], unread: [] };

export function useDashboard(environmentId: string): DashboardState {
  const { api, direct } = useAccess();
  const queries = useQueryClient();
  const asked = environmentQuery(api, environmentId);
  const query = useQuery(asked);
  const { mutate, mutateAsync, error, reset } = useMutation({
    mutationFn: (change: DashboardChange) => changeDashboard(direct.environments, environmentId, change),
    // Changes run one after the other, because each one applies to the result of the previous one.
    scope: { id: `dashboard ${environmentId}` },
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: asked.queryKey });
      queries.setQueryData(asked.queryKey, (known) => known && changed(known, change));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  });
  return {
    ...{ query, environment: query.data, dashboard: query.data ? dashboardOf(query.data.meta) : NONE },
    ...{ change: mutate, changeAsync: mutateAsync, error, forget: reset },
  };
}

function changed(environment: Environment, change: DashboardChange): Environment {
  return { ...environment, meta: withDashboard(environment.meta, change(dashboardOf(environment.meta))) };
}
