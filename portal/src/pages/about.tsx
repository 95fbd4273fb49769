/** The about page: running versions, changes, and the licences of the portal's packages. */
import { Alert, Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { licencesQuery, type Package, PORTAL_VERSION, versionsQuery } from "../data/about.ts";
import { Fact, Facts } from "../kit/display/facts.tsx";
import { CodeBlock } from "../kit/display/id.tsx";
import { Page, Section } from "../kit/display/page.tsx";
import { QueryView } from "../kit/display/query-view.tsx";
import { DataTable } from "../kit/display/table.tsx";
import { useApi } from "../session/context.tsx";
import classes from "./about.module.css";

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
