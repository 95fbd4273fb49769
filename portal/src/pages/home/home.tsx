/** The page of a home: its problems, then its rooms with their state and controls. */
import { Button } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { environmentQuery } from "../../data/places.ts";
import { clientsQuery, devicesQuery, scenesQuery, zonesQuery } from "../../data/queries.ts";
import { environmentServicesQuery, type ServicesByDevice } from "../../data/services.ts";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineCount, OnlineState } from "../../kit/display/state.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { useApi } from "../../session/context.tsx";
import { Concerns } from "./concerns.tsx";
import classes from "./home.module.css";
import { RoomSection } from "./room-section.tsx";
import { roomsOf } from "./rooms.ts";

const NoDevices = lazy(() => import("../../devices/no-devices.tsx"));
const loadScenes = () => import("./home-scenes.tsx");

const route = getRouteApi("/inside/environments/$environmentId/home");

export function HomePage() {
  const { environmentId } = route.useParams();
  const api = useApi();
  const environment = useQuery(environmentQuery(api, environmentId));
  const devices = useQuery(devicesQuery(api, environmentId));
  const services = useQuery(environmentServicesQuery(api, environmentId));
  const scenes = useQuery(scenesQuery(api, environmentId)).data ?? [];
  const { Part: HomeScenes } = useWanted(loadScenes, scenes.length > 0);
  return (
    <Page
      title={environment.data ? titleOf(environment.data, "Home") : "Home"}
      lead={<HubsLine environmentId={environmentId} />}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/environments/$environmentId/zones" params={{ environmentId }} {...props} />}
        >
          Edit zones
        </Button>
      }
    >
      {HomeScenes && scenes.length > 0 && (
        <HomeScenes key={environmentId} environmentId={environmentId} scenes={scenes} />
      )}
      <QueryView
        query={devices}
        isEmpty={(all) => all.length === 0}
        empty={
          <Section title="Devices">
            <Suspense fallback={<Loading />}>
              <NoDevices environmentId={environmentId} />
            </Suspense>
          </Section>
        }
      >
        {(all) => <Rooms environmentId={environmentId} devices={all} services={services.data} />}
      </QueryView>
      {services.error && <QueryView query={services}>{() => null}</QueryView>}
    </Page>
  );
}

/** The hubs by name while there are few, otherwise the number of online hubs. */
function HubsLine({ environmentId }: { readonly environmentId: string }) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId)).data ?? [];
  if (hubs.length > 3)
    return (
      <span>
        <OnlineCount
          online={hubs.filter(({ connection }) => connection.state === "online").length}
          all={hubs.length}
          what="hub"
        />
      </span>
    );
  return (
    <span className={classes.hubs}>
      {hubs.map(({ id, alias, meta, connection }) => (
        <span key={id} className={classes.hub}>
          <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId: id }}>
            <NameText text={titleOf({ id, alias, meta }, "Hub")} />
          </Link>
          <OnlineState connection={connection} />
        </span>
      ))}
    </span>
  );
}

interface RoomsProps {
  readonly environmentId: string;
  readonly devices: readonly Device[];
  readonly services: ServicesByDevice | undefined;
}

function Rooms({ environmentId, devices, services }: RoomsProps) {
  const zones = useQuery(zonesQuery(useApi(), environmentId));
  return (
    <>
      <Concerns environmentId={environmentId} devices={devices} services={services} />
      <QueryView query={zones}>
        {(all) => (
          <div className={classes.rooms}>
            {roomsOf(all, devices).map((room) => (
              <RoomSection key={room.zone?.id ?? ""} {...{ room, services }} />
            ))}
          </div>
        )}
      </QueryView>
    </>
  );
}
