/** The about page: the running versions, the changes, and the packages that the build found in the portal with their licences. */
import { Alert, Anchor, Text } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fact, Facts } from "../kit/display/facts.tsx";
import { CodeBlock } from "../kit/display/id.tsx";
import { Page, Section } from "../kit/display/page.tsx";
import { QueryView } from "../kit/display/query-view.tsx";
import { DataTable } from "../kit/display/table.tsx";
import { useApi } from "../session/context.tsx";
import classes from "./about.module.css";

declare const __PORTAL_VERSION__: string;

/** Version of the portal on this page, set at build time. A page that was open during an upgrade is older than its service. */
const PORTAL_VERSION = __PORTAL_VERSION__;

interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly text?: string;
}

interface RunningVersions {
  readonly api: string | undefined;
  readonly service: string | undefined;
}

const versionsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["versions"],
    queryFn: async ({ signal }): Promise<RunningVersions> => {
      const { info } = (await api.service.openApi({ signal })) as { readonly info?: Readonly<Record<string, unknown>> };
      return { api: textOf(info?.version), service: textOf(info?.["x-service-version"]) };
    },
    staleTime: 300_000,
  });

/** The build writes this file next to the page. */
const licencesQuery = queryOptions({
  queryKey: ["licences"],
  queryFn: async ({ signal }): Promise<readonly Package[]> => {
    const answer = await fetch("/licences.json", { signal });
    if (!answer.ok) throw new Error("The list of packages is missing. This page is older than the service. Reload it.");
    return ((await answer.json()) as { readonly packages: readonly Package[] }).packages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function AboutPage() {
  return (
    <Page title="About" lead="The versions that run here, and the licences of the portal's packages.">
      <Versions />
      <Licences />
    </Page>
  );
}

function Versions() {
  const versions = useQuery(versionsQuery(useApi()));
  return (
    <Section title="Versions">
      <QueryView query={versions}>
        {({ service = "unknown", api = "unknown" }) => (
          <>
            {service !== "unknown" && service !== PORTAL_VERSION && (
              <Alert color="amber" variant="light" role="status" title="This page is out of date">
                The service was updated while this page was open. Reload the page.
              </Alert>
            )}
            <Facts>
              <Fact name="Service">{service}</Fact>
              <Fact name="API">{api}</Fact>
              <Fact name="This page">{PORTAL_VERSION}</Fact>
              <Fact name="Licence">Apache-2.0</Fact>
              <Fact name="Changes">
                <Anchor href="/docs/changelog">Changelog</Anchor>
              </Fact>
            </Facts>
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Licences() {
  const packages = useQuery(licencesQuery);
  return (
    <Section title="Licences" lead="Third-party packages in this portal, as listed by its build.">
      <QueryView query={packages}>
        {(data) => (
          <DataTable
            label="Packages"
            rows={data}
            idOf={({ name, version }) => `${name} ${version}`}
            columns={[
              { name: "Package", cell: ({ name }) => <span className="mono">{name}</span> },
              { name: "Version", cell: ({ version }) => <span className="mono">{version}</span> },
              { name: "Licence", cell: ({ licence }) => licence },
              { name: "Licence text", isWide: true, cell: (each) => <LicenceText of={each} /> },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function LicenceText({ of: { name, text } }: { readonly of: Package }) {
  if (text === undefined) return <Text c="dimmed">None in the package</Text>;
  return (
    <details>
      <summary className={classes.summary}>Show</summary>
      <CodeBlock code={text} label={`licence of ${name}`} />
    </details>
  );
}
