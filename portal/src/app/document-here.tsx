/** The document of an address, with the current ecosystem and environment in its samples. */
import { useRouterState } from "@tanstack/react-router";
import { DocumentPage } from "../pages/documents/document.tsx";
import { useScope } from "./scope.ts";

export function DocumentHere() {
  const { ecosystem, environment } = useScope();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return <DocumentPage path={path} ecosystemId={ecosystem?.id} environment={environment} />;
}
