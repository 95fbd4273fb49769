/** The portal's router. Each area has its routes in its own file, and pages load on navigation. */
import { Anchor, Button, Text } from "@mantine/core";
import { createRouter, type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Failure } from "../kit/display/failure.tsx";
import { Mark } from "../kit/display/icon.tsx";
import { Page } from "../kit/display/page.tsx";
import classes from "./odd-pages.module.css";
import {
  deviceRoutes,
  documentRoutes,
  entryRoutes,
  insideRoute,
  type RouterContext,
  rootRoute,
} from "./routes/entry.tsx";
import { accountRoutes, hubRoutes, operationRoutes, placeRoutes } from "./routes/inside.tsx";

const tree = rootRoute.addChildren([
  ...entryRoutes,
  insideRoute.addChildren([
    ...accountRoutes,
    ...placeRoutes,
    ...deviceRoutes,
    ...hubRoutes,
    ...operationRoutes,
    ...documentRoutes,
  ]),
]);

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    context,
    defaultPreload: "intent",
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: CrashedPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

/** The page of an unknown address. */
function MissingPage() {
  return (
    <main className={classes.alone}>
      <Link to="/" className={classes.brand}>
        <Mark isLit={false} />
        <span>Porchlight</span>
      </Link>
      <Page title="Page not found">
        <Text>
          The link may be old or incomplete. Go to the{" "}
          <Anchor renderRoot={(props) => <Link to="/" {...props} />}>first page</Anchor>, or to the{" "}
          <Anchor href="/docs">reference</Anchor> of the API.
        </Text>
      </Page>
    </main>
  );
}

/** The browsers' messages for a script that fails to load: the service was upgraded, or is unreachable. */
const MISSING_PART = /dynamically imported module|Importing a module script failed/;

const MISSING_WORDS =
  "Part of this page could not be loaded. The service may have been upgraded, or cannot be reached.";

/** The page of a crashed component. It does not retry a missing script: the router has already reloaded the page once. */
function CrashedPage({ error, reset }: ErrorComponentProps) {
  const isPart = error instanceof Error && MISSING_PART.test(error.message);
  return (
    <Page
      title="This page could not be shown"
      actions={
        <Button variant="default" onClick={() => location.reload()}>
          Reload page
        </Button>
      }
    >
      {isPart ? <Failure error={new Error(MISSING_WORDS)} /> : <Failure error={error} retry={reset} />}
    </Page>
  );
}
