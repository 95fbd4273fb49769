/** The online state as a dot and a word, in the same form on every page. */
import { createContext, type ReactNode, use } from "react";
import { Age } from "../text/age.tsx";
import { counted } from "../text/quantity.ts";
import classes from "./state.module.css";

export interface Connection {
  readonly state: "online" | "offline" | "unknown";
  readonly since: string;
}

/** Filled dot: online. Hollow: offline, with its duration. Dashed: unknown, or only the last known state. */
export function OnlineState({ connection }: { readonly connection: Connection | undefined }) {
  const state = connection?.state ?? "unknown";
  const isCurrent = useIsCurrent();
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-state={isCurrent ? state : "unknown"} aria-hidden="true" />
      {!isCurrent && state !== "unknown" ? (
        `last known: ${state}`
      ) : state === "offline" && connection ? (
        <span>
          offline <Age at={connection.since} prefix="for " suffix="" />
        </span>
      ) : (
        state
      )}
    </span>
  );
}

/** "3 of 4 hubs online", or the last known count while the service is unreachable. @param what the singular noun: "hub" */
export function OnlineCount(props: { readonly online: number; readonly all: number; readonly what: string }) {
  const { online, all, what } = props;
  return `${useIsCurrent() ? "" : "last known: "}${online} of ${counted(all, what)} online`;
}

/** A word with a dot in the colour of a state. */
export function StateWord({
  tone,
  children,
}: {
  readonly tone: "good" | "bad" | "warn" | "none";
  readonly children: ReactNode;
}) {
  const isCurrent = useIsCurrent();
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-tone={isCurrent || tone !== "good" ? tone : "none"} aria-hidden="true" />
      {children}
    </span>
  );
}

/**
 * Whether displayed data is current or only last known. Every component that shows a state reads it, so that no page presents stale data as
 * current.
 */
const Current = createContext(true);

/** Provides the value to all components below. */
export const CurrentProvider = Current.Provider;

/** False while the service is unreachable. */
export const useIsCurrent = (): boolean => use(Current);
