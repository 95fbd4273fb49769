/** The zones of an environment, to be looked at and rearranged. */
import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { useForest } from "./tree/use-forest.ts";
import { NewZoneDialog } from "./tree/zone-dialogs.tsx";
import { ZoneTreeEditor } from "./tree/zone-tree-editor.tsx";

const route = getRouteApi("/inside/environments/$environmentId/zones");

export function ZonesPage() {
  const { environmentId } = route.useParams();
  const { new: isMaking = false } = route.useSearch();
  const navigate = route.useNavigate();
  const setMaking = (next: boolean) => void navigate({ search: { new: next || undefined }, replace: true });
  const forest = useForest(environmentId);
  const make = <Button onClick={() => setMaking(true)}>New zone</Button>;
  return (
    <Page
      title="Zones"
      lead="Rooms, floors, or other groups. A zone holds devices and other zones, and anything may stand in several."
      actions={make}
    >
      <QueryView
        query={forest}
        isEmpty={({ zones, devices }) => zones.size === 0 && devices.size === 0}
        empty={
          <Empty title="No zones yet" action={make}>
            Put devices together that are read and set together: the lamps of a room, the doors of a floor.
          </Empty>
        }
      >
        {(known) => <ZoneTreeEditor key={environmentId} environmentId={environmentId} forest={known} />}
      </QueryView>
      {isMaking && <NewZoneDialog environmentId={environmentId} onClose={() => setMaking(false)} />}
    </Page>
  );
}
