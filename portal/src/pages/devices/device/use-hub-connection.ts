/** How the hub of a device is connected: the very answer that the hub's own page shows. */
import type { Client, Device } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { clientQuery } from "../../../data/queries.ts";
import { useApi } from "../../../session/context.tsx";

/** Undefined while it is not known, and of a device that has no hub. */
export function useHubConnection({ clientId, connection }: Device): Client["connection"] | undefined {
  const isAsked = clientId !== undefined && connection?.state === "unknown";
  return useQuery({ ...clientQuery(useApi(), clientId ?? ""), enabled: isAsked }).data?.connection;
}
