/** The page of a zone: its items, controls for all its devices, alias and metadata. */
import { Anchor, Button } from "@mantine/core";
import { ref } from "@porchlight/sdk";
import type { Zone } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { zoneQuery } from "../../data/places.ts";
import { environmentServicesQuery } from "../../data/services.ts";
import { DeviceTiles } from "../../devices/device-tiles.tsx";
import { Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { LogBookSection } from "../log-book/log-book-section.tsx";
import { devicesWithin, type Forest, nameIn, useForest } from "./forest.ts";
import { ZoneControls } from "./zone-controls.tsx";
import { NewZoneDialog } from "./zone-dialogs.tsx";
import { ZoneItems } from "./zone-items.tsx";

const route = getRouteApi("/inside/environments/$environmentId/zones/$zoneId");

export function ZonePage() {
  const { environmentId, zoneId } = route.useParams();
  const api = useApi();
  const zone = useQuery(zoneQuery(api, zoneId));
  const forest = useForest(environmentId);
  const known = forest.data;
  return (
    <Page
      title={zone.data ? titleOf(zone.data, "Zone") : "Zone"}
      lead={
        <Anchor
          className="alone"
          renderRoot={(props) => <Link to="/environments/$environmentId/zones" params={{ environmentId }} {...props} />}
        >
          All zones
        </Anchor>
      }
      actions={zone.data && <Actions zone={zone.data} />}
      aside={zone.data && known && <About zone={zone.data} forest={known} />}
    >
      <QueryView query={zone}>
        {(shown) => (
          <>
            <Section title="Devices" lead="Includes the devices of the zones inside it.">
              <QueryView query={forest}>{(all) => <Tiles {...{ environmentId, zoneId, forest: all }} />}</QueryView>
            </Section>
            <Section
              title="Control all devices"
              lead="Sets or reads a property of every device in the zone that has it."
            >
              <QueryView query={forest}>
                {(all) => <ZoneControls key={zoneId} {...{ environmentId, zoneId, forest: all }} />}
              </QueryView>
            </Section>
            <Section title="Contents">
              <QueryView query={forest}>{(all) => <ZoneItems zone={shown} forest={all} />}</QueryView>
            </Section>
            {known && <ZoneLog zone={shown} forest={known} />}
            <Section title="Metadata">
              <MetaEditor kind="zones" id={zoneId} source={api.zones} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

interface TilesProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
}

function Tiles({ environmentId, zoneId, forest }: TilesProps) {
  const services = useQuery(environmentServicesQuery(useApi(), environmentId));
  const devices = [...devicesWithin(forest, zoneId)].flatMap((id) => forest.devices.get(id) ?? []);
  if (devices.length === 0) return <Empty title="No devices">Add devices to this zone under “Contents”.</Empty>;
  return <DeviceTiles devices={devices} services={services.data} label="Devices of the zone" />;
}

function ZoneLog({ zone, forest }: { readonly zone: Zone; readonly forest: Forest }) {
  const { id, ecosystemId, environmentId } = zone;
  const scope = useMemo(() => {
    const deviceIds = devicesWithin(forest, id);
    const hubIds = [...deviceIds].flatMap((each) => forest.devices.get(each)?.clientId ?? []);
    return { ecosystemId, environmentId, zone: { id, deviceIds, hubIds: new Set(hubIds) } };
  }, [id, ecosystemId, environmentId, forest]);
  return <LogBookSection scope={scope} />;
}

function Actions({ zone: { id, environmentId, alias, items = [] } }: { readonly zone: Zone }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isMaking, setMaking] = useState(false);
  const leave = async () => {
    await navigate({ to: "/environments/$environmentId/zones", params: { environmentId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: zoneQuery(api, id).queryKey });
    await queries.invalidateQueries({ queryKey: ["zones"] });
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setMaking(true)}>
        Create zone inside
      </Button>
      <Confirm label="Delete zone" title="Delete zone?" act={() => api.zones.delete(id)} onDone={() => void leave()}>
        Only the zone itself is deleted: {items.length === 0 ? "it is empty" : `its contents stay (${items.length})`}.
        It is removed from every zone that it is in, and its alias becomes free. This cannot be undone.
      </Confirm>
      {isMaking && (
        <NewZoneDialog
          environmentId={environmentId}
          inside={{ id, name: alias ?? id }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function About({ zone, forest }: { readonly zone: Zone; readonly forest: Forest }) {
  const api = useApi();
  const { id, environmentId, alias, createdAt } = zone;
  const parents = forest.parents.get(id) ?? [];
  return (
    <Section title="Details">
      <AliasField key={id} kind="zones" id={id} alias={alias} source={api.zones} />
      <Facts
        facts={[
          ["ID", <Id key="id" value={id} />],
          ["Reference", <Id key="ref" value={ref(environmentId, alias ?? id)} label="reference" />],
          [
            "In zones",
            parents.length === 0
              ? "no other zone"
              : parents.map((parent, at) => (
                  <span key={parent}>
                    {at > 0 && ", "}
                    <Anchor
                      renderRoot={(props) => (
                        <Link
                          to="/environments/$environmentId/zones/$zoneId"
                          params={{ environmentId, zoneId: parent }}
                          {...props}
                        />
                      )}
                    >
                      <NameText text={nameIn(forest, parent)} />
                    </Anchor>
                  </span>
                )),
          ],
          ["All devices", devicesWithin(forest, id).size.toLocaleString("en")],
          ["Created", <Age key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}
