/** The first page of what is looked at at the moment. */
import { StartPage } from "../pages/start/start.tsx";
import { useScope } from "./scope.ts";

export function StartHere() {
  const { ecosystem, environment } = useScope();
  return <StartPage ecosystem={ecosystem} environment={environment} />;
}
