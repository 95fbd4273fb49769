/** The frame of every page that needs a log-in: rail, banner, main column. It redirects to the log-in form when the log-in ends. */
import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { clientsQuery } from "../data/queries.ts";
import { Icon, Mark } from "../kit/display/icon.tsx";
import { Loading } from "../kit/display/query-view.tsx";
import { CurrentProvider, useIsCurrent } from "../kit/display/state.tsx";
import { ageOf, useNow } from "../kit/text/age.tsx";
import { LiveProvider, useLiveness } from "../live/context.tsx";
import { useApi, useSession } from "../session/context.tsx";
import { Rail } from "./rail.tsx";
import { type Scope, useScope } from "./scope.ts";
import classes from "./shell.module.css";

export function Shell() {
  const scope = useScope();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useReturnToForm();
  // On navigation, scroll to the top and close the menu.
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    close();
    // Keep the focus in a dialog that was opened meanwhile.
    if (!document.activeElement?.closest('[role="dialog"]')) main.current?.focus({ preventScroll: true });
  }, [path, close]);

  return (
    <LiveProvider ecosystemId={scope.ecosystem?.id}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Known>
        <div className={classes.shell}>
          <header className={classes.top}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={toggle}
              aria-expanded={isOpen}
              aria-controls="rail"
              aria-label="Menu"
            >
              <Icon name={isOpen ? "close" : "menu"} />
            </ActionIcon>
            <Brand scope={scope} />
          </header>
          <div className={classes.rail} id="rail" data-open={isOpen}>
            <header className={classes.railBrand}>
              <Brand scope={scope} />
            </header>
            <Rail scope={scope} />
          </div>
          <main className={classes.main} id="main" ref={main} tabIndex={-1}>
            <Banner />
            {/* The frame stays while a page loads. */}
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </Known>
    </LiveProvider>
  );
}

/** Provides all components below with whether the data is current or only last known. */
function Known({ children }: { readonly children: ReactNode }) {
  return <CurrentProvider value={useLiveness().kind !== "lost"}>{children}</CurrentProvider>;
}

/** The logo; its lamp is lit when a hub of the current environment is online. */
function Brand({ scope: { environment } }: { readonly scope: Scope }) {
  const api = useApi();
  const { data } = useQuery({ ...clientsQuery(api, environment?.id ?? ""), enabled: environment !== undefined });
  const isCurrent = useIsCurrent();
  const isOnline = data?.some(({ connection }) => connection.state === "online") ?? false;
  const isLit = isOnline && isCurrent;
  return (
    <Link to="/" className={classes.brand}>
      <Mark isLit={isLit} />
      <span>Porchlight</span>
      {data && <span className="unseen">{lampWords(isOnline, isCurrent)}</span>}
    </Link>
  );
}

function lampWords(isOnline: boolean, isCurrent: boolean): string {
  if (!isCurrent) return "(hub status unknown)";
  return isOnline ? "(hub online)" : "(no hub online)";
}

function useReturnToForm(): void {
  const session = useSession();
  const router = useRouter();
  useEffect(() => {
    if (session.kind !== "out") return;
    void router.navigate({ to: "/login", search: { next: router.state.location.href, ended: session.ended } });
  }, [session, router]);
}

function Banner() {
  const liveness = useLiveness();
  if (liveness.kind !== "lost") return <div role="status" />;
  const { since } = liveness;
  return (
    <div className={classes.banner} role="status">
      <strong>Connection lost, last known values.</strong> Last response from the service at{" "}
      <time dateTime={new Date(since).toISOString()}>{new Date(since).toLocaleTimeString()}</time>
      <Ago since={since} />. Reconnecting automatically.
    </div>
  );
}

/** Hidden from screen readers, which would read a ticking status out each second. */
function Ago({ since }: { readonly since: number }) {
  return <span aria-hidden="true"> ({ageOf(useNow() - since)} ago)</span>;
}
