/** The rail: which environment is looked at, and everything there is to go to. */
import { Link, type LinkProps, useRouterState } from "@tanstack/react-router";
import { Icon } from "../kit/display/icon.tsx";
import { useLogOut } from "../pages/account/use-log-out.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { Keyboard } from "./keyboard.tsx";
import type { Entry } from "./palette-entries.ts";
import { ACTIONS, DOCUMENTS, IN_ECOSYSTEM, IN_ENVIRONMENT, OF_ACCOUNT, type RailPlace } from "./places.ts";
import classes from "./rail.module.css";
import { addressFor, filled, paramsOf, type Scope } from "./scope.ts";
import { Search } from "./search.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

/** All pages of the rail with their addresses, and actions, for the search. */
function pagesOf(scope: Scope): readonly Entry[] {
  const pages = [...(scope.environment ? IN_ENVIRONMENT : []), ...(scope.ecosystem ? IN_ECOSYSTEM : []), ...OF_ACCOUNT];
  const params = paramsOf(scope);
  return [
    ...pages.map(({ icon, label, to }) => ({ icon, name: label, about: "page", to: filled(to, params) })),
    ...ACTIONS.flatMap(({ name, also, to, search }) => {
      const at = addressFor(to, scope);
      return at === undefined
        ? []
        : [{ icon: "plus", name, also, about: "action", to: `${at}${search ?? ""}` } as const];
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
  const label = logOut.isError ? "Log-out failed. Try again" : "Log out";
  return (
    <button type="button" className={classes.place} disabled={logOut.isPending} onClick={() => logOut.mutate()}>
      <Icon name="leave" />
      {label}
    </button>
  );
}

/** Of what lies below a place the rail says itself whether one is there. */
const EXACT = { exact: true };

/** What is below the reference: other documents have their own places. */
const OPERATIONS = "/docs/operations/";

interface PlacesProps {
  readonly places: readonly RailPlace[];
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
          <Link
            key={to}
            to={to as LinkProps["to"]}
            params={params as never}
            activeOptions={EXACT}
            className={classes.place}
            data-here={isHere || undefined}
            aria-current={path === at ? "page" : isHere ? "true" : undefined}
          >
            <Icon name={icon} />
            {label}
          </Link>
        );
      })}
    </div>
  );
}
