/** The navigation rail: the current environment and the links to all pages. */
import { Kbd, SegmentedControl, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Link, type LinkProps, useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { Icon } from "../kit/display/icon.tsx";
import { useWanted } from "../kit/text/use-wanted.ts";
import { useLogOut } from "../session/context.tsx";
import { SwitchButton } from "./environment-switch-button.tsx";
import type { Entry } from "./palette-entries.ts";
import { ACTIONS, DOCUMENTS, IN_ECOSYSTEM, IN_ENVIRONMENT, meaningOf, OF_ACCOUNT, type RailPlace } from "./places.ts";
import classes from "./rail.module.css";
import { addressFor, filled, paramsOf, type Scope } from "./scope.ts";

/** All pages of the rail with their addresses, and the actions, for the search. */
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

/** Exact match only: the rail decides itself which place is current on a subpage. */
const EXACT = { exact: true };

/** Addresses below the reference; other documents have places of their own. */
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

/** Light, dark or the system's setting; stored in this browser. */
const CHOICES = [
  { value: "auto", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label="Theme"
      data={[...CHOICES]}
      value={colorScheme}
      onChange={(next) => setColorScheme(CHOICES.find(({ value }) => value === next)?.value ?? "auto")}
    />
  );
}

const loadMenu = () => import("./environment-menu.tsx");

/** The button with the current environment; the menu of others loads on first use. */
function EnvironmentSwitch({ scope }: { readonly scope: Scope }) {
  const [isWanted, setWanted] = useState(false);
  const { Part: EnvironmentMenu, error } = useWanted(loadMenu, isWanted);
  if (EnvironmentMenu) return <EnvironmentMenu scope={scope} />;
  return (
    <>
      <SwitchButton
        environment={scope.environment}
        aria-haspopup="listbox"
        aria-expanded={false}
        onClick={() => setWanted(true)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setWanted(true);
        }}
      />
      {error && <Failure error={error} putAway={() => setWanted(false)} />}
    </>
  );
}

const KeyboardHelp = lazy(() => import("./keyboard-help.tsx"));

/** Handles the keyboard shortcuts for pages. */
function Keyboard({ scope }: { readonly scope: Scope }) {
  const router = useRouter();
  const begunAt = useRef<number>(undefined);
  const [isHelp, setHelp] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, altKey, metaKey, timeStamp } = event;
    const pressed = { key, isModified: ctrlKey || altKey || metaKey, isTaken: isTaken(event.target), at: timeStamp };
    const meaning = meaningOf(pressed, begunAt.current);
    begunAt.current = meaning.kind === "begun" ? meaning.at : undefined;
    if (meaning.kind === "help") setHelp(true);
    if (meaning.kind !== "page") return;
    const to = addressFor(meaning.page.to, scope);
    if (to === undefined) return;
    event.preventDefault();
    void router.navigate({ to });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    isHelp && (
      <Suspense>
        <KeyboardHelp onClose={() => setHelp(false)} />
      </Suspense>
    )
  );
}

/** Whether keys have another meaning: in input fields, in widgets with keys of their own, and while a dialog is open. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=slider], [role=tree], [role=listbox]") !== null
  );
}

const Palette = lazy(() => import("./palette.tsx"));

interface SearchProps {
  readonly scope: Scope;
  readonly pages: readonly Entry[];
}

function Search(props: SearchProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useHotkeys([["mod+K", open]], []);
  useHotkeys([["/", open]]);
  return (
    <>
      <UnstyledButton
        className={classes.search}
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K /"
        aria-label="Search"
      >
        <Icon name="search" size={16} />
        <span className={classes.word}>Search</span>
        <Kbd size="xs">/</Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <Palette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
