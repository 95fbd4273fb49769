/** The rail: which environment is looked at, and everything there is to go to. */
import { NavLink } from "@mantine/core";
import { Link, type LinkProps, useRouterState } from "@tanstack/react-router";
import { Icon, type IconName } from "../kit/display/icon.tsx";
import { useLogOut } from "../pages/account/use-log-out.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { Keyboard } from "./keyboard.tsx";
import type { Entry } from "./palette-entries.ts";
import classes from "./rail.module.css";
import { addressFor, filled, paramsOf, type Scope } from "./scope.ts";
import { Search } from "./search.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

interface Place {
  readonly icon: IconName;
  readonly label: string;
  readonly to: NonNullable<LinkProps["to"]> | `/docs/${string}`;
}

const IN_ENVIRONMENT: readonly Place[] = [
  { icon: "home", label: "Home", to: "/environments/$environmentId/home" },
  { icon: "device", label: "Devices", to: "/environments/$environmentId/devices" },
  { icon: "zone", label: "Zones", to: "/environments/$environmentId/zones" },
  { icon: "hub", label: "Hubs", to: "/environments/$environmentId/hubs" },
];
const IN_ECOSYSTEM: readonly Place[] = [
  { icon: "list", label: "Overview", to: "/overview" },
  { icon: "webhook", label: "Webhooks", to: "/ecosystems/$ecosystemId/webhooks" },
  { icon: "event", label: "Events", to: "/ecosystems/$ecosystemId/events" },
  { icon: "request", label: "Requests", to: "/ecosystems/$ecosystemId/requests" },
  { icon: "audit", label: "Audit", to: "/ecosystems/$ecosystemId/audit" },
  { icon: "usage", label: "Usage", to: "/ecosystems/$ecosystemId/usage" },
  { icon: "user", label: "Users", to: "/ecosystems/$ecosystemId/users" },
  { icon: "server", label: "Server keys", to: "/ecosystems/$ecosystemId/servers" },
];
const OF_ACCOUNT: readonly Place[] = [
  { icon: "warn", label: "Alerts", to: "/alerts" },
  { icon: "place", label: "Places", to: "/places" },
  { icon: "account", label: "Account", to: "/account" },
  { icon: "docs", label: "About", to: "/about" },
];

/** The service has them at the same addresses for who is not logged in. */
const DOCUMENTS: readonly Place[] = [
  { icon: "docs", label: "Reference", to: "/docs" },
  { icon: "docs", label: "First hour", to: "/docs/first-hour" },
  { icon: "docs", label: "Guide", to: "/docs/guide" },
  { icon: "docs", label: "Webhook checks", to: "/docs/webhooks" },
  { icon: "docs", label: "Errors", to: "/docs/errors" },
  { icon: "docs", label: "Glossary", to: "/docs/glossary" },
  { icon: "docs", label: "Changelog", to: "/docs/changelog" },
];

/** What can be done from anywhere, for the search. */
const ACTIONS: readonly { readonly name: string; readonly to: string; readonly search?: string }[] = [
  { name: "Pair a hub", to: "/pair" },
  { name: "New zone", to: "/environments/$environmentId/zones", search: "?new=true" },
  { name: "New virtual device", to: "/environments/$environmentId/devices/new" },
  { name: "New webhook", to: "/ecosystems/$ecosystemId/webhooks/new" },
];

/** All pages of the rail with their addresses, and actions, for the search. */
function pagesOf(scope: Scope): readonly Entry[] {
  const pages = [...(scope.environment ? IN_ENVIRONMENT : []), ...(scope.ecosystem ? IN_ECOSYSTEM : []), ...OF_ACCOUNT];
  const params = paramsOf(scope);
  return [
    ...pages.map(({ icon, label, to }) => ({ icon, name: label, about: "page", to: filled(to, params) })),
    ...ACTIONS.flatMap(({ name, to, search }) => {
      const at = addressFor(to, scope);
      return at === undefined ? [] : [{ icon: "plus", name, about: "action", to: `${at}${search ?? ""}` } as const];
    }),
  ];
}

export function Rail({ scope }: { readonly scope: Scope }) {
  const params = paramsOf(scope);
  return (
    <nav className={classes.nav} aria-label="Portal">
      <Search scope={scope} pages={pagesOf(scope)} />
      <EnvironmentSwitch scope={scope} />
      {scope.environment && <Places places={IN_ENVIRONMENT} params={params} />}
      {scope.ecosystem && <Places places={IN_ECOSYSTEM} params={params} heading="Ecosystem" />}
      <Places places={OF_ACCOUNT} params={params} heading="Account" />
      <Places places={DOCUMENTS} params={params} heading="Documents" />
      <LogOut />
      <ThemeChoice />
      <Keyboard scope={scope} />
    </nav>
  );
}

function LogOut() {
  const logOut = useLogOut();
  const label = logOut.isError ? "Log out: not reached, try again" : "Log out";
  return (
    <NavLink
      component="button"
      label={label}
      leftSection={<Icon name="leave" />}
      disabled={logOut.isPending}
      onClick={() => logOut.mutate()}
    />
  );
}

/** Of what lies below a place the rail says itself whether one is there. */
const EXACT = { exact: true };

/** What is below the reference: other documents have their own places. */
const OPERATIONS = "/docs/operations/";

interface PlacesProps {
  readonly places: readonly Place[];
  readonly params: Readonly<Record<string, string>>;
  readonly heading?: string;
}

function Places({ places, params, heading }: PlacesProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <div>
      {heading && <div className={classes.heading}>{heading}</div>}
      {places.map(({ icon, label, to }) => {
        const at = filled(to, params);
        const isHere = path === at || (at !== "/" && path.startsWith(at === "/docs" ? OPERATIONS : `${at}/`));
        return (
          <NavLink
            key={to}
            label={label}
            leftSection={<Icon name={icon} />}
            active={isHere}
            aria-current={path === at ? "page" : isHere ? "true" : undefined}
            renderRoot={(props) => (
              <Link to={to as LinkProps["to"]} params={params as never} activeOptions={EXACT} {...props} />
            )}
          />
        );
      })}
    </div>
  );
}
