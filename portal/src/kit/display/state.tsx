/** Whether something is online: a dot and a word, alike everywhere. */
import { createContext, type ReactNode, use } from "react";
import { Age } from "../text/age.tsx";
import { counted } from "../text/quantity.ts";
import classes from "./state.module.css";

export interface Connection {
  readonly state: "online" | "offline" | "unknown";
  readonly since: string;
}

/** Filled: online; hollow: offline since when; dashed: not known, or only what was last known. */
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

/** "3 of 4 hubs online"; while nothing is heard of the service, how many were when it was. @param what one of them: "hub" */
export function OnlineCount(props: { readonly online: number; readonly all: number; readonly what: string }) {
  const { online, all, what } = props;
  return `${useIsCurrent() ? "" : "last known: "}${online} of ${counted(all, what)} online`;
}

/** A word with a dot in a colour of state. */
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

/** Whether what is shown is what is, or what was last known: what shows a state asks here, so that none claims what nobody knows. */
const Current = createContext(true);

/** Says it to everything below. */
export const CurrentProvider = Current.Provider;

/** False while nothing is heard of the service. */
export const useIsCurrent = (): boolean => use(Current);
