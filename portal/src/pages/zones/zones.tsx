/** The zones of an environment as a tree that can be rearranged. */

import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { ConsoleCommand } from "../../kit/display/console-command.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/console-commands.ts";
import { useForest } from "./forest.ts";
import { NewZoneDialog } from "./zone-dialogs.tsx";
import { ZoneTreeEditor } from "./zone-tree-editor.tsx";

const route = getRouteApi("/inside/environments/$environmentId/zones");

export function ZonesPage() {
  const { environmentId } = route.useParams();
  const { new: isMaking = false } = route.useSearch();
  const navigate = route.useNavigate();
  const setMaking = (next: boolean) => void navigate({ search: { new: next || undefined }, replace: true });
  const forest = useForest(environmentId);
  const isEmpty = forest.data !== undefined && forest.data.zones.size === 0 && forest.data.devices.size === 0;
  const make = <Button onClick={() => setMaking(true)}>Create zone</Button>;
  return (
    <Page
      title="Zones"
      lead="Zones are rooms, floors or other groups. A zone holds devices and other zones. Both can be in several zones."
      actions={!isEmpty && make}
    >
      <QueryView
        query={forest}
        isEmpty={() => isEmpty}
        empty={
          <Empty
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.zones(environmentId)}>From a terminal, run:</ConsoleCommand>
            }
            title="No zones yet"
            action={make}
          >
            Group devices that you control together, such as the lamps of a room.
          </Empty>
        }
      >
        {(known) => <ZoneTreeEditor key={environmentId} environmentId={environmentId} forest={known} />}
      </QueryView>
      {isMaking && <NewZoneDialog environmentId={environmentId} onClose={() => setMaking(false)} />}
    </Page>
  );
}
