/** The page of a home: its problems, then its rooms with their state and controls. */
import { Button } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { driversQuery } from "../../data/hubs.ts";
import { environmentQuery } from "../../data/places.ts";
import { clientsQuery, devicesQuery, scenesQuery, zonesQuery } from "../../data/queries.ts";
import { environmentServicesQuery, type ServicesByDevice } from "../../data/services.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon, type IconName } from "../../kit/display/icon.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineCount, OnlineState, StateWord } from "../../kit/display/state.tsx";
import { Name, NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./home.module.css";
import { RoomSection } from "./room-section.tsx";
import { type Concern, concernsOf, roomsOf } from "./rooms.ts";

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

interface ConcernsProps {
  readonly environmentId: string;
  readonly devices: readonly Device[];
  readonly services: ServicesByDevice | undefined;
}

/** Number of problems at first; a button shows the others. */
const FEW = 6;
/** Poll interval in ms: each request goes through the tunnel of a hub. */
const ASK_HUBS_AGAIN = 60_000;

/** The problems of a home: dangers, unreachable devices, low batteries, and devices that wait for admission. */
function Concerns({ environmentId, devices, services }: ConcernsProps) {
  const concerns = concernsOf(devices, services);
  const waiting = useWaiting(environmentId);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? concerns : concerns.slice(0, FEW);
  if (concerns.length === 0 && waiting.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className={classes.concerns}>
        {shown.map((concern) => (
          <ConcernRow key={`${concern.kind} ${concern.device.id}`} concern={concern} />
        ))}
        {waiting.map(({ clientId, name, count }) => (
          <li key={clientId}>
            <Icon name="plus" />
            <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }}>
              {counted(count, "device")} at <NameText text={name} />
            </Link>
            <StateWord tone="warn">awaiting admission</StateWord>
          </li>
        ))}
      </ul>
      {concerns.length > shown.length && (
        <div>
          <button type="button" className={classes.more} onClick={() => setAll(true)}>
            Show all {concerns.length}
          </button>
        </div>
      )}
    </Section>
  );
}

const ICONS: Readonly<Record<Concern["kind"], IconName>> = { danger: "safety", away: "warn", battery: "battery" };

function ConcernRow({ concern }: { readonly concern: Concern }) {
  const { device } = concern;
  const titles = useTitles();
  return (
    <li>
      <Icon name={ICONS[concern.kind]} />
      <Link
        to="/environments/$environmentId/devices/$deviceId"
        params={{ environmentId: device.environmentId, deviceId: device.id }}
      >
        <Name of={device} />
      </Link>
      {concern.kind === "danger" && <StateWord tone="bad">{titles.ofClass(concern.service)} detected</StateWord>}
      {concern.kind === "away" && <OnlineState connection={device.connection} />}
      {concern.kind === "battery" && (
        <StateWord tone="warn">battery low{concern.percent !== undefined && `, ${concern.percent} %`}</StateWord>
      )}
    </li>
  );
}

/** Devices that hubs have found and the user has not admitted. Offline hubs and old agents report none. */
function useWaiting(environmentId: string) {
  const api = useApi();
  const hubs = useQuery(clientsQuery(api, environmentId)).data ?? [];
  const online = hubs.filter(({ connection }) => connection.state === "online");
  const drivers = useQueries({
    queries: online.map(({ id }) => ({ ...driversQuery(api, id), refetchInterval: ASK_HUBS_AGAIN })),
  });
  return online.flatMap((hub, at) => {
    const count = (drivers[at]?.data ?? []).flatMap(({ found }) => found).length;
    return count === 0 ? [] : [{ clientId: hub.id, name: nameOf(hub), count }];
  });
}
