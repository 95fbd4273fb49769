/** From a way in to where the person wanted to go, as soon as there is a log-in: by this form, or in another tab. */
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAccess, useSession } from "../../session/context.tsx";

/** @param next a path of the portal; the first page when left out */
export function useGoingOn(next = "/"): void {
  const { session } = useAccess();
  const state = useSession();
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => {
    // A service that cannot be reached is told when the form is sent.
    if (state.kind === "unknown") void session.token().catch(() => undefined);
    if (state.kind !== "in") return;
    // What the log-in before has seen may be another account's.
    queries.clear();
    router.history.replace(next);
  }, [state.kind, session, router, queries, next]);
}
