/** All devices of a zone at once: what can be set in it, how it stands, and which devices did not follow. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { catalogueQuery } from "../../../data/catalogue.ts";
import { environmentServicesQuery } from "../../../data/environment-services.ts";
import { Empty, QueryView } from "../../../kit/display/query-view.tsx";
import { useApi } from "../../../session/context.tsx";
import { devicesWithin, type Forest } from "../tree/forest.ts";
import { OtherProperty } from "./other-property.tsx";
import { settables } from "./summary.ts";
import { ZoneControl } from "./zone-control.tsx";

export interface ZoneControlsProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
}

export function ZoneControls({ environmentId, zoneId, forest }: ZoneControlsProps) {
  const api = useApi();
  const devices = devicesWithin(forest, zoneId);
  const catalogue = useQuery(catalogueQuery(api)).data;
  const services = useQuery(environmentServicesQuery(api, environmentId));
  if (devices.size === 0)
    return <Empty title="No devices in this zone">Add devices to the zone to control them together here.</Empty>;
  return (
    <QueryView query={services}>
      {(known) => {
        const found = settables(
          catalogue ?? [],
          [...devices].map((id) => [id, known.get(id)?.items ?? []]),
        );
        return (
          <>
            {catalogue && found.length === 0 && (
              <Text c="dimmed">None of its devices has a standard property that you can set.</Text>
            )}
            {found.map((settable) => {
              const key = `${settable.service}.${settable.property.property}`;
              return <ZoneControl key={key} {...{ environmentId, zoneId, forest, settable }} />;
            })}
            <OtherProperty {...{ environmentId, zoneId, forest }} />
          </>
        );
      }}
    </QueryView>
  );
}
