/** The home that scenes are of, out of three answers: none of them says anything of a scene alone. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { environmentServicesQuery } from "../../../data/environment-services.ts";
import type { Asked } from "../../../kit/display/query-view.tsx";
import { useApi } from "../../../session/context.tsx";
import { useForest } from "../../zones/tree/use-forest.ts";
import type { SceneHome } from "./scene-home.ts";

export function useSceneHome(environmentId: string): Asked<SceneHome> {
  const forest = useForest(environmentId);
  const services = useQuery(environmentServicesQuery(useApi(), environmentId));
  const [known, told] = [forest.data, services.data];
  const data = useMemo(() => known && told && { forest: known, services: told }, [known, told]);
  const error = forest.error ?? services.error;
  return {
    ...{ data, error, isPending: !error && data === undefined },
    refetch: () => Promise.all([forest.refetch(), services.refetch()]),
  };
}
